import { appendBlocks } from '#access/audit/append-block.ts'
import { analyzeGrownTables } from '#platform/core/analyze-tables.ts'
import { Lanes } from '#platform/core/lanes.ts'
import { runPeriodically } from '#platform/core/run-periodically.ts'
import { applyRetentionAtNight } from '#privacy/retention/run.ts'
import { executeApproved } from '#privacy/erasures/execute.ts'
import { deleteUnusedDocuments } from '#registry/documents/retention.ts'
import { type Context, traced } from '#platform/http/context.ts'
import { deleteOldKeys } from '#platform/http/idempotency/queries.ts'
import { deleteOldCounts } from '#platform/http/limits/rate-limit-queries.ts'
import { writeOverdueEvents } from '#money/invoices/overdue-events.ts'
import { deleteExpiredJobs } from '#movements/decide/job.ts'
import { applyDueContinuations } from '#movements/continue/due.ts'
import { reportAgeingOut } from '#movements/ageing-out/report.ts'
import { writeDeadlineEvents } from '#movements/transition/deadline-events.ts'
import { applyDueOutcomes } from '#movements/decide/sandbox-outcomes.ts'
import { type AppliedMovements, applyDueMovements } from '#movements/transition/due-work.ts'
import { retryWaiting } from '#exchange/shipments/acknowledge.ts'
import { expireInvitations } from '#movements/onboarding/invitations.ts'
import { readAnswerFiles } from '#exchange/shipments/answer-files.ts'
import { reportMissedCutOffs } from '#exchange/shipments/missed-cut-offs.ts'
import { deliverDue } from '#exchange/shipments/deliver.ts'
import { expireFiles } from '#privacy/subject-requests/file-queries.ts'
import type { TaskKind } from '#kernel/steps.ts'
import { type Attempts, counted, noted, uncounted } from '#platform/steps/attempts.ts'
import { deleteExpiredSessions } from '#access/sessions/queries.ts'

/* Everything that runs by the clock, of all features. Several processes may run it: row locks make each change happen once. */

const [second, hour] = [1_000, 3_600_000]

interface PeriodicTask {
  readonly kind: TaskKind
  readonly everyMs: number
  /** For the log. */
  readonly errorMessage: string
  /** @param lanes of this task: what it starts there goes on after the run. */
  readonly run: (context: Context, signal: AbortSignal, lanes: Lanes) => Promise<unknown>
}

const periodicTasks: readonly PeriodicTask[] = [
  {
    kind: 'task-due-work',
    everyMs: 5 * second,
    errorMessage: 'the work that is due could not be done',
    run: async (context, signal) => {
      await analyzeGrownTables(context.database)
      await traced(context, 'worker clock', () => processDueWork(context, signal, counted(context)))
    },
  },
  {
    kind: 'task-acceptances',
    everyMs: 5 * second,
    errorMessage: 'movements that a carrier accepted before their primaries could not be completed',
    run: (context, signal) =>
      traced(context, 'worker acknowledgements', () => retryWaiting(context, signal, counted(context))),
  },
  {
    kind: 'task-audit-chain',
    everyMs: second,
    errorMessage: 'the audit chain could not be extended',
    run: (context, signal) => appendBlocks(context, signal),
  },
  {
    kind: 'task-deliveries',
    everyMs: second,
    errorMessage: 'shipments could not be delivered',
    run: (context, signal, lanes) => deliverDue(context, signal, lanes),
  },
  {
    kind: 'task-answers',
    everyMs: 5 * second,
    errorMessage: 'the answers of carriers could not be read from their servers',
    run: (context, signal, lanes) => traced(context, 'worker answers', () => readAnswerFiles(context, signal, lanes)),
  },
  {
    kind: 'task-ageing-out',
    everyMs: hour,
    errorMessage: 'the dependents who become too old could not be reported',
    run: (context, signal) =>
      traced(context, 'worker ageing', () => reportAgeingOut(context, signal, counted(context))),
  },
  {
    kind: 'task-cut-offs',
    everyMs: hour,
    errorMessage: 'movements that missed a cut-off could not be reported',
    run: (context, signal) =>
      traced(context, 'worker cut-offs', () => reportMissedCutOffs(context, context.today(), signal)),
  },
  {
    kind: 'task-documents',
    everyMs: hour,
    errorMessage: 'unused documents could not be deleted',
    run: (context, signal) => traced(context, 'worker sweep', () => deleteUnusedDocuments(context, signal)),
  },
  {
    kind: 'task-invitations',
    everyMs: hour,
    errorMessage: 'onboarding invitations could not be ended',
    run: (context, signal) => traced(context, 'worker onboarding', () => expireInvitations(context, signal)),
  },
  {
    kind: 'task-idempotency-keys',
    everyMs: hour,
    errorMessage: 'old idempotency keys could not be deleted',
    run: async ({ database }) => {
      while ((await deleteOldKeys(database, maxKeysPerDelete)) > 0);
      await deleteOldCounts(database)
    },
  },
  {
    kind: 'task-decision-jobs',
    everyMs: hour,
    errorMessage: 'old jobs of decisions could not be deleted',
    run: ({ database }) => deleteExpiredJobs(database),
  },
  {
    kind: 'task-erasures',
    everyMs: 5 * second,
    errorMessage: 'erasures that were approved could not be done',
    run: (context, signal) => traced(context, 'worker erasures', () => executeApproved(context, signal)),
  },
  {
    kind: 'task-subject-files',
    everyMs: hour,
    errorMessage: 'expired copies of personal data could not be deleted',
    run: ({ database }) => expireFiles(database),
  },
  {
    kind: 'task-retention',
    everyMs: hour,
    errorMessage: 'what was kept for long enough could not be deleted',
    run: (context, signal) => traced(context, 'worker retention', () => applyRetentionAtNight(context, signal)),
  },
  {
    kind: 'task-sessions',
    everyMs: hour,
    errorMessage: 'expired sessions could not be deleted',
    run: ({ database, config }) => deleteExpiredSessions(database, config.sessionIdleMinutes),
  },
]

const maxKeysPerDelete = 1_000

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
  return { ...work, ageing: await reportAgeingOut(context, signal) }
}

/** Shipments that are delivered, or folders that are read, at once. */
const maxLanes = 16

/** Runs each task in a loop of its own until the signal: a file storage that is slow must not delay due work. */
export function runSchedule(context: Context, signal: AbortSignal): Promise<void>[] {
  return periodicTasks.map(async ({ kind, everyMs, errorMessage, run }) => {
    const lanes = new Lanes(maxLanes)
    const task = { errorMessage, intervalMs: everyMs }
    await runPeriodically(
      context,
      signal,
      task,
      noted(context, kind, () => run(context, signal, lanes)),
    )
    await lanes.ended()
  })
}
