import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { preferenceOf } from './prefer.ts'

const maxWaitSeconds = 60
/** Between two looks. */
const [firstPauseMs, maxPauseMs] = [10, 250]

/** The seconds of `Prefer: wait=N`, at most 60; 0 without. */
export function waitOf({ headers }: Pick<FastifyRequest, 'headers'>): number {
  const wait = preferenceOf(headers, 'wait') ?? ''
  return /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), maxWaitSeconds) : 0
}

/**
 * Waits until work has ended.
 * @param hasEnded null: it never will.
 * @param isOver no caller waits any more.
 * @returns false when it has not after these seconds.
 */
export async function waitFor(
  seconds: number,
  isOver: () => boolean,
  hasEnded: () => Promise<boolean | null>,
): Promise<boolean> {
  const end = performance.now() + seconds * 1_000
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const ended = await hasEnded()
    if (ended === true) return true
    const leftMs = end - performance.now()
    if (ended === null || leftMs <= 0 || isOver()) return false
    await pause(Math.min(pauseMs, leftMs))
  }
}
