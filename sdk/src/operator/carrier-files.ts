import { rawBody } from '../files.ts'
import { CarrierFiles as Methods } from '../generated/operator.ts'
import { splitOptions } from '../methods.ts'
import type { Transport } from '../transport.ts'
import type { FileBody, Query, RequestOptions, Result } from '../types.ts'

export interface CarrierFileOptions extends RequestOptions, Query<'uploadCarrierFile'> {
  /** The media type of the file; `text/csv` when absent. */
  readonly type?: string
}

/** The files of carriers: rosters, invoices, co-participation. */
export class CarrierFiles extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** Sends a file, which the workers read: it is done when its `status` is no longer `reading`. The same bytes are the same file. */
  async upload(
    file: FileBody,
    { type = 'text/csv', ...given }: CarrierFileOptions,
  ): Promise<Result<'uploadCarrierFile'>> {
    const id = 'uploadCarrierFile'
    const call = splitOptions(given, this.#transport.operation(id).inOptions)
    return this.#transport.result(id, { raw: await rawBody(file, type), ...call })
  }
}
