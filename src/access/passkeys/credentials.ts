import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { Type } from 'typebox'
import { isObject } from '#kernel/fields.ts'
import type { RelyingParty } from '../sessions/relying-party.ts'
import type { Credential } from './queries.ts'

/** ES256, EdDSA and RS256: one of them is known to every authenticator. */
const algorithms = [-7, -8, -257]
const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const [maxIdLength, maxKeyLength] = [1_023, 4_096]
const timeoutMs = 5 * 60_000

/** Its JSON is that of WebAuthn, which the library reads. */
export const CredentialJson = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The `PublicKeyCredential` that the browser made, as JSON of WebAuthn.',
})

export const credentialExample = {
  id: 'q3Jv0Z8mT1sYw5nB7kRxLd',
  rawId: 'q3Jv0Z8mT1sYw5nB7kRxLd',
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: '…',
    signature: '…',
    userHandle: '…',
  },
  clientExtensionResults: {},
}

export const OptionsResponse = Type.Object({
  result: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Options for the browser, as JSON of WebAuthn. Their challenge is valid once, for five minutes.',
  }),
})

/** The options of a sign-in: the person chooses among the passkeys that the authenticator has for the service. */
export function requestOptions(party: RelyingParty, challenge: Buffer) {
  return {
    rpId: party.id,
    challenge: challenge.toString('base64url'),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: [],
  } satisfies PublicKeyCredentialRequestOptionsJSON
}

/** The options of a new passkey. @param person its e-mail address is what the authenticator shows. */
export function creationOptions(
  party: RelyingParty,
  challenge: Buffer,
  person: { readonly id: string; readonly name: string; readonly email: string },
  existing: readonly Credential[],
) {
  return {
    rp: { id: party.id, name: 'Vigencia' },
    user: { id: Buffer.from(person.id).toString('base64url'), name: person.email, displayName: person.name },
    challenge: challenge.toString('base64url'),
    timeout: timeoutMs,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: existing.map(({ id, transports }) => ({
      type: 'public-key',
      id,
      transports: transportNames.filter((name) => transports.includes(name)),
    })),
    attestation: 'none',
  } satisfies PublicKeyCredentialCreationOptionsJSON
}

/** The id of a credential that a browser sent. */
export function credentialIdOf({ id }: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(typeof id === 'string' ? id : '', 'base64url')
}

/** What became of a credential that fits the relying party. The challenge is that of the browser: it must still be checked. */
interface Verified {
  readonly challenge: string
  readonly signCount: number
}

interface NewCredential extends Verified {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly transports: string[]
}

/** Verifies a new credential. @returns null when something of it is wrong. */
export async function verifyNewCredential(party: RelyingParty, sent: object): Promise<NewCredential | null> {
  // 25 MB and a quarter of a second, which most processes never need.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const response = sent as RegistrationResponseJSON
  let challenge = ''
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.response.attestationObject, 'base64url'))
    // None was asked for; certificates would make the library fetch lists of revoked ones from addresses that they name.
    const isSelf = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
    if (attestation.get('fmt') !== 'none' && !isSelf) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (signed) => (challenge = signed) !== '',
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return null
    const { id, publicKey, counter, transports } = registrationInfo.credential
    const credentialId = Buffer.from(id, 'base64url')
    if (credentialId.length > maxIdLength || publicKey.length > maxKeyLength) return null
    return {
      challenge,
      signCount: counter,
      credentialId,
      publicKey: Buffer.from(publicKey),
      transports: transportNames.filter((name) => transports?.includes(name)),
    }
  } catch {
    return null
  }
}

/** Verifies the signature of a passkey. The count of signatures must still be checked. @returns null when something is wrong. */
export async function verifySignature(
  party: RelyingParty,
  publicKey: Buffer,
  sent: Readonly<Record<string, unknown>>,
): Promise<Verified | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const response = sent as unknown as AuthenticationResponseJSON
  let challenge = ''
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (signed) => (challenge = signed) !== '',
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    return verified ? { challenge, signCount: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}

/** Whether the authenticator says that the credential is that person's. */
export function isOf(personId: string, { response }: Readonly<Record<string, unknown>>): boolean {
  const handle = isObject(response) ? response['userHandle'] : undefined
  return typeof handle === 'string' && Buffer.from(handle, 'base64url').toString() === personId
}
