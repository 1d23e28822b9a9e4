import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './types.ts'

/** The headers of a delivery, as `fetch`, Node, Express and Fastify have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Seconds between the clocks of the service and of the receiver. */
const tolerance = 300

/**
 * The event of a delivery, when exactly these bytes were signed with the secret in the last five minutes (Standard Webhooks 1.0).
 * @param body the bytes as they were received, not parsed.
 * @param secret `whsec_...`; several while a secret is rotated.
 * @throws WebhookVerificationError
 */
export async function verify(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .flatMap((signature) => bytesOf(signature.slice(3)) ?? [])
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= tolerance)) {
    throw new WebhookVerificationError('The timestamp of the delivery is more than five minutes away')
  }
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const start = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(start.length + content.length)
  signed.set(start)
  signed.set(content, start.length)
  for (const one of [secret].flat()) {
    const key = await keyOf(one)
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return eventOf(id, content)
    }
  }
  throw new WebhookVerificationError('No signature of the delivery is that of the secret')
}

/** What a receiver of webhooks needs. */
export const webhooks = { verify }

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]
  if (!value) throw new WebhookVerificationError(`The delivery has no header ${name}`)
  return value
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('The secret is not that of a webhook endpoint: whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function eventOf(id: string, content: Uint8Array): WebhookEvent {
  return { id, ...(JSON.parse(new TextDecoder().decode(content)) as object) } as WebhookEvent
}
