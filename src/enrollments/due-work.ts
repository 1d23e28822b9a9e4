import { writeAudit } from '../audit/audit-log.ts'
import type { Database, Sql } from '../platform/database.ts'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { writeOverdueEvents } from '../invoices/overdue-events.ts'
import type { Context } from '../http/context.ts'
import { endLate, transferBenefits } from './transfer-effects.ts'
import { readLateDependents } from './transfer-queries.ts'
import {
  activateDueDependents,
  activateDuePrimaries,
  deactivateDue,
  endReplaced,
  readDueReplacements,
  readDueScheduled,
  readDueEnds,
} from './due-work-queries.ts'
import { type BenefitKey, lockFamilies } from './family-queries.ts'
import { activated, deactivated } from './benefit-events.ts'
import { moveEnrollments } from './transition.ts'

const batchSize = 500
const clock = { kind: 'clock', id: null, origin: null } as const

/**
 * Applies what is due in Sao Paulo today or earlier: scheduled enrollments, plan and company changes, ends of benefits, overdue invoices.
 * Processes may run it concurrently: row locks make each change happen once.
 */
export async function processDueWork(context: Context, signal: AbortSignal): Promise<void> {
  const today = context.today()
  const { database } = context
  await inBatches(signal, () => startScheduled(context, today))
  await inBatches(signal, () => applyDueTransfers(context, today))
  await inBatches(signal, () => endDueBenefits(database, today))
  await writeOverdueEvents(database, today, signal)
}

async function inBatches(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await step()) === batchSize);
}

function byCompany<Row extends BenefitKey>(rows: readonly Row[]): Map<string, string[]> {
  const groups = Map.groupBy(rows, (row) => row.companyId)
  return new Map([...groups].map(([companyId, group]) => [companyId, group.map((row) => row.id)]))
}

async function startScheduled(context: Context, today: LocalDate): Promise<number> {
  const { database } = context
  const due = await readDueScheduled(database, today, batchSize)
  for (const [companyId, ids] of byCompany(due)) {
    await database.transaction((sql) =>
      moveEnrollments(sql, companyId, ids, { status: 'created', reason: null }, clock, context),
    )
  }
  return due.length
}

/** Replaces the benefits of due plan and company changes. */
async function applyDueTransfers(context: Context, today: LocalDate): Promise<number> {
  const due = await readDueReplacements(context.database, today, batchSize)
  for (const [companyId, ids] of byCompany(due)) {
    await context.database.transactionRetryingUniqueViolation((sql) =>
      replaceBenefits(context, sql, companyId, ids, today),
    )
  }
  return due.length
}

async function replaceBenefits(
  { memberKey }: Context,
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: LocalDate,
): Promise<void> {
  await lockFamilies(sql, companyId, ids)
  const at = new Date()
  const primaries = await activateDuePrimaries(sql, companyId, ids, today, at)
  const primaryIds = primaries.map((benefit) => benefit.id)
  const started = [...primaries, ...(await activateDueDependents(sql, companyId, ids, primaryIds, at))]
  await writeEventsAndAudit(sql, companyId, at, started.map(activated))
  for (const [oldCompanyId, rows] of Map.groupBy(started, (row) => row.replacesCompanyId)) {
    const replaced = rows.map((row) => row.replacesId)
    const ended = await deactivateDue(sql, oldCompanyId, replaced, today, at)
    ended.push(...(await endReplaced(sql, oldCompanyId, replaced, at)))
    await writeEventsAndAudit(sql, oldCompanyId, at, ended.map(deactivated))
  }
  const late = await readLateDependents(sql, companyId, primaryIds)
  for (const [oldCompanyId, transferred] of Map.groupBy(late, (benefit) => benefit.companyId)) {
    const events = await transferBenefits({ sql, companyId: oldCompanyId, at, today, memberKey }, transferred)
    for (const [id, ownEvents] of events) await writeEventsAndAudit(sql, id, at, ownEvents)
  }
}

async function endDueBenefits(database: Database, today: LocalDate): Promise<number> {
  const due = await readDueEnds(database, today, batchSize)
  for (const [companyId, ids] of byCompany(due)) {
    await database.transaction(async (sql) => {
      await lockFamilies(sql, companyId, ids)
      const at = new Date()
      const late = await endLate({ sql, companyId, at, today }, ids)
      const ended = await deactivateDue(sql, companyId, ids, today, at)
      await writeEventsAndAudit(sql, companyId, at, [...late, ...ended.map(deactivated)])
    })
  }
  return due.length
}

async function writeEventsAndAudit(
  sql: Sql,
  companyId: string,
  at: Date,
  events: readonly DomainEvent[],
): Promise<void> {
  await writeEvents(sql, companyId, at, events)
  await writeAudit(
    sql,
    events.map(({ type, data }) => ({
      actor: 'clock',
      action: type,
      target: data['benefit-id'] ?? '',
      companyId,
      origin: null,
    })),
  )
}
