import { writeAudit } from '../account/audit.ts'
import type { Database, Sql } from '../database.ts'
import { type Happening, writeEvents } from '../events/outbox.ts'
import type { LocalDate } from '../rules/calendar.ts'
import type { Service } from '../service.ts'
import { type BenefitKey, deactivateDue, readBeginning, readDueScheduled, readEnding, swap } from './clock-queries.ts'
import { deactivated } from './exclusion-effects.ts'
import { moveEnrollments } from './transition.ts'

const atOnce = 500
const clock = { kind: 'clock', id: null, origin: null } as const

/**
 * Moves what is scheduled and whose day has come in Sao Paulo, all the days that were missed included. Several processes may
 * do so at once: each thing moves once, because it moves from its locked row.
 */
export async function advanceClock(service: Service, signal: AbortSignal): Promise<void> {
  const today = service.today()
  const { database } = service
  await inBatches(signal, () => takeUpScheduled(database, today))
  await inBatches(signal, () => carryOutChanges(database, today))
  await inBatches(signal, () => endBenefits(database, today))
}

async function inBatches(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await step()) === atOnce);
}

function byCompany<Row extends BenefitKey>(rows: readonly Row[]): Map<string, string[]> {
  const groups = Map.groupBy(rows, (row) => row.companyId)
  return new Map([...groups].map(([companyId, some]) => [companyId, some.map((row) => row.id)]))
}

async function takeUpScheduled(database: Database, today: LocalDate): Promise<number> {
  const due = await readDueScheduled(database, today, atOnce)
  for (const [companyId, ids] of byCompany(due)) {
    await database.transaction((sql) =>
      moveEnrollments(sql, companyId, ids, { status: 'created', reason: null }, clock, today),
    )
  }
  return due.length
}

/** Puts the new benefits of plan and company changes in the place of the old ones, on their day. */
async function carryOutChanges(database: Database, today: LocalDate): Promise<number> {
  const due = await readBeginning(database, today, atOnce)
  for (const [companyId, ids] of byCompany(due)) {
    await database.transaction(async (sql) => {
      const at = new Date()
      const { ended, begun } = await swap(sql, companyId, ids, today, at)
      for (const [oldCompanyId, rows] of Map.groupBy(ended, (row) => row.companyId)) {
        await tell(sql, oldCompanyId, at, rows.map(deactivated))
      }
      const activated = begun.map(({ id, memberId }) => ({
        type: 'benefit.activated',
        data: { 'benefit-id': id, 'member-id': memberId, status: 'active' },
      }))
      await tell(sql, companyId, at, activated)
    })
  }
  return due.length
}

/** Ends active benefits on their last day: an exclusion was approved ahead, or the carrier told the end. */
async function endBenefits(database: Database, today: LocalDate): Promise<number> {
  const due = await readEnding(database, today, atOnce)
  for (const [companyId, ids] of byCompany(due)) {
    await database.transaction(async (sql) => {
      const at = new Date()
      const ended = await deactivateDue(sql, companyId, ids, today, at)
      await tell(sql, companyId, at, ended.map(deactivated))
    })
  }
  return due.length
}

async function tell(sql: Sql, companyId: string, at: Date, happenings: readonly Happening[]): Promise<void> {
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
