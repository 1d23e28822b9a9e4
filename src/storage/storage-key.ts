import { v4 as uuidv4 } from 'uuid'
import { InvariantError } from '../platform/log.ts'

/** A new unique key with a prefix such as `document`. */
export function newKey(kind: string): string {
  return `${kind}/${uuidv4()}`
}

/** Keys become paths, so only keys of `newKey` are accepted. @throws InvariantError for any other key. */
export function checkKey(key: string): string {
  if (!/^[a-z]+\/[0-9a-f-]{36}$/.test(key)) throw new InvariantError('invalid storage key')
  return key
}
