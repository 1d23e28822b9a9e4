import { useSyncExternalStore } from 'react'
import type { DecisionJob } from '@vigencia/client'

/** Decisions of this page that wait, and can be undone until then. */
export interface HeldDecisions {
  readonly job: DecisionJob
  /** What was decided: of one movement with its name. */
  readonly text: string
  readonly count: number
}

let held: readonly HeldDecisions[] = []
const listeners = new Set<() => void>()

function set(next: readonly HeldDecisions[]): void {
  held = next
  for (const listener of listeners) listener()
}

/** How long decisions of a job wait. */
export const holdMs = ({ 'undo-until': until, 'created-at': createdAt }: DecisionJob) =>
  Date.parse(until ?? createdAt) - Date.parse(createdAt)

/** @param sentAt of `Date.now()`, before the decisions were sent: by the clock of this browser they can be undone at least so long. */
export function addHeld(decisions: HeldDecisions, sentAt: number): void {
  set([...held, decisions])
  setTimeout(() => removeHeld(decisions.job['job-id']), Math.max(0, sentAt + holdMs(decisions.job) - Date.now()))
}

const undone = new Set<string>()

/** Removes decisions that were undone. */
export function removeUndone(jobId: string): void {
  undone.add(jobId)
  removeHeld(jobId)
}

/** Removes decisions that cannot be undone any more. */
export function removeHeld(jobId: string): void {
  if (held.some(({ job }) => job['job-id'] === jobId)) set(held.filter(({ job }) => job['job-id'] !== jobId))
}

/** Whether the decisions of a job were undone on this page. */
export function useIsUndone(jobId: string): boolean {
  useHeldDecisions()
  return undone.has(jobId)
}

/** Those that can still be undone, the newest last. */
export function useHeldDecisions(): readonly HeldDecisions[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => held,
  )
}
