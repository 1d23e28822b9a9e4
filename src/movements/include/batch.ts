import { availableParallelism } from 'node:os'
import { batchLimits, type JsonLimits, TooManyValuesError } from '../../http/strict-json.ts'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { BatchThreads, BatchUnavailableError } from './worker-pool.ts'
import { BatchShapeError, finishBody, prepareBody, readBody, summarise } from './parse-and-judge.ts'
import type { BatchIds, BatchSummary, FinishedBatch } from './parse-and-judge.ts'

// What a caller of openBatch has to do with.
export { BatchShapeError, BatchUnavailableError }
export type { BatchIds, FinishedBatch }

/** An inclusion request whose members were read and judged one by one; what is missing is the facts. */
export interface OpenBatch extends BatchSummary {
  /** To be called while the facts are asked: what needs none is made ready meanwhile. */
  readonly prepare: (memberKey: Uint8Array) => void
  /** Judges the batch by the facts of its company; once. Afterwards nothing of it is kept. */
  readonly finish: (facts: InclusionFacts, ids: BatchIds) => Promise<FinishedBatch>
  /** Lets go of a batch that was not finished; may be called at any time, more than once. */
  readonly close: () => void
}

/** Bodies from this size on are read and judged in a thread: smaller ones take a few tens of milliseconds at most, less than the way there and back. */
export const THREAD_FROM_BYTES = 1024 * 1024

/** A smaller body with more values goes to a thread too. 1 MiB of usual members has 40,000. */
const inlineLimits: JsonLimits = { values: 50_000, containers: 50_000 }

const threads = new BatchThreads(availableParallelism() > 2 ? 2 : 1)

/**
 * Reads the body of an inclusion request. From 1 MiB or 50,000 values on the body's memory goes to a thread: whatever else is to
 * be read from it (a hash, say) must have been read before. Rejects with BatchShapeError for the 400s of the shape, with
 * BatchUnavailableError when too many batches are under way or a thread died.
 */
export async function openBatch(body: Buffer): Promise<OpenBatch> {
  try {
    if (body.length < THREAD_FROM_BYTES) return openInline(body, inlineLimits)
  } catch (error) {
    if (!(error instanceof TooManyValuesError)) throw error
  }
  const { summary, prepare, finish, close } = await threads.open(body)
  return { ...summary, prepare, finish, close }
}

/** Ends the threads; open batches are rejected with BatchUnavailableError, later ones start new threads. */
export async function stopBatchThreads(): Promise<void> {
  await threads.stop()
}

/** Reads a body on the event loop, whatever its size. Throws BatchShapeError; under other limits TooManyValuesError. */
export function openInline(body: Buffer, limits: JsonLimits = batchLimits): OpenBatch {
  const read = readBody(body, limits)
  let isOpen = true
  return {
    ...summarise(read),
    prepare: (memberKey) => prepareBody(read, memberKey),
    finish: (facts, ids) => {
      if (!isOpen) return Promise.reject(new Error('the batch is not open'))
      isOpen = false
      return Promise.resolve(finishBody(read, facts, ids))
    },
    close: () => {
      isOpen = false
    },
  }
}
