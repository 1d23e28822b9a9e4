import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads'
import { Piscina } from 'piscina'

interface ThreadOptions {
  /** The URL of a module whose default export runs a task. */
  readonly file: URL
  readonly max: number
  /** How long a thread may take for one request. One that takes longer is ended, and replaced. */
  readonly maxMs: number
  /** The heap of one thread, in MiB; V8's default when absent. */
  readonly heapMiB?: number
  /** Tasks that wait for a thread; more are rejected. */
  readonly maxWaiting?: number
  readonly endIdleAfterMs?: number
}

/** Threads that run the tasks of one module. */
export interface Threads {
  /** How many are running. */
  readonly size: number
  readonly pool: Piscina
  readonly maxMs: number
  readonly turns: Turns
}

/** The tasks of a pool, in their order: Piscina gives a thread to the last of those that can be aborted. */
class Turns {
  readonly #max: number
  readonly #maxWaiting: number
  #running = 0
  readonly #waiting = new Set<() => unknown>()

  constructor(max: number, maxWaiting: number) {
    this.#max = max
    this.#maxWaiting = maxWaiting
  }

  /** Starts the task, or lets it wait. @returns false when too many wait. */
  enter(start: () => unknown): boolean {
    if (this.#running < this.#max) {
      this.#running += 1
      start()
    } else if (this.#waiting.size < this.#maxWaiting) this.#waiting.add(start)
    else return false
    return true
  }

  /** A task that waits is not wanted any more. */
  leave(start: () => unknown): void {
    this.#waiting.delete(start)
  }

  /** A task has ended. */
  next(): void {
    this.#running -= 1
    const [start] = this.#waiting
    if (start === undefined) return
    this.#waiting.delete(start)
    this.#running += 1
    start()
  }
}

/** How long a task waits for a thread. */
const maxWaitMs = 30_000
/** An idle thread keeps the memory of its largest task. */
const endIdleAfterMs = 10_000
// With the default a thread takes a quarter more memory before garbage collection.
const youngHeapMiB = 8

/** Threads start when they are first needed, end when idle, and do not keep the process alive while idle. */
export function openThreads(options: ThreadOptions): Threads {
  const { file, max, maxMs, heapMiB, maxWaiting } = options
  const pool = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: max,
    idleTimeout: options.endIdleAfterMs ?? endIdleAfterMs,
    execArgv: [],
    env: environment(),
    recordTiming: false,
    stricterFIFO: true,
    ...(heapMiB === undefined
      ? {}
      : { resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngHeapMiB } }),
  })
  // A thread that dies while idle is no loss; without a listener it would end the process.
  pool.on('error', () => {})
  return {
    pool,
    maxMs,
    turns: new Turns(max, maxWaiting ?? Number.POSITIVE_INFINITY),
    get size() {
      return pool.threads.length
    },
  }
}

/** Nothing of the process, whose variables hold secrets, but the folder of compiled modules: with it a thread starts with a third of the CPU time. */
function environment(): Record<string, string> {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/** A task that keeps its thread, and state in it, from the first request until `end`. */
interface ThreadSession<Request, Response> {
  /** One at a time. @throws the error of the thread. */
  request(request: Request, transfer?: readonly Transferable[]): Promise<Response>
  /** Frees the thread. */
  end(): void
}

/** There was no thread for a task: too many waited or for too long, the thread died, or the threads were stopped. */
export class NoThreadError extends Error {
  override readonly name = 'NoThreadError'
}

/** A thread took longer for a request than it may, and was ended. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError'
}

type Reply<Response> = 'started' | { readonly response: Response } | { readonly error: unknown }

/**
 * Opens a session with the next thread that is free. Its module exports `serveSession(...)`.
 * @param signal ends the session and its thread, also while it works.
 */
export function openThreadSession<Request, Response>(
  { pool, maxMs, turns }: Threads,
  signal?: AbortSignal,
): ThreadSession<Request, Response> {
  const { port1: port, port2 } = new MessageChannel()
  const kill = new AbortController()
  const started = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<never>()
  gone.promise.catch(() => {})
  const fail = (error: Error) => {
    gone.reject(error)
    clearTimeout(waiting)
    turns.leave(start)
    signal?.removeEventListener('abort', stop)
    port.close()
  }
  /** Ends the thread: nothing else interrupts what it computes. */
  const end = (error: Error) => {
    fail(error)
    kill.abort()
  }
  const stop = () => end(new NoThreadError('the task was stopped'))
  const waiting = setTimeout(() => end(new NoThreadError('no thread became free in time')), maxWaitMs)
  signal?.addEventListener('abort', stop)
  let onReply: (reply: Exclude<Reply<Response>, 'started'>) => void = () => {}
  port.on('message', (reply: Reply<Response>) => {
    if (reply !== 'started') return onReply(reply)
    clearTimeout(waiting)
    started.resolve()
  })
  const start = async () => {
    const cause = await pool.run(port2, { transferList: [port2], signal: kill.signal }).then(
      () => null,
      (error: unknown) => error,
    )
    fail(new NoThreadError('the thread of a task has ended', { cause }))
    turns.next()
  }
  if (!turns.enter(start)) fail(new NoThreadError('too many tasks wait for a thread'))
  if (signal?.aborted === true) stop()
  return {
    async request(request, transfer = []) {
      const replied = Promise.withResolvers<Exclude<Reply<Response>, 'started'>>()
      onReply = replied.resolve
      port.postMessage(request, transfer)
      await Promise.race([started.promise, gone.promise])
      const timer = setTimeout(() => end(new ThreadTimeoutError(`a thread took longer than ${maxMs} ms`)), maxMs)
      try {
        const reply = await Promise.race([replied.promise, gone.promise])
        if ('error' in reply) throw reply.error
        return reply.response
      } finally {
        clearTimeout(timer)
      }
    },
    end: () => fail(new NoThreadError('the session has ended')),
  }
}

interface SessionResponse<Response> {
  readonly response: Response
  readonly transfer?: readonly Transferable[]
}

/**
 * The other side of a session.
 * @param open makes the function that responds, for each session a new one. What it gives to `onEnd` is called when the session ends.
 */
export function serveSession<Request, Response>(
  open: (
    onEnd: (end: () => void) => void,
  ) => (request: Request) => SessionResponse<Response> | Promise<SessionResponse<Response>>,
): (port: MessagePort) => Promise<void> {
  return async (port) => {
    const respondTo = open((end) => port.once('close', end))
    const respond = async (request: Request) => {
      try {
        const { response, transfer = [] } = await respondTo(request)
        port.postMessage({ response }, transfer)
      } catch (error) {
        port.postMessage({ error })
      }
    }
    port.on('message', (request: Request) => void respond(request))
    port.postMessage('started')
    await new Promise((resolve) => port.once('close', () => resolve(null)))
  }
}
