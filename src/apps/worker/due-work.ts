import { type Context } from '#platform/http/context.ts'
import { updateMoneyAtRisk } from '#money/at-risk/update.ts'
import { freezeDueForecasts } from '#money/forecasts/freeze.ts'
import { writeOverdueEvents } from '#money/invoices/overdue-events.ts'
import { applyDueContinuations } from '#movements/continue/due.ts'
import { reportAgeingOut } from '#movements/ageing-out/report.ts'
import { writeDeadlineEvents } from '#movements/transition/deadline-events.ts'
import { applyDueOutcomes } from '#movements/decide/sandbox-outcomes.ts'
import { type AppliedMovements, applyDueMovements } from '#movements/transition/due-work.ts'
import { reportMissedCutOffs } from '#exchange/shipments/missed-cut-offs.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'

/* What is due by the business day, of all districts, in this order. */

/** How many of each were applied. */
export interface AppliedWork extends AppliedMovements {
  readonly outcomes: number
  readonly continuations: number
  readonly deadlines: number
  readonly overdueInvoices: number
}

/**
 * Applies what is due on the business day or earlier: scheduled movements, plan and company changes, ends of benefits, outcomes of
 * the sandbox, continuations of plans, overdue invoices.
 */
export async function processDueWork(
  context: Context,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<AppliedWork> {
  const today = context.today()
  const movements = await applyDueMovements(context, today, signal, attempts)
  const outcomes = await applyDueOutcomes(context, today, signal, attempts)
  const continuations = await applyDueContinuations(context, today, signal, attempts)
  const deadlines = await writeDeadlineEvents(context, today, signal, attempts)
  const overdueInvoices = await writeOverdueEvents(context.database, today, signal, attempts)
  return { ...movements, outcomes, continuations, deadlines, overdueInvoices }
}

/** What is due on the business day, and what is done once a day. */
export async function processDay(context: Context, signal: AbortSignal): Promise<AppliedWork & { ageing: number }> {
  const work = await processDueWork(context, signal)
  await reportMissedCutOffs(context, context.today(), signal)
  await freezeDueForecasts(context, context.today(), signal)
  await updateMoneyAtRisk(context, context.today(), signal)
  return { ...work, ageing: await reportAgeingOut(context, signal) }
}
