import { parentPort } from 'node:worker_threads'
import { withMessages } from './portuguese-text.ts'

/** A text in Portuguese, as UTF-8; null when it is the same in every language. */
export type Translated = { readonly bytes: Uint8Array<ArrayBuffer> | null }

parentPort?.on('message', (sent: string) => {
  const text = withMessages(sent)
  const bytes = text === sent ? null : new TextEncoder().encode(text)
  // Transferred, not copied.
  parentPort?.postMessage({ bytes } satisfies Translated, bytes === null ? [] : [bytes.buffer])
})
