import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { completionFieldsOf } from '#coverage/rules/completion-fields.ts'
import { isPending, isTerminal } from '#coverage/rules/enrollment-status.ts'
import type { EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import { stepsTo } from '#kernel/sandbox.ts'
import type { Context } from '#platform/http/context.ts'
import type { Decision, PendingItem } from '../transition/types.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'
import { decideWithin } from './decide.ts'
import { readDueOutcomes, readDueOutcomesOf, type TakenOutcome, takeOutcomes } from './sandbox-outcome-queries.ts'

const resolution = { kind: 'resolution' } as const

/**
 * Applies the outcomes of the sandbox that are due today or earlier, of dependents after those of their primaries. Processes may run it
 * concurrently: each outcome is taken once.
 * @returns how many movements have theirs.
 */
export async function applyDueOutcomes(
  context: Context,
  today: LocalDate,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<number> {
  const kind = 'sandbox-outcomes'
  let applied = 0
  // Those that are read are deleted. Others may be due only then: those of dependents.
  while (!signal.aborted) {
    const due = await readDueOutcomes(context.database, today, CHUNK_SIZE, await attempts.waiting(kind))
    if (due.length === 0) break
    for (const [companyId, own] of Map.groupBy(due, (outcome) => outcome.companyId)) {
      const ids = own.map(({ id }) => id)
      const done = await attempts.run({ kind, targetId: companyId, companyId }, () =>
        write(context, { kind: 'service' }, { may: 'service' }, (tx) => applyOutcomes(tx, context, companyId, ids)),
      )
      applied += done ?? 0
    }
  }
  return applied
}

/** Applies those of movements that were accepted just now and are due today. */
export async function applyOutcomesAtOnce(
  tx: Tx,
  context: Context,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<void> {
  for (;;) {
    const ids = await readDueOutcomesOf(tx, context.today(), companyId, enrollmentIds)
    if (ids.length === 0) return
    await applyOutcomes(tx, context, companyId, ids)
  }
}

/** One that the movement cannot have any more is dropped. */
async function applyOutcomes(tx: Tx, context: Context, companyId: string, ids: readonly string[]): Promise<number> {
  const open = (await takeOutcomes(tx, companyId, ids)).filter(({ status }) => !isTerminal(status))
  const steps = new Map(open.map((outcome) => [outcome.id, stepsTo(outcome.outcome, outcome.status)]))
  const applied = new Set<string>()
  for (let step = 0; step < Math.max(0, ...[...steps.values()].map((all) => all.length)); step += 1) {
    const decisions = new Map<string, Decision>()
    for (const outcome of open) {
      const all = steps.get(outcome.id) ?? []
      const status = all[step]
      if (status !== undefined) decisions.set(outcome.id, decisionOf(outcome, status, step === all.length - 1))
    }
    const results = await decideWithin(tx, context, async () => tx.as(resolution), decisions)
    for (const [id, { accepted }] of results) if (accepted) applied.add(id)
  }
  return applied.size
}

/** What a movement of each kind is made to wait for. */
const wantedField: Readonly<Record<MovementKind, string>> = {
  inclusion: 'mothers-name',
  exclusion: 'end-date',
  alteration: 'requested-start-date',
}

function decisionOf(outcome: TakenOutcome, status: EnrollmentStatus, isLast: boolean): Decision {
  if (!isLast || outcome.outcome === 'no-answer') return { status, reason: null }
  const reason = outcome.reason ?? `Outcome of the sandbox: ${outcome.outcome}`
  if (status === 'rejected') return { status, reason }
  if (isPending(status)) return { status, reason, pendingItems: [pendingItem(outcome, reason)] }
  const takesCard = completionFieldsOf(outcome).includes('card-number')
  return { status, reason: null, cardNumber: takesCard ? outcome.cardNumber : null }
}

function pendingItem({ outcome, enrollmentType }: TakenOutcome, message: string): PendingItem {
  return outcome === 'pending-documents'
    ? { kind: 'document', 'document-type': 'identification-document-with-tax-id', message }
    : { kind: 'field', field: wantedField[enrollmentType], message }
}
