import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { BenefitEvent } from '#platform/core/events.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Context } from '#platform/http/context.ts'
import { endLate, transferBenefits } from './transfer-effects.ts'
import { readLateDependents } from './transfer-queries.ts'
import { activateDueDependents, activateDuePrimaries, deactivateDue, endReplaced, readDue } from './due-work-queries.ts'
import { closeMovementsOfEnded } from './close-ended.ts'
import { lockFamilies } from './families.ts'
import { activated, deactivated } from '#platform/core/events.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'
import { transitionAll } from './transition.ts'
import type { CompanyWrite, TransferContext, TransitionContext } from './types.ts'

const clock = { kind: 'clock' } as const

const kindOf = { enrollments: 'scheduled-movements', replacements: 'plan-changes', ends: 'benefit-ends' } as const

/** How many of each were applied. */
export interface AppliedMovements {
  readonly scheduled: number
  readonly replaced: number
  readonly ended: number
}

/**
 * Applies what is due today or earlier: scheduled enrollments, plan and company changes, ends of benefits. Processes may run it concurrently:
 * row locks make each change happen once.
 */
export async function applyDueMovements(
  context: Context,
  today: LocalDate,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<AppliedMovements> {
  const { database, memberKey } = context
  const applyDue = async (what: 'enrollments' | 'replacements' | 'ends', apply: ApplyDue) => {
    let applied = 0
    let isFull = true
    while (isFull && !signal.aborted) {
      const due = await readDue(database, what, today, CHUNK_SIZE, await attempts.waiting(kindOf[what]))
      for (const [companyId, rows] of Map.groupBy(due, (row) => row.companyId)) {
        const ids = rows.map((row) => row.id)
        const done = await attempts.run({ kind: kindOf[what], targetId: companyId, companyId }, () =>
          write(context, clock, { may: 'service', retriesUniqueViolation: true }, (tx) => apply(tx, companyId, ids)),
        )
        applied += done ?? 0
      }
      isFull = due.length === CHUNK_SIZE
    }
    return applied
  }
  const scheduled = await applyDue('enrollments', async (sql, companyId, ids) => {
    const results = await transitionAll(sql, companyId, ids, { status: 'created', reason: null }, context)
    return [...results.values()].filter(({ accepted }) => accepted).length
  })
  const replaced = await applyDue('replacements', async (sql, companyId, ids) => {
    await lockFamilies(sql, companyId, ids)
    return replaceBenefits(context, { sql, companyId, at: sql.at(), today, memberKey }, ids)
  })
  const ended = await applyDue('ends', async (sql, companyId, ids) => {
    await lockFamilies(sql, companyId, ids)
    return endBenefits(context, { sql, companyId, at: sql.at(), today, memberKey }, ids)
  })
  return { scheduled, replaced, ended }
}

/** @returns how many were applied. */
type ApplyDue = (tx: Tx, companyId: string, ids: readonly string[]) => Promise<number>

/** Replaces the benefits of due plan and company changes. @returns how many. */
async function replaceBenefits(
  transitions: TransitionContext,
  context: TransferContext,
  ids: readonly string[],
): Promise<number> {
  const primaries = await activateDuePrimaries(context, ids)
  const primaryIds = primaries.map((benefit) => benefit.id)
  const started = [...primaries, ...(await activateDueDependents(context, ids, primaryIds))]
  emitAndAudit(context, started.map(activated))
  for (const [companyId, rows] of Map.groupBy(started, (row) => row.replacesCompanyId)) {
    const replacedCompany = { ...context, companyId }
    const replaced = rows.map((row) => row.replacesId)
    const ended = [
      ...(await deactivateDue(replacedCompany, replaced)),
      ...(await endReplaced(replacedCompany, replaced)),
    ]
    await writeEnds(transitions, replacedCompany, ended.map(deactivated))
  }
  const late = await readLateDependents(context.sql, context.companyId, primaryIds)
  for (const [companyId, benefits] of Map.groupBy(late, (benefit) => benefit.companyId)) {
    const events = await transferBenefits({ ...context, companyId }, benefits)
    for (const [id, ownEvents] of events) emitAndAudit({ ...context, companyId: id }, ownEvents)
  }
  return started.length
}

/** @returns how many benefits have ended, with those that end with a primary's. */
async function endBenefits(
  transitions: TransitionContext,
  context: TransferContext,
  ids: readonly string[],
): Promise<number> {
  const late = await endLate(context, ids)
  const ended = await deactivateDue(context, ids)
  await writeEnds(transitions, context, [...late, ...ended.map(deactivated)])
  return ended.length
}

/** Writes the events and audit of benefits that have ended, and closes their movements that can have no effect any more. */
async function writeEnds(
  transitions: TransitionContext,
  own: CompanyWrite,
  events: readonly BenefitEvent[],
): Promise<void> {
  emitAndAudit(own, events)
  const ids = events.map(({ data }) => data['benefit-id'])
  await closeMovementsOfEnded(own.sql, own.companyId, ids, transitions)
}

function emitAndAudit({ sql, companyId }: CompanyWrite, events: readonly BenefitEvent[]): void {
  sql.emit(companyId, events)
  sql.audit(events.map(({ type, data }) => ({ action: type, target: data['benefit-id'], companyId })))
}
