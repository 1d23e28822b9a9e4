import { setTimeout as pause } from 'node:timers/promises'
import { logUnlessAway } from './database-errors.ts'
import type { Log } from './log.ts'

export interface PeriodicTask {
  /** Logged when a run fails, except while the database is unavailable. */
  readonly errorMessage: string
  /** From the end of a run to the next; 0 for a function that waits by itself. */
  readonly intervalMs: number
  /** The same after a run that failed; `intervalMs` by default. */
  readonly retryMs?: number
}

/** Runs the function periodically until aborted, whether or not runs fail. */
export async function runPeriodically(
  { log }: { readonly log: Log },
  signal: AbortSignal,
  { errorMessage, intervalMs, retryMs = intervalMs }: PeriodicTask,
  run: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = intervalMs
    try {
      await run()
    } catch (error) {
      logUnlessAway(log, error, errorMessage)
      waitMs = retryMs
    }
    if (waitMs > 0) await pauseUnlessAborted(signal, waitMs)
  }
}

/** Waits, or returns early when aborted. */
export async function pauseUnlessAborted(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}
