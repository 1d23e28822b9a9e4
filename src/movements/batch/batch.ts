import type { MovementKind } from '#kernel/enums.ts'
import { availableParallelism } from 'node:os'
import { bodyLimits, type JsonLimits, TooManyValuesError } from '#platform/http/strict-json.ts'
import { BatchThreads } from './batch-threads.ts'
import { type BatchFacts, readers } from './readers.ts'
import type { ReadOptions } from './read-options.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'

/** A batch whose members were read and judged one by one, before the facts of its company are known. */
export interface OpenBatch<Movement extends MovementKind = 'inclusion'> extends BatchSummary {
  /** Judges the batch by the facts of its company and releases it; called once. */
  readonly finish: (facts: BatchFacts[Movement], options: FinishOptions) => Promise<FinishedBatch>
  /** Releases a batch that was not finished; may be called at any time, more than once. */
  readonly close: () => void
}

/** Bodies from this size on are parsed and judged in a thread: smaller ones take a few milliseconds. */
export const THREAD_FROM_BYTES = 128 * 1024

/** A smaller body with more values goes to a thread too. 128 KiB of usual members has 5,000. */
const inlineLimits: JsonLimits = { ...bodyLimits, values: 10_000, containers: 10_000 }

const threads = new BatchThreads(availableParallelism() > 2 ? 2 : 1)

/**
 * Parses the body of a batch. From 128 KiB or 10,000 values on the body's memory is transferred to a thread, and `body` is empty
 * afterwards.
 * @throws BatchShapeError for the 400s of the shape; BatchUnavailableError when too many batches are in progress or a thread died.
 */
export async function openBatch(body: Buffer): Promise<OpenBatch>
export async function openBatch<Movement extends MovementKind>(
  body: Buffer,
  movement: Movement,
  options?: ReadOptions,
): Promise<OpenBatch<Movement>>
export async function openBatch(
  body: Buffer,
  movement: MovementKind = 'inclusion',
  options: ReadOptions = {},
): Promise<OpenBatch<MovementKind>> {
  try {
    if (body.length < THREAD_FROM_BYTES) return openInline(body, { ...options, limits: inlineLimits }, movement)
  } catch (error) {
    if (!(error instanceof TooManyValuesError)) throw error
  }
  const { summary, finish, close } = await threads.open(body, movement, options)
  return { ...summary, finish, close }
}

/** Ends the threads; open batches are rejected with BatchUnavailableError, later ones start new threads. */
export async function stopBatchThreads(): Promise<void> {
  await threads.stop()
}

/** Parses a body of any size on the event loop. @throws BatchShapeError; under other limits TooManyValuesError. */
export function openInline(body: Buffer, options?: ReadOptions): OpenBatch
export function openInline<Movement extends MovementKind>(
  body: Buffer,
  options: ReadOptions,
  movement: Movement,
): OpenBatch<Movement>
export function openInline(
  body: Buffer,
  options: ReadOptions = {},
  movement: MovementKind = 'inclusion',
): OpenBatch<MovementKind> {
  const { summary, finish } = readers[movement](body, options)
  let isOpen = true
  return {
    ...summary,
    finish: (facts, finishing) => {
      if (!isOpen) return Promise.reject(new Error('the batch is not open'))
      isOpen = false
      return Promise.resolve(finish(facts as never, finishing))
    },
    close: () => {
      isOpen = false
    },
  }
}
