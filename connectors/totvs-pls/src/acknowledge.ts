import type { VigenciaOperator } from '@vigencia/client/operator'
import type { Outcome } from './shipment.ts'

/** Sends outcomes to the service as NDJSON. @param url of the service. */
export function acknowledgeTo(operator: VigenciaOperator, url: string) {
  return async (shipmentId: string, outcomes: readonly Outcome[]): Promise<void> => {
    const response = await fetch(`${url}/operator/v1/shipment/${shipmentId}/acknowledgement`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await operator.operations.token()}`,
        'content-type': 'application/x-ndjson',
        accept: 'application/json',
      },
      body: outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''),
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`The service answered the acknowledgement with ${response.status}`)
  }
}
