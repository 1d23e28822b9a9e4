import { Worker } from 'node:worker_threads'
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts'
import { threadEnvironment } from '../platform/thread-environment.ts'
import type { Translated } from './portuguese-worker.ts'

/** An idle thread keeps the memory of its largest text. */
const endIdleAfterMs = 10_000
/** The response of the largest batch needs a fraction of this. */
const maxHeapMiB = 512

/** One text at a time; clients take turns. */
const turns = new ConcurrencyLimit({ max: 1, reserve: 0 })
let thread: Worker | null = null
let idleTimer: NodeJS.Timeout | undefined

/**
 * The text with Portuguese messages, as UTF-8. The text itself when that fails: what was done for the call must not become an error because
 * of its language.
 * @param clientId whose turn it uses.
 */
export async function withMessagesInThread(clientId: string, text: string): Promise<string | Buffer> {
  try {
    const { bytes } = await turns.run(clientId, () => translate(text))
    return bytes === null ? text : Buffer.from(bytes.buffer)
  } catch {
    return text
  }
}

function translate(text: string): Promise<Translated> {
  clearTimeout(idleTimer)
  const worker = (thread ??= start())
  return new Promise<Translated>((resolve, reject) => {
    const end = () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      worker.unref()
      idleTimer = setTimeout(() => {
        // The next text starts another: this one may be ending then.
        if (thread === worker) thread = null
        void worker.terminate()
      }, endIdleAfterMs).unref()
    }
    const onMessage = (translated: Translated) => {
      end()
      resolve(translated)
    }
    const onError = (error: unknown) => {
      end()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    const onExit = () => onError(new Error('the thread of translations ended'))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(text, [])
  })
}

/** It starts when it is first needed, ends when idle, and does not keep the process alive. */
function start(): Worker {
  const worker = new Worker(new URL('./portuguese-worker.ts', import.meta.url), {
    name: 'portuguese',
    execArgv: [],
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  })
  const forget = () => {
    if (thread === worker) thread = null
  }
  worker.unref()
  worker.on('error', forget).on('exit', forget)
  return worker
}
