import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Cipher } from '#platform/core/crypto/cipher.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** A new secret as the client receives it: `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0). */
export function makeWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

/** The encrypted secret; it is bound to its endpoint and cannot be decrypted for another one. */
export function encryptSecret(cipher: Cipher, endpointId: string, secret: string): Buffer {
  return cipher.encrypt(purposeOf(endpointId), Buffer.from(secret.slice(prefix.length), 'base64'))
}

interface Message {
  /** The `webhook-id`: of the event, the same for every attempt. */
  readonly id: string
  /** The bytes that are sent and signed. */
  readonly body: string
}

/** The headers of Standard Webhooks: a signature with each secret, separated by spaces. */
export function signatureHeaders(
  cipher: Cipher,
  endpointId: string,
  encryptedSecrets: readonly Buffer[],
  message: Message,
  at: Date,
): Record<string, string> {
  const signatures = encryptedSecrets.map((encrypted) =>
    new Webhook(cipher.decrypt(purposeOf(endpointId), encrypted), { format: 'raw' }).sign(message.id, at, message.body),
  )
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}

function purposeOf(endpointId: string): string {
  return `webhook-secret:${endpointId}`
}
