import { Download, rawBody } from '../files.ts'
import { Tables as Methods } from '../generated/partner.ts'
import { resultOf, type Transport } from '../transport.ts'
import type { FileBody, LinesOptions, Query, Result } from '../types.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Spreadsheets of movements, before they are sent. */
export class Tables extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** Reads CSV or XLSX up to 16 MiB: its rows, what their columns stand for, and the batch for `inclusions` or `exclusions`. */
  async read(file: FileBody, query: Query<'readTable'>, options: LinesOptions = {}): Promise<Result<'readTable'>> {
    const { type = 'text/csv', ...others } = options
    const raw = await rawBody(file, type)
    return resultOf(await this.#transport.json('readTable', { raw, query, options: others })) as Result<'readTable'>
  }

  /** The same table as a workbook. */
  async workbook(file: FileBody, query: Query<'readTable'>, options: LinesOptions = {}): Promise<Download> {
    const { type = 'text/csv', ...others } = options
    const call = { raw: await rawBody(file, type), query, headers: { accept: xlsx }, options: others, isStream: true }
    return this.#transport.send('readTable', call, async (response) => new Download(response))
  }
}
