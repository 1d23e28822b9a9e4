import { pages, readerOf } from '#platform/http/pages.ts'
import type { PageQuery } from '#platform/http/schemas.ts'
import type { Decision } from '../transition/types.ts'
import type { BrokenReason, DecisionJobStatus } from '../rules/decision-job.ts'
import type { Origin } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { StoredResult } from './results.ts'
import type { NotRead } from './sent-lines.ts'

/** A job when it is made. */
interface NewJob {
  readonly id: string
  readonly actor: string
  readonly origin: Origin
  readonly dryRun: boolean
  /** The decision of all lines without one of their own. */
  readonly decision: Decision | null
  /** The shipment of an acknowledgement; null for decisions. */
  readonly shipmentId: string | null
  /** Only for an acknowledgement. */
  readonly notRead?: NotRead
  /** How long it can be undone before it begins; 0: it begins at once. */
  readonly undoSeconds: number
  readonly lines: readonly NewLine[]
}

/** `chunk` is null for a line that was refused, with its result. */
export interface NewLine {
  readonly line: number
  readonly enrollment_id: string | null
  readonly chunk: number | null
  /** A `Decision`, or what a carrier says of a movement. */
  readonly decision: object | null
  readonly result: StoredResult | null
}

/** Inserts a job with its lines, and its work unless every line was refused. */
export async function insertJob(sql: Sql, job: NewJob): Promise<void> {
  const { id, actor, origin, dryRun, decision, shipmentId, notRead, undoSeconds, lines } = job
  const refused = lines.filter(({ chunk }) => chunk === null).length
  const isDone = refused === lines.length
  await sql.execute(
    `with job as (
       insert into decision_job (id, actor, address, request_trace_id, dry_run, status, lines, rejected, decision, created_at, finished_at,
         shipment_id, undo_until, unknown_columns, sheets_not_read)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13,
         case when $14::int > 0 and $11::timestamptz is null then $10::timestamptz + make_interval(secs => $14) end, $15, $16)
     )
     insert into decision_job_line (job_id, line, enrollment_id, chunk, decision, result)
     select $1, line, enrollment_id, chunk, decision, result
     from jsonb_to_recordset($12::jsonb) as line (line integer, enrollment_id uuid, chunk integer, decision jsonb, result json)`,
    [
      id,
      actor,
      origin.address,
      origin.traceId,
      dryRun,
      isDone ? 'done' : 'waiting',
      lines.length,
      refused,
      isDone || decision === null ? null : JSON.stringify(decision),
      sql.now(),
      isDone ? sql.now() : null,
      JSON.stringify(lines),
      shipmentId,
      undoSeconds,
      notRead?.unknownColumns ?? [],
      notRead?.sheetsNotRead ?? [],
    ],
  )
  if (isDone) return
  await sql.execute(
    `with new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select $2, $3 where not exists (select 1 from work_client where client_id = $2)
       on conflict do nothing
     ), work as (
       insert into work (id, kind, client_id, target_id, run_at, created_at) values ($1, $4, $2, $1, now() + make_interval(secs => $5), $3)
     )
     select pg_notify('vigencia_work', '')`,
    [id, actor, sql.now(), shipmentId === null ? 'decision' : 'acknowledgement', undoSeconds],
  )
  if (undoSeconds === 0) return
  // What was held for another job meanwhile stays with that one: this decision is refused when it is made.
  await sql.execute(
    `insert into held_decision (enrollment_id, job_id, status)
     select decision_job_line.enrollment_id, decision_job.id, coalesce(decision_job_line.decision, decision_job.decision) ->> 'status'
     from decision_job join decision_job_line on decision_job_line.job_id = decision_job.id
     where decision_job.id = $1 and decision_job_line.result is null
     on conflict do nothing`,
    [id],
  )
}

export interface LockedJob {
  readonly actor: string
  readonly origin: Origin
  readonly dryRun: boolean
  /** Whether there are lines to decide. */
  readonly isOpen: boolean
  /** null: of decisions. */
  readonly shipmentId: string | null
}

/** Locks a job until the transaction ends; null when there is none. */
export async function lockJob(sql: Sql, id: string): Promise<LockedJob | null> {
  const [job] = await sql.query<LockedJob>(
    `select actor, json_build_object('address', address, 'traceId', request_trace_id) as origin, dry_run as "dryRun",
       status in ('waiting', 'running') as "isOpen", shipment_id as "shipmentId"
     from decision_job where id = $1 for update`,
    [id],
  )
  return job ?? null
}

/** Whether an earlier job of the same operator that could be undone has not ended: its decisions go before. */
export async function hasEarlierHeldJob(sql: Sql, id: string): Promise<boolean> {
  const [row] = await sql.query<{ has: boolean }>(
    `select exists (select 1 from decision_job earlier join decision_job on decision_job.id = $1
       where earlier.actor = decision_job.actor and earlier.finished_at is null and earlier.undo_until < decision_job.undo_until) as has`,
    [id],
  )
  return row?.has === true
}

/** Locks the work of a job until the transaction ends. */
export async function lockWork(sql: Sql, jobId: string): Promise<void> {
  await sql.query(`select from work where target_id = $1 for update`, [jobId])
}

/** Ends a job that has not begun: nothing of it is decided. The job must be locked. @returns whether it could be undone. */
export async function undoJob(sql: Sql, id: string): Promise<boolean> {
  const undone = await sql.execute(
    `with undone as (
       update decision_job set status = 'undone', finished_at = $2, decision = null, rejected = lines - accepted
       where id = $1 and status = 'waiting' and undo_until is not null
       returning id
     ), line as (
       update decision_job_line set result = '{"code":"decision-undone"}', decision = null
       from undone where decision_job_line.job_id = undone.id and decision_job_line.result is null
     ), done as (delete from work using undone where work.target_id = undone.id),
     released as (delete from held_decision using undone where held_decision.job_id = undone.id)
     select from undone`,
    [id, sql.now()],
  )
  return undone > 0
}

/** The given enrollments with a decision that can still be undone; and those whose primary has one that completes in the product. */
export async function readHeld(
  sql: Sql,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly isPrimary: boolean }[]> {
  return sql.query(
    `select enrollment_id as id, false as "isPrimary" from held_decision where enrollment_id = any($1::uuid[])
     union all
     select enrollment.id, true from enrollment
     join enrollment primary_enrollment on primary_enrollment.company_id = enrollment.company_id
       and primary_enrollment.member_id = enrollment.primary_member_id and primary_enrollment.product_id = enrollment.product_id
     join (select enrollment_id from held_decision where status = 'completed') held on held.enrollment_id = primary_enrollment.id
     where enrollment.id = any($1::uuid[])`,
    [ids],
  )
}

interface JobChunk<Line = unknown> {
  readonly chunk: number
  readonly isLast: boolean
  readonly lines: readonly { readonly id: string; readonly decision: Line }[]
}

/** The next chunk of a job; null when all are decided. */
export async function readNextChunk<Line>(sql: Sql, id: string): Promise<JobChunk<Line> | null> {
  const [found] = await sql.query<JobChunk<Line>>(
    `select chunk.first as chunk, chunk.first = chunk.last as "isLast",
       (select json_agg(json_build_object('id', decision_job_line.enrollment_id, 'decision',
         coalesce(decision_job_line.decision, decision_job.decision)))
        from decision_job_line where decision_job_line.job_id = decision_job.id and decision_job_line.chunk = chunk.first
          and decision_job_line.result is null) as lines
     from decision_job
     cross join (select min(chunk) as first, max(chunk) as last from decision_job_line where job_id = $1 and result is null) chunk
     where decision_job.id = $1 and chunk.first is not null`,
    [id],
  )
  return found ?? null
}

interface DecidedEnrollment {
  readonly id: string
  readonly result: StoredResult
}

/** Writes the results of a chunk, and deletes its decisions; the last chunk ends the job. */
export async function insertResults(
  sql: Sql,
  id: string,
  { chunk, isLast }: JobChunk,
  decided: readonly DecidedEnrollment[],
): Promise<void> {
  await sql.execute(
    `with decided as (
       update decision_job_line set result = decided_line.result, decision = null
       from jsonb_to_recordset($3::jsonb) as decided_line (id uuid, result json)
       where decision_job_line.job_id = $1 and decision_job_line.chunk = $2 and decision_job_line.enrollment_id = decided_line.id
         and decision_job_line.result is null
       returning case when decision_job_line.result ->> 'code' is not null then 'rejected'
         else coalesce(decision_job_line.result ->> 'outcome', 'accepted') end as outcome
     ), made as (delete from held_decision using jsonb_to_recordset($3::jsonb) as decided_line (id uuid)
       where held_decision.job_id = $1 and held_decision.enrollment_id = decided_line.id)
     update decision_job set accepted = decision_job.accepted + counted.accepted, refused = decision_job.refused + counted.refused,
       in_analysis = decision_job.in_analysis + counted.in_analysis, rejected = decision_job.rejected + counted.rejected,
       status = case when $4 then 'done' else 'running' end,
       finished_at = case when $4 then $5::timestamptz end, decision = case when $4 then null else decision_job.decision end
     from (select count(*) filter (where outcome = 'accepted') as accepted, count(*) filter (where outcome = 'refused') as refused,
         count(*) filter (where outcome = 'in-analysis') as in_analysis, count(*) filter (where outcome = 'rejected') as rejected from decided) counted
     where decision_job.id = $1`,
    [id, chunk, JSON.stringify(decided), isLast, sql.now()],
  )
}

/** Ends a job before its last line, and deletes its decisions. */
export async function breakJob(sql: Sql, id: string, reason: BrokenReason): Promise<void> {
  await sql.execute(
    `with emptied as (update decision_job_line set decision = null where job_id = $1 and decision is not null),
     released as (delete from held_decision where job_id = $1)
     update decision_job set status = 'broken', reason = $2, finished_at = $3, decision = null where id = $1`,
    [id, reason, sql.now()],
  )
}

const jobJson = `json_build_object('job-id', decision_job.id, 'status', decision_job.status, 'broken-reason', decision_job.reason,
  'dry-run', decision_job.dry_run, 'shipment-id', decision_job.shipment_id, 'lines', decision_job.lines,
  'done', decision_job.accepted + decision_job.refused + decision_job.in_analysis + decision_job.rejected, 'accepted', decision_job.accepted,
  'refused', decision_job.refused, 'rejected', decision_job.rejected,
  'author', decision_job.actor, 'created-at', iso(decision_job.created_at), 'undo-until', iso(decision_job.undo_until),
  'finished-at', iso(decision_job.finished_at))`

const jobs = { from: 'decision_job', item: jobJson }

/** `{ "result": job }`; null when there is none. */
export const readJob = readerOf(jobs)

/** A page of the jobs, newest first. */
export const jobPage = pages<PageQuery>({
  ...jobs,
  order: 'decision_job.created_at desc, decision_job.id desc',
  where: {},
})

export async function readJobStatus(sql: Sql, id: string): Promise<DecisionJobStatus | null> {
  const [row] = await sql.query<{ status: DecisionJobStatus }>('select status from decision_job where id = $1', [id])
  return row?.status ?? null
}

export interface JobResult {
  readonly dryRun: boolean
  readonly lines: number
  readonly accepted: number
  readonly refused: number
  readonly rejected: number
  /** Only for an acknowledgement; null for decisions. */
  readonly notRead: NotRead | null
  /** The results of the lines that have one, in their order. */
  readonly results: readonly { readonly line: number; readonly id: string | null; readonly result: StoredResult }[]
}

/** The counters and the results of one moment; null when there is no such job. */
export async function readJobResult(sql: Sql, id: string): Promise<JobResult | null> {
  const [result] = await sql.query<JobResult>(
    `select dry_run as "dryRun", lines, accepted, refused, rejected,
       case when shipment_id is not null then json_build_object('unknownColumns', unknown_columns, 'sheetsNotRead', sheets_not_read) end as "notRead",
       (select coalesce(json_agg(json_build_object('line', line, 'id', enrollment_id, 'result', result) order by line), '[]')
        from decision_job_line where job_id = $1 and result is not null) as results
     from decision_job where id = $1`,
    [id],
  )
  return result ?? null
}

/** Deletes some of the jobs that ended before a time, with their lines. @returns how many. */
export function deleteOldJobs(sql: Sql, before: Date, limit: number): Promise<number> {
  return sql.execute(
    `with old as materialized (select id from decision_job where finished_at < $1 order by finished_at limit $2),
       emptied as (delete from decision_job_line where job_id in (select id from old))
     delete from decision_job where id in (select id from old)`,
    [before, limit],
  )
}
