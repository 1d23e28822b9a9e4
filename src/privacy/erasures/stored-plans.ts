import type { Sql } from '#platform/core/database.ts'
import type { ErasureItem, PlannedMention } from '../rules/erasure.ts'

/* An approved erasure from its plan to what stayed. */

/** The approved erasures whose time has come: those that failed wait, or are put aside. */
export async function listApproved(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select subject_request.id from subject_request join erasure on erasure.subject_request_id = subject_request.id
     where subject_request.kind = 'erasure' and subject_request.status = 'approved'
       and (erasure.failure is null or erasure.next_attempt_at <= statement_timestamp())
     order by subject_request.due_date, subject_request.id`,
  )
  return rows.map(({ id }) => id)
}

/** The CPF of an approved erasure, locked; null: it was cancelled, or is done. */
export async function lockApproved(sql: Sql, id: string): Promise<string | null> {
  const rows = await sql.query<{ taxId: string }>(
    `select tax_id as "taxId" from subject_request where id = $1 and kind = 'erasure' and status = 'approved' for update`,
    [id],
  )
  return rows[0]?.taxId ?? null
}

/** Closes an erasure with what stayed. Its plan keeps the places in the texts of others, without the texts. */
export async function setDone(sql: Sql, id: string, remaining: readonly ErasureItem[], at: Date): Promise<void> {
  await sql.execute(`update subject_request set status = $2, closed_at = $3 where id = $1`, [
    id,
    remaining.length > 0 ? 'partly-fulfilled' : 'fulfilled',
    at,
  ])
  await sql.execute(
    `update erasure set remaining = $2, failure = null, failed_at = null, next_attempt_at = null, attempts = 0, mentions = (
       select coalesce(jsonb_agg(mention || '{"text": null}'), '[]') from jsonb_array_elements(mentions) mention)
     where subject_request_id = $1`,
    [id, JSON.stringify(remaining)],
  )
}

/** Adds to what stayed, in the transaction that left it. */
export async function addRemaining(sql: Sql, id: string, items: readonly ErasureItem[]): Promise<void> {
  if (items.length === 0) return
  await sql.execute('update erasure set remaining = remaining || $2::jsonb where subject_request_id = $1', [
    id,
    JSON.stringify(items),
  ])
}

/** Notes that an attempt failed. @param delays until the next ones, in seconds; none is left after the last. */
export async function setFailed(sql: Sql, id: string, failure: string, delays: readonly number[]): Promise<void> {
  await sql.execute(
    `update erasure set attempts = attempts + 1, failure = $2, failed_at = statement_timestamp(),
       next_attempt_at = statement_timestamp() + make_interval(secs => ($3::int[])[attempts + 1])
     where subject_request_id = $1`,
    [id, failure, delays],
  )
}

/** Lets an erasure that failed be tried at once. @returns false when it did not fail. */
export async function setRetried(sql: Sql, id: string): Promise<boolean> {
  const done = await sql.execute(
    `update erasure set attempts = 0, next_attempt_at = statement_timestamp() where subject_request_id = $1 and failure is not null`,
    [id],
  )
  return done === 1
}

/** Stores a plan, in the place of a former one. */
export async function putPlan(
  sql: Sql,
  id: string,
  { plan, mentions }: Plan,
  actorId: string,
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into erasure (subject_request_id, plan, mentions, planned_by, planned_at) values ($1, $2, $3, $4, $5)
     on conflict (subject_request_id) do update set plan = excluded.plan, mentions = excluded.mentions, planned_by = excluded.planned_by,
       planned_at = excluded.planned_at`,
    [id, JSON.stringify(plan), JSON.stringify(mentions), actorId, at],
  )
  await sql.execute(`update subject_request set status = 'planned' where id = $1`, [id])
}

/** What an erasure deletes and what stays, and the places in free text of others. */
export interface Plan {
  readonly plan: readonly ErasureItem[]
  readonly mentions: readonly PlannedMention[]
}

interface StoredPlan extends Plan {
  readonly plannedBy: string
  /** What stayed so far. */
  readonly remaining: readonly ErasureItem[]
}

export async function readPlan(sql: Sql, id: string): Promise<StoredPlan | null> {
  const rows = await sql.query<StoredPlan>(
    'select plan, mentions, remaining, planned_by as "plannedBy" from erasure where subject_request_id = $1',
    [id],
  )
  return rows[0] ?? null
}

export async function setApproved(sql: Sql, id: string, actorId: string, at: Date): Promise<void> {
  await sql.execute('update erasure set approved_by = $2, approved_at = $3 where subject_request_id = $1', [
    id,
    actorId,
    at,
  ])
  await sql.execute(`update subject_request set status = 'approved' where id = $1`, [id])
}

/** `{ "result": erasure }`; null when there is no plan. */
export async function readErasure(sql: Sql, id: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', json_build_object('subject-request-id', subject_request.id, 'status', subject_request.status,
       'items', erasure.plan, 'mentions', erasure.mentions, 'remaining', erasure.remaining,
       'failure', case when erasure.failure is not null then json_build_object('reason', erasure.failure, 'attempts', erasure.attempts,
         'failed-at', iso(erasure.failed_at), 'next-attempt-at', iso(erasure.next_attempt_at)) end, 'planned-by', erasure.planned_by, 'planned-at', iso(erasure.planned_at),
       'approved-by', erasure.approved_by, 'approved-at', iso(erasure.approved_at), 'closed-at', iso(subject_request.closed_at)))::text as body
     from erasure join subject_request on subject_request.id = erasure.subject_request_id where erasure.subject_request_id = $1`,
    [id],
  )
  return rows[0]?.body ?? null
}
