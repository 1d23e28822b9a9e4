import { v4 as uuidv4 } from 'uuid'
import { InvariantError } from '../platform/log.ts'

/** A key that nothing had before, under a kind such as `document`. */
export function newKey(kind: string): string {
  return `${kind}/${uuidv4()}`
}

/** Keys are paths in both engines, so none but our own shape gets there. */
export function checkKey(key: string): string {
  if (!/^[a-z]+\/[0-9a-f-]{36}$/.test(key)) throw new InvariantError('a storage key that the service did not make')
  return key
}
