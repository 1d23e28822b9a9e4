import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { Sql } from '#platform/core/database.ts'
import { deadlineApproaching } from '#platform/core/events.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { DueDeadline } from '#kernel/enums.ts'
import { openDeadlines } from '#coverage/enrollments/deadlines.ts'
import type { Context } from '#platform/http/context.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'

interface DeadlineOfMovement {
  readonly id: string
  readonly requestId: string
  readonly reference: string | null
  readonly kind: DueDeadline
  readonly until: LocalDate
}

/**
 * Writes `deadline.approaching` events for open deadlines that are as near as the setting says, also for those of earlier days. Several processes may
 * run this at once: the row of each event is inserted once.
 * @returns how many.
 */
export async function writeDeadlineEvents(
  { database, config }: Pick<Context, 'database' | 'config'>,
  today: LocalDate,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<number> {
  const kind = 'deadline-events'
  const until = addDays(today, config.deadlineEventDays)
  let written = 0
  while (!signal.aborted) {
    const due = await readUnreported(database, until, await attempts.waiting(kind))
    for (const [companyId, movements] of Map.groupBy(due, (movement) => movement.companyId)) {
      const ids = movements.map(({ id }) => id)
      const done = await attempts.run({ kind, targetId: companyId, companyId }, () =>
        write({ database }, { kind: 'clock' }, { may: 'service' }, (tx) => report(tx, companyId, ids, until)),
      )
      written += done ?? 0
    }
    if (due.length < CHUNK_SIZE) break
  }
  return written
}

async function report(tx: Tx, companyId: string, ids: readonly string[], until: LocalDate): Promise<number> {
  const reported = await claimUnreported(tx, companyId, ids, until)
  tx.emit(companyId, reported.map(deadlineApproaching))
  tx.audit(reported.map(({ id: target }) => ({ action: 'deadline.approaching', target, companyId })))
  return reported.length
}

/** SQL: the open deadlines until day $1 that have no event. */
const unreported = `from open_movement join enrollment on enrollment.company_id = open_movement.company_id and enrollment.id = open_movement.id
  cross join lateral ${openDeadlines}
  where open_movement.due_date <= $1 and deadline.until <= $1
    and not exists (select 1 from deadline_event where deadline_event.company_id = enrollment.company_id
      and deadline_event.enrollment_id = enrollment.id and deadline_event.kind = deadline.kind and deadline_event.until = deadline.until)`

async function readUnreported(
  sql: Sql,
  until: LocalDate,
  without: readonly string[],
): Promise<{ companyId: string; id: string }[]> {
  return sql.query(
    `select distinct enrollment.company_id as "companyId", enrollment.id ${unreported} and enrollment.company_id <> all($2::uuid[])
     order by 1, 2 limit ${CHUNK_SIZE}`,
    [until, without],
  )
}

async function claimUnreported(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  until: LocalDate,
): Promise<DeadlineOfMovement[]> {
  return sql.query<DeadlineOfMovement>(
    `with due as (
       select enrollment.id, enrollment.request_id, enrollment.reference, deadline.kind, deadline.until ${unreported}
         and enrollment.company_id = $2 and enrollment.id = any($3::uuid[])
     ), claimed as (
       insert into deadline_event (company_id, enrollment_id, kind, until) select $2, id, kind, until from due
       on conflict do nothing returning enrollment_id, kind, until
     )
     select due.id, due.request_id as "requestId", due.reference, due.kind, due.until from claimed
     join due on due.id = claimed.enrollment_id and due.kind = claimed.kind and due.until = claimed.until
     order by due.until, due.id, due.kind`,
    [until, companyId, ids],
  )
}
