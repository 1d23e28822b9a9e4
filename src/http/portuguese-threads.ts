import { ConcurrencyLimit } from '../core/concurrency-limit.ts'
import { openThreads } from '../core/threads.ts'

/** One text at a time; clients take turns. */
const turns = new ConcurrencyLimit({ max: 1, reserve: 0 })
const threads = openThreads({
  file: new URL('./portuguese-thread.ts', import.meta.url),
  max: 1,
  // The response of the largest batch needs a fraction of this.
  heapMiB: 512,
})

/**
 * The text with Portuguese messages, as UTF-8. The text itself when that fails: what was done for the call must not become an error because
 * of its language.
 * @param clientId whose turn it uses.
 */
export async function withMessagesInThread(clientId: string, text: string): Promise<string | Buffer> {
  try {
    const bytes = await turns.run(clientId, () => threads.run(text) as Promise<Uint8Array<ArrayBuffer> | null>)
    return bytes === null ? text : Buffer.from(bytes.buffer)
  } catch {
    return text
  }
}
