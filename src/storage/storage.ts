import type { Readable } from 'node:stream'

/** Where the bytes of files are kept. Keys are made by the service, never from what a caller sent: see `checkKey`. */
export interface Storage {
  /**
   * Keeps the bytes under the key; durable when it resolves. When the source or the store fails it throws what they threw, and
   * nothing can be read under the key. Memory stays flat: a chunk is done with when the next one is asked for.
   */
  write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<{ size: number }>
  /**
   * The kept bytes, or a part of them, and how many these are. Resolves once they are at hand; throws when there are none or the
   * store is away. A short stream fails.
   */
  read(
    key: string,
    part?: { readonly first: number; readonly last: number },
  ): Promise<{ stream: Readable; size: number }>
  /** Removes what is kept under the key, and what an interrupted write left of it. Nothing there is fine. */
  remove(key: string): Promise<void>
  /** Lets go of connections. */
  close(): void
}
