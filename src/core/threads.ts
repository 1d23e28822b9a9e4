import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads'
import { Piscina } from 'piscina'

interface ThreadOptions {
  /** The URL of a module whose default export runs a task. */
  readonly file: URL
  readonly max: number
  /** Of one thread, in MiB; V8's default when absent. */
  readonly heapMiB?: number
  /** Tasks that wait for a thread; more are rejected. */
  readonly maxWaiting?: number
  readonly endIdleAfterMs?: number
}

/** An idle thread keeps the memory of its largest task. */
const endIdleAfterMs = 10_000
// With the default a thread takes a quarter more memory before garbage collection.
const youngHeapMiB = 8

/** Threads start when they are first needed, end when idle, and do not keep the process alive while idle. */
export function openThreads(options: ThreadOptions): Piscina {
  const { file, max, heapMiB, maxWaiting } = options
  const threads = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: max,
    idleTimeout: options.endIdleAfterMs ?? endIdleAfterMs,
    execArgv: [],
    env: environment(),
    recordTiming: false,
    stricterFIFO: true,
    ...(maxWaiting === undefined ? {} : { maxQueue: maxWaiting }),
    ...(heapMiB === undefined
      ? {}
      : { resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngHeapMiB } }),
  })
  // A thread that dies while idle is no loss; without a listener it would end the process.
  threads.on('error', () => {})
  return threads
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

/** What `ask` throws when there was no thread for it: too many waited, the thread died, or the threads were stopped. */
export class NoThreadError extends Error {
  override readonly name = 'NoThreadError'
}

type Reply<Response> = { readonly response: Response } | { readonly error: unknown }

/** Opens a session with the next thread that is free. Its module exports `serveSession(...)`. */
export function openThreadSession<Request, Response>(threads: Piscina): ThreadSession<Request, Response> {
  const { port1: port, port2 } = new MessageChannel()
  const gone = Promise.withResolvers<never>()
  const fail = (cause: unknown) => {
    gone.reject(new NoThreadError('the thread of a task has ended', { cause }))
    port.close()
  }
  gone.promise.catch(() => {})
  threads.run(port2, { transferList: [port2] }).then(() => fail(null), fail)
  return {
    async request(request, transfer = []) {
      const replied = new Promise<Reply<Response>>((resolve) => port.once('message', resolve))
      port.postMessage(request, transfer)
      const reply = await Promise.race([replied, gone.promise])
      if ('error' in reply) throw reply.error
      return reply.response
    },
    end: () => port.close(),
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
    await new Promise((resolve) => port.once('close', () => resolve(null)))
  }
}
