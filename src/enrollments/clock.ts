import { writeAudit } from '../account/audit.ts'
import type { Database, Sql } from '../database.ts'
import { writeEvents } from '../events/outbox.ts'
import type { LocalDate } from '../rules/calendar.ts'
import type { Service } from '../service.ts'
import { moveEnrollments } from './transition.ts'

const atOnce = 500
const clock = { kind: 'clock', id: null, origin: null } as const

/**
 * Moves what is scheduled and whose day has come in Sao Paulo, all the days that were missed included. Several processes may
 * do so at once: each enrollment moves once, because it moves from its locked row.
 */
export async function advanceClock(service: Service, signal: AbortSignal): Promise<void> {
  const today = service.today()
  await inBatches(signal, () => takeUpScheduled(service.database, today))
  await inBatches(signal, () => endBenefits(service.database, today))
}

async function inBatches(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await step()) === atOnce);
}

interface Due {
  readonly companyId: string
  readonly id: string
}

async function takeUpScheduled(database: Database, today: LocalDate): Promise<number> {
  const due = await database.rows<Due>(
    `select company_id as "companyId", id from enrollment
     where status = 'scheduled' and scheduled_action_date <= $1 order by scheduled_action_date limit $2`,
    [today, atOnce],
  )
  for (const [companyId, rows] of Map.groupBy(due, (row) => row.companyId)) {
    const ids = rows.map((row) => row.id)
    await database.transaction((sql) =>
      moveEnrollments(sql, companyId, ids, { status: 'created', reason: null }, clock),
    )
  }
  return due.length
}

/** Ends active benefits on their last day: an exclusion was approved ahead, or the carrier told the end. */
async function endBenefits(database: Database, today: LocalDate): Promise<number> {
  const due = await database.rows<Due>(
    `select company_id as "companyId", id from benefit
     where status = 'active' and end_date is not null and end_date <= $1 order by end_date limit $2`,
    [today, atOnce],
  )
  for (const [companyId, rows] of Map.groupBy(due, (row) => row.companyId)) {
    const ids = rows.map((row) => row.id)
    await database.transaction((sql) => endThese(sql, companyId, ids, today))
  }
  return due.length
}

async function endThese(sql: Sql, companyId: string, ids: readonly string[], today: LocalDate): Promise<void> {
  const at = new Date()
  const ended = await sql.rows<{ id: string; memberId: string }>(
    `update benefit set status = 'inactive', updated_at = $4
     where company_id = $1 and id = any($2::uuid[]) and status = 'active' and end_date <= $3
     returning id, member_id as "memberId"`,
    [companyId, ids, today, at],
  )
  await writeEvents(
    sql,
    companyId,
    at,
    ended.map((benefit) => ({
      type: 'benefit.deactivated',
      data: { 'benefit-id': benefit.id, 'member-id': benefit.memberId, status: 'inactive' },
    })),
  )
  await writeAudit(
    sql,
    ended.map((benefit) => ({
      actor: 'clock',
      action: 'benefit.deactivated',
      target: benefit.id,
      companyId,
      origin: null,
    })),
  )
}
