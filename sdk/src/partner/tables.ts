import type { Download } from '../files.ts'
import { Tables as Methods } from '../generated/partner.ts'
import { readTable, tableAsWorkbook } from '../tables.ts'
import type { Transport } from '../transport.ts'
import type { FileBody, LinesOptions, Query, Result } from '../types.ts'

/** Spreadsheets of movements, before they are sent. */
export class Tables extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** Reads CSV or XLSX up to 16 MiB: its rows, what their columns stand for, and the batch for `inclusions`, `exclusions` or `alterations`. */
  async read(file: FileBody, query: Query<'readTable'>, options: LinesOptions = {}): Promise<Result<'readTable'>> {
    return readTable(this.#transport, 'readTable', file, query, options)
  }

  /** The same table as a workbook. */
  async workbook(file: FileBody, query: Query<'readTable'>, options: LinesOptions = {}): Promise<Download> {
    return tableAsWorkbook(this.#transport, 'readTable', file, query, options)
  }
}
