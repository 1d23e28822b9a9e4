import { move } from 'piscina'
import { withMessages } from './portuguese-text.ts'

/** The text in Portuguese, as UTF-8; null when it is the same in every language. */
export default function translate(sent: string): Uint8Array | null {
  const text = withMessages(sent)
  // Transferred, not copied.
  return text === sent ? null : (move(new TextEncoder().encode(text)) as Uint8Array)
}
