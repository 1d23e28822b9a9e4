import {
  type ContinuationChange,
  readSettingsOfBenefits,
  termColumns,
  termUnder,
  updateContinuations,
} from '#coverage/continuations/write.ts'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { ContinuationStatus } from '#coverage/rules/continuation.ts'
import type { Context } from '#platform/http/context.ts'
import { reportEndings } from '../draft-exclusions/draft-exclusion.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'
import { lockFamilies } from '../transition/families.ts'
import { insertContinuationDrafts } from './drafts.ts'
import {
  type DueContinuation,
  type DueWhat,
  lockDueContinuations,
  moveContinuation,
  readDueContinuations,
  readLastExclusions,
  readReplacedContinuations,
} from './due-queries.ts'
import { readFamilies } from './queries.ts'

const clock = { kind: 'clock' } as const
const kind = 'continuations'
const open: readonly ContinuationStatus[] = ['notice-pending', 'offered', 'accepted', 'active']

type Apply = (tx: Tx, companyId: string, due: readonly DueContinuation[], today: LocalDate) => Promise<void>

/** What the clock does, in this order. */
const steps: Readonly<Record<DueWhat, Apply>> = {
  closed: close,
  expired: expire,
  activated: activate,
  ending: report,
  ended: end,
}

/**
 * Does what is due on the day or earlier for continuations: they follow a benefit that was replaced, close with one that has ended, expire
 * without an answer, start, are reported before their end, and end. Processes may run it at once: each change happens once. @returns how many changed.
 */
export async function applyDueContinuations(
  context: Context,
  today: LocalDate,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<number> {
  let applied = await followReplaced(context, signal, attempts)
  for (const [what, apply] of Object.entries(steps) as [DueWhat, Apply][]) {
    let isFull = true
    while (isFull && !signal.aborted) {
      const due = await readDueContinuations(context.database, what, today, CHUNK_SIZE, await attempts.waiting(kind))
      let changed = 0
      for (const [companyId, rows] of Map.groupBy(due, (row) => row.companyId)) {
        const work = async (tx: Tx) => {
          await lockFamilies(
            tx,
            companyId,
            rows.map(({ benefitId }) => benefitId),
          )
          const ids = rows.map(({ id }) => id)
          const locked = await lockDueContinuations(tx, what, today, companyId, ids)
          if (locked.length > 0) await apply(tx, companyId, locked, today)
          return locked.length
        }
        const done = await attempts.run({ kind, targetId: companyId, companyId }, () =>
          write(context, clock, { may: 'service' }, work),
        )
        changed += done ?? 0
      }
      applied += changed
      isFull = due.length === CHUNK_SIZE && changed > 0
    }
  }
  return applied
}

async function followReplaced(context: Context, signal: AbortSignal, attempts: Attempts): Promise<number> {
  let moved = 0
  let isFull = true
  while (isFull && !signal.aborted) {
    const replaced = await readReplacedContinuations(context.database, CHUNK_SIZE, await attempts.waiting(kind))
    for (const benefit of replaced) {
      const { companyId } = benefit
      const isMoved = await attempts.run({ kind, targetId: companyId, companyId }, () =>
        write(context, clock, { may: 'service' }, (tx) => moveContinuation(tx, benefit, tx.at())),
      )
      if (isMoved === true) moved += 1
    }
    isFull = replaced.length === CHUNK_SIZE
  }
  return moved
}

async function change(
  tx: Tx,
  companyId: string,
  changes: readonly ContinuationChange[],
  actionOf: (status: ContinuationStatus) => AuditAction,
): Promise<void> {
  await updateContinuations(tx, companyId, changes, open, tx.at())
  tx.audit(changes.map(({ id: target, status }) => ({ action: actionOf(status), target, companyId })))
}

/** The benefit has ended: by a confirmed draft, an exclusion, an import, or an operator. */
async function close(tx: Tx, companyId: string, due: readonly DueContinuation[]): Promise<void> {
  const last = await readLastExclusions(
    tx,
    companyId,
    due.map(({ benefitId }) => benefitId),
  )
  const changes = due.map(({ id, benefitId, termEnd, endDate: ended }): ContinuationChange => {
    const endDate = required(ended, 'end')
    const exclusion = last.get(benefitId)
    if (exclusion?.option === 'declined') return { id, status: 'declined' }
    const isTerm = termEnd !== null && endDate >= termEnd
    const endReason = isTerm ? 'term' : exclusion?.reason === 'death' ? 'death-of-all' : 'request'
    return { id, status: 'ended', endDate, endReason }
  })
  await change(tx, companyId, changes, (status) =>
    status === 'declined' ? 'continuation.declined' : 'continuation.ended',
  )
}

/** No one answered in time: an ordinary exclusion is proposed. */
async function expire(tx: Tx, companyId: string, due: readonly DueContinuation[]): Promise<void> {
  const changes = due.map(({ id }) => ({ id, status: 'expired' }) as const)
  await change(tx, companyId, changes, () => 'continuation.expired')
  const endings = due.map((continuation) => ({
    ...continuation,
    endDate: required(continuation.optionUntil, 'last day to answer'),
  }))
  await insertContinuationDrafts(tx, companyId, endings)
}

/** The term starts. One that a setting was missing for is calculated now. */
async function activate(tx: Tx, companyId: string, due: readonly DueContinuation[]): Promise<void> {
  const settings = await readSettingsOfBenefits(
    tx,
    companyId,
    due.map(({ benefitId }) => benefitId),
  )
  const changes = due.flatMap((continuation): ContinuationChange[] => {
    const { id, benefitId } = continuation
    if (continuation.hasTerm) return [{ id, status: 'active' }]
    const term = termColumns(termUnder(settings.get(benefitId), continuation))
    return term.months === null && !term.withoutEnd ? [] : [{ id, status: 'active', ...term }]
  })
  await change(tx, companyId, changes, () => 'continuation.activated')
}

/** 60 days before the end. */
async function report(tx: Tx, companyId: string, due: readonly DueContinuation[]): Promise<void> {
  const ends = new Map(due.map(({ benefitId, termEnd }) => [benefitId, required(termEnd, 'end of the term')]))
  const family = await readFamilies(tx, companyId, [...ends.keys()])
  await reportEndings(
    tx,
    companyId,
    family.map((benefit) => ({
      benefitId: benefit.id,
      memberId: benefit.memberId,
      cause: 'continuation',
      endDate: required(ends.get(benefit.primaryBenefitId), 'continuation of the family'),
    })),
  )
}

/** On the last day the exclusion is proposed; on the day after the right has ended. */
async function end(tx: Tx, companyId: string, due: readonly DueContinuation[], today: LocalDate): Promise<void> {
  const endings = due.map((continuation) => ({
    ...continuation,
    endDate: required(continuation.termEnd, 'end of the term'),
  }))
  await insertContinuationDrafts(tx, companyId, endings)
  const over = endings.filter(({ endDate }) => endDate < today)
  const changes = over.map(({ id, endDate }) => ({ id, status: 'ended', endDate, endReason: 'term' }) as const)
  await change(tx, companyId, changes, () => 'continuation.ended')
}
