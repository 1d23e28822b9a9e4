import { isMarkedAsUntransferable, Worker } from 'node:worker_threads'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { BatchShapeError } from './parse-and-judge.ts'
import type { BatchIds, BatchSummary, FinishedBatch } from './parse-and-judge.ts'
import type { ThreadAnswer, ThreadTask } from './worker-thread.ts'

/** No thread could do the work: all are busy, or the one that held the batch died. For a 503; sending again may help. */
export class BatchUnavailableError extends Error {
  override readonly name = 'BatchUnavailableError'
}

/** A batch that a thread keeps open. */
export interface OpenThreadBatch {
  readonly summary: BatchSummary
  readonly prepare: (memberKey: Uint8Array) => void
  readonly finish: (facts: InclusionFacts, ids: BatchIds) => Promise<FinishedBatch>
  readonly close: () => void
}

interface Thread {
  worker: Worker
  /** By batch; a batch has one question open at most. */
  questions: Map<number, { resolve: (answer: ThreadAnswer) => void; reject: (error: Error) => void }>
  /** Batches opened here, neither finished nor closed. */
  held: Set<number>
  isDead: boolean
  /** Ends the thread; set while it has nothing to do. */
  idle: NodeJS.Timeout | undefined
}

interface Waiting {
  body: Buffer
  resolve: (batch: OpenThreadBatch) => void
  reject: (error: Error) => void
}

// Two would overlap their questions to the database, and take a third more memory.
const MAX_HELD_PER_THREAD = 1
const MAX_WAITING = 32
const MAX_WAITING_BYTES = 128 * 1024 * 1024
// The worst body that parseJson lets through takes a fraction of this.
const MAX_HEAP_PER_THREAD_MIB = 1024
// The usual one lets garbage of a batch pile up to a quarter more.
const MAX_YOUNG_HEAP_MIB = 8
/** An idle thread would keep the memory of the largest batch that it had. */
const END_IDLE_AFTER_MS = 10_000

/**
 * Threads that parse, check and judge large batches, so that the event loop does not stand still. Started when first
 * needed, ended when idle, and not holding the process up while idle. A batch stays in the thread that opened it. A thread that
 * dies fails what it was asked and what it held, and is replaced with the next batch.
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

  /** How many threads run. */
  get size(): number {
    return this.#threads.length
  }

  /**
   * Opens a batch in a thread. The body's memory goes with it: the caller must not read the body afterwards.
   * Rejects with BatchShapeError, or BatchUnavailableError when 32 bodies or 128 MiB are waiting already.
   */
  open(body: Buffer): Promise<OpenThreadBatch> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING || this.#waitingBytes + body.length > MAX_WAITING_BYTES) {
        reject(new BatchUnavailableError('too many batches are waiting'))
        return
      }
      this.#waiting.push({ body, resolve, reject })
      this.#waitingBytes += body.length
      this.#assign()
    })
  }

  /** Ends all threads; what is open or waiting is rejected with BatchUnavailableError. Later batches start new ones. */
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
      this.#openIn(thread, next.body).then(next.resolve, next.reject)
    }
  }

  #leastBusy(): Thread | null {
    let best: Thread | null = null
    for (const thread of this.#threads) if (best === null || thread.held.size < best.held.size) best = thread
    if ((best === null || best.held.size > 0) && this.#threads.length < this.#maxThreads) return this.#start()
    return best !== null && best.held.size < MAX_HELD_PER_THREAD ? best : null
  }

  #start(): Thread {
    const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      name: 'batch',
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_PER_THREAD_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MIB },
    })
    const thread: Thread = { worker, questions: new Map(), held: new Set(), isDead: false, idle: undefined }
    worker.unref()
    worker.on('message', (answer: ThreadAnswer) => {
      const question = thread.questions.get(answer.batch)
      thread.questions.delete(answer.batch)
      if (thread.questions.size === 0) worker.unref()
      question?.resolve(answer)
    })
    worker.on('error', (cause) => this.#bury(thread, cause))
    worker.on('messageerror', (cause) => {
      this.#bury(thread, cause)
      void worker.terminate()
    })
    worker.on('exit', () => this.#bury(thread, null))
    this.#threads.push(thread)
    return thread
  }

  #bury(thread: Thread, cause: unknown): void {
    if (thread.isDead) return
    thread.isDead = true
    clearTimeout(thread.idle)
    this.#threads.splice(this.#threads.indexOf(thread), 1)
    thread.held.clear()
    for (const { reject } of thread.questions.values()) {
      reject(new BatchUnavailableError('the thread of the batch died', { cause }))
    }
    thread.questions.clear()
    this.#assign()
  }

  async #openIn(thread: Thread, body: Buffer): Promise<OpenThreadBatch> {
    const batch = (this.#lastBatch += 1)
    thread.held.add(batch)
    clearTimeout(thread.idle)
    try {
      const memory = ownMemory(body)
      const answer = await this.#ask(thread, { kind: 'open', batch, body: memory }, [memory])
      if ('details' in answer) throw new BatchShapeError(answer.details)
      if (!('opened' in answer)) throw failureOf(answer)
      return {
        summary: answer.opened,
        prepare: (memberKey) => this.#prepare(thread, batch, memberKey),
        finish: (facts, ids) => this.#finish(thread, batch, facts, ids),
        close: () => this.#close(thread, batch),
      }
    } catch (error) {
      this.#release(thread, batch)
      throw error
    }
  }

  async #finish(thread: Thread, batch: number, facts: InclusionFacts, ids: BatchIds): Promise<FinishedBatch> {
    if (thread.isDead) throw new BatchUnavailableError('the thread of the batch died')
    if (!thread.held.has(batch)) throw new Error('the batch is not open')
    try {
      const cloned = { ...ids, memberKey: alone(ids.memberKey) }
      const answer = await this.#ask(thread, { kind: 'finish', batch, facts, ids: cloned }, [])
      if ('finished' in answer) return answer.finished
      throw failureOf(answer)
    } finally {
      this.#release(thread, batch)
    }
  }

  #prepare(thread: Thread, batch: number, memberKey: Uint8Array): void {
    if (!thread.held.has(batch)) return
    thread.worker.postMessage({ kind: 'prepare', batch, memberKey: alone(memberKey) } satisfies ThreadTask, [])
  }

  #close(thread: Thread, batch: number): void {
    if (!thread.held.has(batch)) return
    thread.worker.postMessage({ kind: 'close', batch } satisfies ThreadTask, [])
    this.#release(thread, batch)
  }

  #ask(thread: Thread, task: ThreadTask, transfer: ArrayBuffer[]): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      thread.worker.postMessage(task, transfer)
      thread.questions.set(task.batch, { resolve, reject })
      thread.worker.ref()
    })
  }

  #release(thread: Thread, batch: number): void {
    if (!thread.held.delete(batch)) return
    this.#assign()
    if (thread.held.size > 0 || thread.isDead) return
    thread.idle = setTimeout(() => void thread.worker.terminate(), this.#endIdleAfterMs).unref()
  }
}

function failureOf(answer: ThreadAnswer): Error {
  return new Error(`a batch failed in its thread: ${'failure' in answer ? answer.failure : 'unexpected answer'}`)
}

// A Buffer would take the whole pool it is cut from along.
function alone(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes)
}

// The body's own memory when it is alone in it, else a copy.
function ownMemory(body: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = body
  const isAlone = byteOffset === 0 && byteLength === buffer.byteLength
  if (isAlone && buffer instanceof ArrayBuffer && !isMarkedAsUntransferable(buffer)) return buffer
  return Uint8Array.prototype.slice.call(body).buffer
}
