import { isMarkedAsUntransferable, Worker } from 'node:worker_threads'
import { BatchShapeError } from './parse-and-judge.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'
import type { BatchFacts, BatchMovement } from './readers.ts'
import type { ThreadResponse, ThreadTask } from './worker-thread.ts'
import { threadEnvironment } from '../../platform/thread-environment.ts'

/** All threads are busy, or the one with the batch died. For a 503; a retry may succeed. */
export class BatchUnavailableError extends Error {
  override readonly name = 'BatchUnavailableError'
}

/** A batch that is open in a thread. */
export interface OpenThreadBatch {
  readonly summary: BatchSummary
  readonly finish: (facts: BatchFacts[BatchMovement], options: FinishOptions) => Promise<FinishedBatch>
  readonly close: () => void
}

interface Thread {
  worker: Worker
  /** Tasks without a response yet, by batch; a batch has one at most. */
  pending: Map<number, { resolve: (response: ThreadResponse) => void; reject: (error: Error) => void }>
  /** Batches opened here, neither finished nor closed. */
  open: Set<number>
  isDead: boolean
  /** Ends the thread; set while it is idle. */
  idleTimer: NodeJS.Timeout | undefined
}

interface Waiting {
  body: Buffer
  movement: BatchMovement
  resolve: (batch: OpenThreadBatch) => void
  reject: (error: Error) => void
}

// Two would overlap parsing with waiting for the database, and take a third more memory.
const MAX_OPEN_PER_THREAD = 1
const MAX_WAITING = 32
const MAX_WAITING_BYTES = 128 * 1024 * 1024
// The largest body that parseJson accepts needs a fraction of this.
const MAX_HEAP_PER_THREAD_MIB = 1024
// With the default a batch takes a quarter more memory before garbage collection.
const MAX_YOUNG_HEAP_MIB = 8
/** An idle thread keeps the memory of the largest batch that it had. */
const END_IDLE_AFTER_MS = 10_000

/**
 * Threads that parse and judge large batches, so that the event loop is not blocked. They start when first needed, end when idle, and do not
 * keep the process alive while idle. A batch stays in the thread that opened it. When a thread dies, its batches fail, and the next batch
 * starts another.
 */
export class BatchThreads {
  readonly #maxThreads: number
  readonly #endIdleAfterMs: number
  readonly #threads: Thread[] = []
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #lastBatch = 0

  constructor(maxThreads: number, endIdleAfterMs = END_IDLE_AFTER_MS) {
    this.#maxThreads = maxThreads
    this.#endIdleAfterMs = endIdleAfterMs
  }

  /** How many threads are running. */
  get size(): number {
    return this.#threads.length
  }

  /**
   * Opens a batch in a thread. The body's memory is transferred: the caller must not read the body afterwards.
   * @throws BatchShapeError, or BatchUnavailableError when 32 bodies or 128 MiB are waiting already.
   */
  open(body: Buffer, movement: BatchMovement = 'inclusion'): Promise<OpenThreadBatch> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING || this.#waitingBytes + body.length > MAX_WAITING_BYTES) {
        reject(new BatchUnavailableError('too many batches are waiting'))
        return
      }
      this.#waiting.push({ body, movement, resolve, reject })
      this.#waitingBytes += body.length
      this.#assign()
    })
  }

  /** Ends all threads; open and waiting batches are rejected with BatchUnavailableError. Later batches start new threads. */
  async stop(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    for (const { reject } of waiting) reject(new BatchUnavailableError('the service is stopping'))
    await Promise.all(this.#threads.map((thread) => thread.worker.terminate()))
  }

  #assign(): void {
    for (;;) {
      const thread = this.#waiting.length > 0 ? this.#leastBusy() : null
      const next = thread === null ? undefined : this.#waiting.shift()
      if (thread === null || next === undefined) return
      this.#waitingBytes -= next.body.length
      this.#openIn(thread, next).then(next.resolve, next.reject)
    }
  }

  #leastBusy(): Thread | null {
    let best: Thread | null = null
    for (const thread of this.#threads) if (best === null || thread.open.size < best.open.size) best = thread
    if ((best === null || best.open.size > 0) && this.#threads.length < this.#maxThreads) return this.#start()
    return best !== null && best.open.size < MAX_OPEN_PER_THREAD ? best : null
  }

  #start(): Thread {
    const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      name: 'batch',
      execArgv: [],
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_PER_THREAD_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MIB },
    })
    const thread: Thread = { worker, pending: new Map(), open: new Set(), isDead: false, idleTimer: undefined }
    worker.unref()
    worker.on('message', (response: ThreadResponse) => {
      const task = thread.pending.get(response.batch)
      thread.pending.delete(response.batch)
      if (thread.pending.size === 0) worker.unref()
      task?.resolve(response)
    })
    worker.on('error', (cause) => this.#remove(thread, cause))
    worker.on('messageerror', (cause) => {
      this.#remove(thread, cause)
      void worker.terminate()
    })
    worker.on('exit', () => this.#remove(thread, null))
    this.#threads.push(thread)
    return thread
  }

  #remove(thread: Thread, cause: unknown): void {
    if (thread.isDead) return
    thread.isDead = true
    clearTimeout(thread.idleTimer)
    this.#threads.splice(this.#threads.indexOf(thread), 1)
    thread.open.clear()
    for (const { reject } of thread.pending.values()) {
      reject(new BatchUnavailableError('the thread of the batch died', { cause }))
    }
    thread.pending.clear()
    this.#assign()
  }

  async #openIn(thread: Thread, { body, movement }: Waiting): Promise<OpenThreadBatch> {
    const batch = (this.#lastBatch += 1)
    thread.open.add(batch)
    clearTimeout(thread.idleTimer)
    try {
      const memory = ownMemory(body)
      const response = await this.#send(thread, { kind: 'open', batch, movement, body: memory }, [memory])
      if ('details' in response) throw new BatchShapeError(response.details)
      if (!('opened' in response)) throw failureOf(response)
      return {
        summary: response.opened,
        finish: (facts, options) => this.#finish(thread, batch, facts, options),
        close: () => this.#close(thread, batch),
      }
    } catch (error) {
      this.#release(thread, batch)
      throw error
    }
  }

  async #finish(
    thread: Thread,
    batch: number,
    facts: BatchFacts[BatchMovement],
    options: FinishOptions,
  ): Promise<FinishedBatch> {
    if (thread.isDead) throw new BatchUnavailableError('the thread of the batch died')
    if (!thread.open.has(batch)) throw new Error('the batch is not open')
    try {
      const response = await this.#send(thread, { kind: 'finish', batch, facts, options }, [])
      if ('finished' in response) return response.finished
      throw failureOf(response)
    } finally {
      this.#release(thread, batch)
    }
  }

  #close(thread: Thread, batch: number): void {
    if (!thread.open.has(batch)) return
    thread.worker.postMessage({ kind: 'close', batch } satisfies ThreadTask, [])
    this.#release(thread, batch)
  }

  #send(thread: Thread, task: ThreadTask, transfer: ArrayBuffer[]): Promise<ThreadResponse> {
    return new Promise((resolve, reject) => {
      thread.worker.postMessage(task, transfer)
      thread.pending.set(task.batch, { resolve, reject })
      thread.worker.ref()
    })
  }

  #release(thread: Thread, batch: number): void {
    if (!thread.open.delete(batch)) return
    this.#assign()
    if (thread.open.size > 0 || thread.isDead) return
    thread.idleTimer = setTimeout(() => void thread.worker.terminate(), this.#endIdleAfterMs).unref()
  }
}

function failureOf(response: ThreadResponse): Error {
  return new Error(`a batch failed in its thread: ${'failure' in response ? response.failure : 'unexpected response'}`)
}

// The body's ArrayBuffer if it contains nothing else, else a copy.
function ownMemory(body: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = body
  const isAlone = byteOffset === 0 && byteLength === buffer.byteLength
  if (isAlone && buffer instanceof ArrayBuffer && !isMarkedAsUntransferable(buffer)) return buffer
  return Uint8Array.prototype.slice.call(body).buffer
}
