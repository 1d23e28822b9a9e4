import type { MovementKind } from '#kernel/enums.ts'
import { isMarkedAsUntransferable } from 'node:worker_threads'
import {
  NoThreadError,
  openThreadSession,
  openThreads,
  type Threads,
  ThreadTimeoutError,
} from '#platform/core/threads.ts'
import { BatchShapeError } from './parse-and-judge.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'
import type { BatchFacts } from './readers.ts'
import type { ReadOptions } from './read-options.ts'
import type { ThreadResponse, ThreadRequest } from './worker-thread.ts'

/** All threads are busy, or the one with the batch died. For a 503; a retry may succeed. */
export class BatchUnavailableError extends Error {
  override readonly name = 'BatchUnavailableError'
}

/** A batch that is open in a thread. */
interface OpenThreadBatch {
  readonly summary: BatchSummary
  readonly finish: (facts: BatchFacts[MovementKind], options: FinishOptions) => Promise<FinishedBatch>
  readonly close: () => void
}

const maxWaiting = 32
const maxMs = 60_000
// The largest body that parseJson accepts needs a fraction of this.
const heapMiB = 1024

/**
 * Threads that parse and judge large batches, so that the event loop is not blocked. A batch stays in the thread that opened it, which has no
 * other: two would overlap parsing with waiting for the database, and take a third more memory.
 */
export class BatchThreads {
  readonly #max: number
  readonly #endIdleAfterMs: number | undefined
  #threads: Threads | null = null

  constructor(max: number, endIdleAfterMs?: number) {
    this.#max = max
    this.#endIdleAfterMs = endIdleAfterMs
  }

  /** How many threads are running. */
  get size(): number {
    return this.#threads?.size ?? 0
  }

  /**
   * Opens a batch in a thread. The body's memory is transferred: the caller must not read the body afterwards.
   * @throws BatchShapeError, or BatchUnavailableError when 32 bodies are waiting already.
   */
  async open(body: Buffer, movement: MovementKind = 'inclusion', options: ReadOptions = {}): Promise<OpenThreadBatch> {
    const session = openThreadSession<ThreadRequest, ThreadResponse>((this.#threads ??= this.#start()))
    const send = (request: ThreadRequest, transfer: ArrayBuffer[] = []) =>
      session.request(request, transfer).catch((cause: unknown) => {
        const isGone = cause instanceof NoThreadError || cause instanceof ThreadTimeoutError
        throw isGone ? new BatchUnavailableError(cause.message, { cause }) : cause
      })
    let isOpen = true
    const close = () => {
      isOpen = false
      session.end()
    }
    try {
      const memory = ownMemory(body)
      const opened = await send({ movement, body: memory, options }, [memory])
      if ('details' in opened) throw new BatchShapeError(opened.details)
      if (!('summary' in opened)) throw new Error('a batch failed in its thread')
      return {
        summary: opened.summary,
        finish: async (facts, options) => {
          if (!isOpen) throw new Error('the batch is not open')
          try {
            const response = await send({ facts, options })
            if (!('finished' in response)) throw new Error('a batch failed in its thread')
            return response.finished
          } finally {
            close()
          }
        },
        close,
      }
    } catch (error) {
      close()
      throw error
    }
  }

  /** Ends all threads; open and waiting batches are rejected with BatchUnavailableError. Later batches start new threads. */
  async stop(): Promise<void> {
    const threads = this.#threads
    this.#threads = null
    await threads?.pool.destroy()
  }

  #start(): Threads {
    const file = new URL('./worker-thread.ts', import.meta.url)
    const idle = this.#endIdleAfterMs === undefined ? {} : { endIdleAfterMs: this.#endIdleAfterMs }
    return openThreads({ file, max: this.#max, maxMs, heapMiB, maxWaiting, ...idle })
  }
}

// The body's ArrayBuffer if it contains nothing else, else a copy.
function ownMemory(body: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = body
  const isAlone = byteOffset === 0 && byteLength === buffer.byteLength
  if (isAlone && buffer instanceof ArrayBuffer && !isMarkedAsUntransferable(buffer)) return buffer
  return Uint8Array.prototype.slice.call(body).buffer
}
