import type { Readable } from 'node:stream'
import { v4 as uuidv4 } from 'uuid'
import { InvariantError } from '../log.ts'

/** Storage of files. Keys come from `newKey`, never from a client. */
export interface Storage {
  /**
   * Writes a file; durable when it resolves. Rethrows an error of the source or the store; nothing is readable under the key then. A
   * chunk is not used after the next one is read.
   */
  write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<{ size: number }>
  /**
   * Opens a file, or a range of it; `size` is the number of bytes of the stream. Throws when there is no file or the store is
   * unreachable. The stream fails when it ends early.
   */
  read(
    key: string,
    part?: { readonly first: number; readonly last: number },
  ): Promise<{ stream: Readable; size: number }>
  /** Deletes a file and the remains of an interrupted write; does nothing when there is none. */
  remove(key: string): Promise<void>
  /** Closes the connections. */
  close(): void
}

/** A new unique key with a prefix such as `document`. */
export function newKey(kind: string): string {
  return `${kind}/${uuidv4()}`
}

/** Keys become paths, so only keys of `newKey` are accepted. @throws InvariantError for any other key. */
export function checkKey(key: string): string {
  if (!/^[a-z]+\/[0-9a-f-]{36}$/.test(key)) throw new InvariantError('invalid storage key')
  return key
}
