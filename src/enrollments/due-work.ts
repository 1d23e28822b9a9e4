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
  readBeginning,
  readDueScheduled,
  readEnding,
} from './due-work-queries.ts'
import { type BenefitKey, lockFamilies } from './family-queries.ts'
import { activated, deactivated } from './benefit-events.ts'
import { moveEnrollments } from './transition.ts'

const atOnce = 500
const clock = { kind: 'clock', id: null, origin: null } as const

/**
 * Moves what is scheduled and whose day has come in Sao Paulo, all the days that were missed included. Several processes may
 * do so at once: each thing moves once, because it moves from its locked row.
 */
export async function processDueWork(context: Context, signal: AbortSignal): Promise<void> {
  const today = context.today()
  const { database } = context
  await inBatches(signal, () => takeUpScheduled(context, today))
  await inBatches(signal, () => carryOutChanges(context, today))
  await inBatches(signal, () => endBenefits(database, today))
  await writeOverdueEvents(database, today, signal)
}

async function inBatches(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await step()) === atOnce);
}

function byCompany<Row extends BenefitKey>(rows: readonly Row[]): Map<string, string[]> {
  const groups = Map.groupBy(rows, (row) => row.companyId)
  return new Map([...groups].map(([companyId, some]) => [companyId, some.map((row) => row.id)]))
}

async function takeUpScheduled(context: Context, today: LocalDate): Promise<number> {
  const { database } = context
  const due = await readDueScheduled(database, today, atOnce)
  for (const [companyId, ids] of byCompany(due)) {
    await database.transaction((sql) =>
      moveEnrollments(sql, companyId, ids, { status: 'created', reason: null }, clock, context),
    )
  }
  return due.length
}

/** Puts the new benefits of plan and company changes in the place of the old ones, on their day, family by family. */
async function carryOutChanges(context: Context, today: LocalDate): Promise<number> {
  const due = await readBeginning(context.database, today, atOnce)
  for (const [companyId, ids] of byCompany(due)) {
    await context.database.transactionRetryingUniqueViolation((sql) => takePlaces(context, sql, companyId, ids, today))
  }
  return due.length
}

async function takePlaces(
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
  const begun = [...primaries, ...(await activateDueDependents(sql, companyId, ids, primaryIds, at))]
  await tell(sql, companyId, at, begun.map(activated))
  for (const [oldCompanyId, rows] of Map.groupBy(begun, (row) => row.replacesCompanyId)) {
    const replaced = rows.map((row) => row.replacesId)
    const ended = await deactivateDue(sql, oldCompanyId, replaced, today, at)
    ended.push(...(await endReplaced(sql, oldCompanyId, replaced, at)))
    await tell(sql, oldCompanyId, at, ended.map(deactivated))
  }
  const late = await readLateDependents(sql, companyId, primaryIds)
  for (const [oldCompanyId, transferred] of Map.groupBy(late, (transferredBenefit) => transferredBenefit.companyId)) {
    const events = await transferBenefits({ sql, companyId: oldCompanyId, at, today, memberKey }, transferred)
    for (const [home, some] of events) await tell(sql, home, at, some)
  }
}

/** Ends active benefits on their last day: an exclusion was approved ahead, or the carrier told the end. */
async function endBenefits(database: Database, today: LocalDate): Promise<number> {
  const due = await readEnding(database, today, atOnce)
  for (const [companyId, ids] of byCompany(due)) {
    await database.transaction(async (sql) => {
      await lockFamilies(sql, companyId, ids)
      const at = new Date()
      const late = await endLate({ sql, companyId, at, today }, ids)
      const ended = await deactivateDue(sql, companyId, ids, today, at)
      await tell(sql, companyId, at, [...late, ...ended.map(deactivated)])
    })
  }
  return due.length
}

async function tell(sql: Sql, companyId: string, at: Date, happenings: readonly DomainEvent[]): Promise<void> {
  await writeEvents(sql, companyId, at, happenings)
  await writeAudit(
    sql,
    happenings.map(({ type, data }) => ({
      actor: 'clock',
      action: type,
      target: data['benefit-id'] ?? '',
      companyId,
      origin: null,
    })),
  )
}
