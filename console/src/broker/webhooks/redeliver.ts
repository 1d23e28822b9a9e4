import type { Item } from '@vigencia/client'
import { api } from '../../api/client.ts'

type Delivery = Item<'listAllWebhookDeliveries'>

const pollMilliseconds = 1_000
/** Longer than an attempt takes. */
const maxMilliseconds = 90_000

/** The attempts to deliver an event to an endpoint, the last first. */
async function attemptsOf(eventId: string, endpointId: string): Promise<readonly Delivery[]> {
  const query = { 'webhook-event-id': eventId, 'webhook-endpoint-id': endpointId, 'items-per-page': 100 }
  return (await api.webhooks.deliveries(query)).result
}

/**
 * Delivers an event again and follows the attempt.
 * @returns the attempt once it is finished; null when it is not after a minute and a half.
 */
export async function redeliver(eventId: string, endpointId: string): Promise<Delivery | null> {
  const isFinished = ({ status }: Delivery) => status !== 'pending'
  const before = (await attemptsOf(eventId, endpointId)).find(isFinished)?.attempt ?? 0
  await api.webhooks.redeliver(eventId, { 'webhook-endpoint-id': endpointId })
  const end = Date.now() + maxMilliseconds
  while (Date.now() < end) {
    const attempts = await attemptsOf(eventId, endpointId)
    const outcome = attempts.findLast((delivery) => isFinished(delivery) && delivery.attempt > before)
    if (outcome !== undefined) return outcome
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
  }
  return null
}
