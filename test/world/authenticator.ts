/* An authenticator of WebAuthn in software: it makes ES256 keys and signs what a browser would hand it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface RequestOptions {
  readonly rpId: string
  readonly challenge: string
}

export interface CreationOptions {
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly challenge: string
}

/** What differs from what an honest browser and authenticator would send. */
export interface Forgery {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  /** The handle of the person who is signed in. */
  readonly userHandle?: string
  /** The id that the response has. */
  readonly id?: string
  readonly isVerified?: boolean
  readonly signCount?: number
  /** In place of that of the passkey. */
  readonly key?: KeyObject
  readonly format?: string
}

export interface SoftwarePasskey {
  readonly id: string
  readonly userHandle: string
  readonly key: KeyObject
  /** The credential for the service, as the browser makes it of a new passkey. */
  readonly created: Record<string, unknown>
  /** Signs the challenge of a sign-in. */
  get(options: RequestOptions, forgery?: Forgery): Record<string, unknown>
}

const present = 0x01
const verified = 0x04
const hasCredential = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

/** CBOR of the few values that an attestation has. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.of((major << 5) | length)
    return length < 256
      ? Buffer.of((major << 5) | 24, length)
      : Buffer.of((major << 5) | 25, length >> 8, length & 0xff)
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([name, one]) => [cbor(name), cbor(one as number)])
  return Buffer.concat([head(5, value.size), ...entries])
}

function authenticatorData(rpId: string, flags: number, signCount: number, credential = Buffer.alloc(0)): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(signCount)
  return Buffer.concat([sha256(rpId), Buffer.of(flags), count, credential])
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

/** Makes a passkey as a browser on a page of the origin does. It counts its signatures. */
export function makePasskey(origin: string, options: CreationOptions, forgery: Forgery = {}): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  const cose = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, credentialId.length), credentialId, cbor(cose)])
  const { rpId = options.rp.id, isVerified = true, challenge = options.challenge } = forgery
  const flags = present | hasCredential | (isVerified ? verified : 0)
  const attestation = new Map<string, unknown>([
    ['fmt', forgery.format ?? 'none'],
    ['attStmt', new Map()],
    ['authData', authenticatorData(rpId, flags, 0, attested)],
  ])
  let count = 0
  return {
    id,
    userHandle: options.user.id,
    key: privateKey,
    created: {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData(forgery.type ?? 'webauthn.create', challenge, forgery.origin ?? origin)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    },
    get(asked, forged = {}) {
      count += 1
      const data = authenticatorData(
        forged.rpId ?? asked.rpId,
        present | (forged.isVerified === false ? 0 : verified),
        forged.signCount ?? count,
      )
      const client = clientData(
        forged.type ?? 'webauthn.get',
        forged.challenge ?? asked.challenge,
        forged.origin ?? origin,
      )
      const sent = forged.id ?? id
      return {
        id: sent,
        rawId: sent,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), forged.key ?? privateKey)),
          userHandle: forged.userHandle ?? options.user.id,
        },
        clientExtensionResults: {},
      }
    },
  }
}
