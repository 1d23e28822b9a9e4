import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from './database.ts'
import type { Log } from './log.ts'

export interface PeriodicTask {
  /** What is logged when a round fails; a database that is away is waited for in silence. */
  readonly fault: string
  /** Milliseconds from the end of a round to the next; 0 for a round that waits by itself. */
  readonly intervalMs: number
  /** The same after a round that failed; as long unless told. */
  readonly againMs?: number
}

/** Does the same again and again, whatever fails, until aborted. */
export async function runPeriodically(
  { log }: { readonly log: Log },
  signal: AbortSignal,
  { fault, intervalMs, againMs = intervalMs }: PeriodicTask,
  round: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = intervalMs
    try {
      await round()
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, fault)
      waitMs = againMs
    }
    if (waitMs > 0) await pauseUnlessAborted(signal, waitMs)
  }
}

/** Waits, at the latest until aborted. */
export async function pauseUnlessAborted(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}
