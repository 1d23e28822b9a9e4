import { download } from '../download.ts'
import { Download, rawBody, type Saved, type To } from '../files.ts'
import { Imports as Methods } from '../generated/operator.ts'
import { splitOptions } from '../methods.ts'
import { resultOf, type Transport } from '../transport.ts'
import type { FileBody, LinesOptions, Query, ResponseBody, Result } from '../types.ts'

/** Imports of the carrier's members and benefits. */
export class Imports extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** Imports a file of up to 1 GiB, an XLSX of up to 16 MiB, a benefit a line. Name the import with `import-id`, so that it can be read when the connection breaks. */
  async create(
    file: FileBody,
    { type = 'text/csv', ...given }: LinesOptions & Query<'importMembers'> = {},
  ): Promise<ResponseBody<'importMembers'>> {
    const id = 'importMembers'
    const call = splitOptions(given, this.#transport.operation(id).inOptions)
    return this.#transport.json(id, { raw: await rawBody(file, type), ...call })
  }

  /** The headings and first rows of a file of up to 16 MiB. Nothing is stored. */
  async table(
    file: FileBody,
    query: Query<'readImportTable'> = {},
    { type = 'text/csv', ...options }: LinesOptions = {},
  ): Promise<Result<'readImportTable'>> {
    const raw = await rawBody(file, type)
    const body = await this.#transport.json('readImportTable', { raw, query, options })
    return resultOf(body) as Result<'readImportTable'>
  }

  /** A workbook as CSV, each row in its line. */
  async tableAsCsv(file: FileBody, query: Query<'readImportTable'>, options: LinesOptions): Promise<Download> {
    const { type = 'text/csv', ...others } = options
    const headers = { accept: 'text/csv' }
    const call = { raw: await rawBody(file, type), query, headers, options: others, isStream: true }
    return this.#transport.send('readImportTable', call, async (response) => new Download(response))
  }

  /** The refused lines, as NDJSON, CSV or XLSX. */
  errors(importId: string, options: LinesOptions & To): Promise<Saved>
  errors(importId: string, options?: LinesOptions): Promise<Download>
  errors(importId: string, { type = 'application/x-ndjson', ...options }: LinesOptions & Partial<To> = {}) {
    return download(this.#transport, 'listImportErrors', [importId], {}, options, type)
  }
}
