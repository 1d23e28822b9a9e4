import type { VigenciaOperator } from '@vigencia/client/operator'
import type { Outcome } from './shipment.ts'

/** Sends outcomes to the service as NDJSON, and waits until it has done them. */
export function acknowledgeTo(operator: VigenciaOperator) {
  return async (shipmentId: string, outcomes: readonly Outcome[]): Promise<void> => {
    const lines = outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`)
    await operator.shipments.acknowledge(shipmentId, new Blob(lines), { type: 'application/x-ndjson' })
  }
}
