import { rawBody } from '../files.ts'
import { Shipments as Methods } from '../generated/operator.ts'
import type { Transport } from '../transport.ts'
import type { FileBody, Query, ResponseBody } from '../types.ts'
import { type JobOptions, sendDecisions } from './decision-jobs.ts'

export interface AcknowledgementOptions extends JobOptions, Query<'acknowledgeShipment'> {
  /** The media type of the file; `text/csv` when absent. */
  readonly type?: string
}

/** The shipments to carriers. */
export class Shipments extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * The answer of a carrier to a shipment, a line each. Each succeeds or fails by itself: see `error` of the items. It is a job of the service,
   * which goes on when the call is aborted. @throws BrokenJobError
   */
  async acknowledge(
    shipmentId: string,
    file: FileBody,
    { 'dry-run': isDryRun, confirm, sheet, type = 'text/csv', ...options }: AcknowledgementOptions = {},
  ): Promise<ResponseBody<'acknowledgeShipment'>> {
    const call = { path: [shipmentId], raw: await rawBody(file, type), query: { 'dry-run': isDryRun, confirm, sheet } }
    return sendDecisions(this.#transport, 'acknowledgeShipment', call, options, (result) => result)
  }
}
