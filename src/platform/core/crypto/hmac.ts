import { createHmac, createSecretKey, type Hmac, type KeyObject } from 'node:crypto'

const keyObjects = new WeakMap<Buffer, KeyObject>()

/**
 * Starts an HMAC-SHA-256. The bytes of the key must not change: Node's key object of them is made once, since to make it takes several times
 * as long as the HMAC of a short text.
 */
export function hmacSha256(key: Buffer): Hmac {
  let keyObject = keyObjects.get(key)
  if (keyObject === undefined) keyObjects.set(key, (keyObject = createSecretKey(key)))
  return createHmac('sha256', keyObject)
}
