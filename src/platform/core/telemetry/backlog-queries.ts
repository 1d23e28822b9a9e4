import type { Sql } from '../database.ts'

/** What waits for a worker. Ages in seconds; 0 when nothing waits. */
export interface Backlog {
  readonly work: number
  readonly workAge: number
  /** Steps that failed and are tried again. */
  readonly stepsRetrying: number
  /** Steps that are put aside. */
  readonly stepsPutAside: number
  readonly auditPending: number
  readonly auditPendingAge: number
  /** Events that are not fanned out yet; one that waits for several clients counts for each. */
  readonly undispatched: number
  /** How long the delivery that is due first has been due; those of disabled endpoints do not count. */
  readonly deliveryAge: number
  /** Erasures whose last attempt failed. */
  readonly failedErasures: number
}

/** Counts what waits, in one statement over tables that have only waiting rows, or by index. */
export async function readBacklog(sql: Sql): Promise<Backlog> {
  const [backlog] = await sql.query<Backlog>(
    `select waiting.count as work, waiting.age as "workAge", waiting.retrying as "stepsRetrying", waiting.aside as "stepsPutAside", unchained.count as "auditPending", unchained.age as "auditPendingAge",
       ((select coalesce(sum(events), 0) from event_batch) + (select coalesce(sum(events), 0) from webhook_fan_out))::int as undispatched,
       coalesce((select greatest(extract(epoch from clock_timestamp() - min(next_attempt_at)), 0)
         from webhook_endpoint cross join lateral (select next_attempt_at from webhook_delivery
           where endpoint_id = webhook_endpoint.id and status = 'pending' order by next_attempt_at limit 1) first_due
         where webhook_endpoint.status = 'enabled' and webhook_endpoint.deleted_at is null), 0)::float8 as "deliveryAge",
       (select count(*) from erasure join subject_request on subject_request.id = erasure.subject_request_id
         where erasure.failure is not null and subject_request.status = 'approved') as "failedErasures"
     from (select count(*) filter (where is_waiting) as count,
             coalesce(greatest(extract(epoch from clock_timestamp() - min(created_at) filter (where is_waiting)), 0), 0)::float8 as age,
             count(*) filter (where reason is not null and run_at < 'infinity') as retrying, count(*) filter (where run_at = 'infinity') as aside
           from (select *, client_id is not null and run_at < 'infinity' as is_waiting from work) work) waiting,
          (select count(*) as count, coalesce(greatest(extract(epoch from clock_timestamp() - min(at)), 0), 0)::float8 as age
           from audit_pending) unchained`,
  )
  return (
    backlog ?? {
      work: 0,
      workAge: 0,
      stepsRetrying: 0,
      stepsPutAside: 0,
      auditPending: 0,
      auditPendingAge: 0,
      undispatched: 0,
      deliveryAge: 0,
      failedErasures: 0,
    }
  )
}
