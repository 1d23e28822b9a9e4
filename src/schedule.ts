import { appendBlocks } from './audit/append-block.ts'
import { analyzeGrownTables } from './core/analyze-tables.ts'
import { runPeriodically } from './core/run-periodically.ts'
import { applyRetentionAtNight } from './retention/run.ts'
import { executeApproved } from './erasures/execute.ts'
import { deleteUnusedDocuments } from './documents/retention.ts'
import { type Context, traced } from './http/context.ts'
import { deleteOldKeys } from './http/idempotency/queries.ts'
import { deleteOldCounts } from './http/limits/rate-limit-queries.ts'
import { writeOverdueEvents } from './invoices/overdue-events.ts'
import { deleteExpiredJobs } from './movements/decide/job.ts'
import { applyDueContinuations } from './movements/continuations/due.ts'
import { reportAgeingOut } from './movements/ageing-out/report.ts'
import { writeDeadlineEvents } from './movements/transition/deadline-events.ts'
import { applyDueOutcomes } from './movements/decide/sandbox-outcomes.ts'
import { type AppliedMovements, applyDueMovements } from './movements/transition/due-work.ts'
import { retryWaiting } from './shipments/acknowledge.ts'
import { expireInvitations } from './onboarding/invitations.ts'
import { readAnswerFiles } from './shipments/answer-files.ts'
import { reportMissedCutOffs } from './shipments/missed-cut-offs.ts'
import { deliverDue } from './shipments/deliver.ts'
import { expireFiles } from './subject-requests/file-queries.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'

/* Everything that runs by the clock, of all features. Several processes may run it: row locks make each change happen once. */

const [second, hour] = [1_000, 3_600_000]

interface PeriodicTask {
  readonly everyMs: number
  /** For the log. */
  readonly errorMessage: string
  readonly run: (context: Context, signal: AbortSignal) => Promise<unknown>
}

const periodicTasks: readonly PeriodicTask[] = [
  {
    everyMs: 5 * second,
    errorMessage: 'the work that is due could not be done',
    run: async (context, signal) => {
      await analyzeGrownTables(context.database)
      await traced(context, 'worker clock', () => processDueWork(context, signal))
    },
  },
  {
    everyMs: 5 * second,
    errorMessage: 'movements that a carrier accepted before their primaries could not be completed',
    run: (context, signal) => traced(context, 'worker acknowledgements', () => retryWaiting(context, signal)),
  },
  {
    everyMs: second,
    errorMessage: 'the audit chain could not be extended',
    run: (context, signal) => appendBlocks(context, signal),
  },
  {
    everyMs: second,
    errorMessage: 'shipments could not be delivered',
    run: (context, signal) => deliverDue(context, signal),
  },
  {
    everyMs: 5 * second,
    errorMessage: 'the answers of carriers could not be read from their servers',
    run: (context, signal) => traced(context, 'worker answers', () => readAnswerFiles(context, signal)),
  },
  {
    everyMs: hour,
    errorMessage: 'the dependents who become too old could not be reported',
    run: (context, signal) => traced(context, 'worker ageing', () => reportAgeingOut(context, signal)),
  },
  {
    everyMs: hour,
    errorMessage: 'movements that missed a cut-off could not be reported',
    run: (context, signal) =>
      traced(context, 'worker cut-offs', () => reportMissedCutOffs(context, context.today(), signal)),
  },
  {
    everyMs: hour,
    errorMessage: 'unused documents could not be deleted',
    run: (context, signal) => traced(context, 'worker sweep', () => deleteUnusedDocuments(context, signal)),
  },
  {
    everyMs: hour,
    errorMessage: 'onboarding invitations could not be ended',
    run: (context, signal) => traced(context, 'worker onboarding', () => expireInvitations(context, signal)),
  },
  {
    everyMs: hour,
    errorMessage: 'old idempotency keys could not be deleted',
    run: async ({ database }) => {
      while ((await deleteOldKeys(database, maxKeysPerDelete)) > 0);
      await deleteOldCounts(database)
    },
  },
  {
    everyMs: hour,
    errorMessage: 'old jobs of decisions could not be deleted',
    run: ({ database }) => deleteExpiredJobs(database),
  },
  {
    everyMs: 5 * second,
    errorMessage: 'erasures that were approved could not be done',
    run: (context, signal) => traced(context, 'worker erasures', () => executeApproved(context, signal)),
  },
  {
    everyMs: hour,
    errorMessage: 'expired copies of personal data could not be deleted',
    run: ({ database }) => expireFiles(database),
  },
  {
    everyMs: hour,
    errorMessage: 'what was kept for long enough could not be deleted',
    run: (context, signal) => traced(context, 'worker retention', () => applyRetentionAtNight(context, signal)),
  },
  {
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
export async function processDueWork(context: Context, signal: AbortSignal): Promise<AppliedWork> {
  const today = context.today()
  const movements = await applyDueMovements(context, today, signal)
  const outcomes = await applyDueOutcomes(context, today, signal)
  const continuations = await applyDueContinuations(context, today, signal)
  const deadlines = await writeDeadlineEvents(context, today, signal)
  const overdueInvoices = await writeOverdueEvents(context.database, today, signal)
  return { ...movements, outcomes, continuations, deadlines, overdueInvoices }
}

/** What is due on the business day, and what is done once a day. */
export async function processDay(context: Context, signal: AbortSignal): Promise<AppliedWork & { ageing: number }> {
  const work = await processDueWork(context, signal)
  await reportMissedCutOffs(context, context.today(), signal)
  return { ...work, ageing: await reportAgeingOut(context, signal) }
}

/** Runs each task in a loop of its own until the signal: a file storage that is slow must not delay due work. */
export function runSchedule(context: Context, signal: AbortSignal): Promise<void>[] {
  return periodicTasks.map(({ everyMs, errorMessage, run }) =>
    runPeriodically(context, signal, { errorMessage, intervalMs: everyMs }, () => run(context, signal)),
  )
}
