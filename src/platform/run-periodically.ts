import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from './database.ts'
import type { Log } from './log.ts'

export interface Rounds {
  /** What is logged when a round fails; a database that is away is waited for in silence. */
  readonly fault: string
  /** Milliseconds from the end of a round to the next; 0 for a round that waits by itself. */
  readonly restMs: number
  /** The same after a round that failed; as long unless told. */
  readonly againMs?: number
}

/** Does the same again and again, whatever fails, until aborted. */
export async function inRounds(
  { log }: { readonly log: Log },
  signal: AbortSignal,
  { fault, restMs, againMs = restMs }: Rounds,
  round: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = restMs
    try {
      await round()
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, fault)
      waitMs = againMs
    }
    if (waitMs > 0) await pauseUnless(signal, waitMs)
  }
}

/** Waits, at the latest until aborted. */
export async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}
