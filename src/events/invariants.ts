import type { Invariant } from '#platform/core/invariant.ts'

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
  {
    name: 'outbox-waiting',
    description: 'No event waits in the outbox longer than the age given.',
    violations: `select event_batch.id from event_batch, given where event_batch.id < given.since_id`,
  },
  {
    name: 'delivery-waiting',
    description: 'No delivery to an enabled endpoint is due, without a lease, longer than the age given.',
    violations: `select webhook_delivery.id from webhook_delivery
      join webhook_endpoint on webhook_endpoint.id = webhook_delivery.endpoint_id and webhook_endpoint.status = 'enabled'
        and webhook_endpoint.deleted_at is null
      cross join given
      where webhook_delivery.status = 'pending' and (webhook_delivery.next_attempt_at is null or webhook_delivery.next_attempt_at < given.since)
        and (webhook_delivery.leased_until is null or webhook_delivery.leased_until < given.since)`,
  },
  {
    name: 'delivery-endpoint',
    description: 'A pending delivery has an endpoint that is not deleted.',
    violations: `select webhook_delivery.id from webhook_delivery
      left join webhook_endpoint on webhook_endpoint.id = webhook_delivery.endpoint_id and webhook_endpoint.deleted_at is null
      where webhook_delivery.status = 'pending' and webhook_endpoint.id is null`,
  },
  {
    name: 'endpoint-secret',
    description: 'A webhook endpoint has one present secret, a deleted one has none at all.',
    violations: `select webhook_endpoint.id from webhook_endpoint left join webhook_secret on webhook_secret.endpoint_id = webhook_endpoint.id
      group by webhook_endpoint.id having case when webhook_endpoint.deleted_at is null then count(*) filter (where webhook_secret.id is not null
        and webhook_secret.expires_at is null) <> 1
        else count(webhook_secret.id) > 0 end`,
  },
  {
    name: 'mail-waiting',
    description: 'No mail is being sent longer than the age given.',
    violations: `select mail.id from mail, given where mail.status = 'sending' and mail.leased_until < given.since`,
  },
  {
    name: 'mail-secret',
    description: 'A mail with a link that is still to be sent has the link.',
    violations: `select id from mail where period is null and status in ('queued', 'sending') and secret is null`,
  },
]
