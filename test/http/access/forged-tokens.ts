import { createHmac, createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'

/** What a forger knows, and what only the service has. */
export interface Material {
  readonly api: 'partner' | 'operator'
  readonly clientId: string
  /** A valid token of the client. */
  readonly token: string
  /** The public key of the token, as the service publishes it. */
  readonly jwk: JWK
  /** The private key of the service: for what only a bug of the service could sign. */
  readonly serviceKey: KeyObject
  /** A URL that must not be called. */
  readonly url: string
}

/** The declared code of the response. */
type Code = 'token-invalid' | 'token-expired' | 'wrong-api'

/** A name, the value of `Authorization` (or several headers), and the code of the 401. */
export type Forgery = readonly [name: string, authorization: string | readonly string[], code: Code]

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
/** The order of the group of P-256. */
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'

function signWith(key: KeyObject, header: unknown, payload: unknown, encoding: 'ieee-p1363' | 'der' = 'ieee-p1363') {
  const input = `${encode(header)}.${encode(payload)}`
  const signature = createSign('sha256').update(input).sign({ key, dsaEncoding: encoding })
  return `${input}.${signature.toString('base64url')}`
}

function hmacWith(hash: string, secret: string | Buffer, header: unknown, payload: unknown): string {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`
}

/** Headers that are no token of the service, each with the code of its 401. */
export function forgeries(material: Material): Forgery[] {
  const tokens: (readonly [string, string, Code?])[] = [
    ...algorithms(material),
    ...keys(material),
    ...claims(material),
    ...signatures(material),
    ...encodings(material),
  ]
  const bearers = tokens.map(([name, token, code = 'token-invalid']): Forgery => [name, `Bearer ${token}`, code])
  return [...bearers, ...headers(material)]
}

const claimsOf = ({ api, clientId }: Material) => {
  const now = Math.floor(Date.now() / 1_000)
  return { iss: 'vigencia', aud: `vigencia:staging:${api}`, sub: clientId, iat: now, exp: now + 3_600, jti: '1' }
}

function algorithms(material: Material): [string, string][] {
  const { jwk } = material
  const { kid } = jwk
  const payload = claimsOf(material)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  const der = key.export({ type: 'spki', format: 'der' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
  const ed = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const none = (header: unknown) => `${encode(header)}.${encode(payload)}.`
  const hs = (secret: string | Buffer, alg = 'HS256', hash = 'sha256') =>
    hmacWith(hash, secret, { alg, typ: 'JWT', kid }, payload)
  return [
    ['alg none', none({ alg: 'none', kid })],
    ['alg none without kid', none({ alg: 'none' })],
    ['alg None', none({ alg: 'None', kid })],
    ['alg NONE with the signature of a real token', `${none({ alg: 'NONE', kid })}${material.token.split('.')[2]}`],
    ['alg none, written with escapes', none(`{"\\u0061lg":"n\\u006fne","kid":"${kid}"}`)],
    ['alg empty', none({ alg: '', kid })],
    ['alg missing', none({ kid })],
    ['alg null', none({ alg: null, kid })],
    ['alg a list', none({ alg: ['none', 'ES256'], kid })],
    ['alg twice, none last', none(`{"alg":"ES256","kid":"${kid}","alg":"none"}`)],
    ['alg twice, ES256 last', none(`{"alg":"none","kid":"${kid}","alg":"ES256"}`)],
    ['HS256 with the public key as PEM', hs(pem)],
    ['HS256 with the public key as PEM without its last line end', hs(pem.trimEnd())],
    ['HS256 with the public key as DER', hs(der)],
    ['HS256 with the public key as JWK', hs(JSON.stringify(jwk))],
    ['HS256 with a coordinate of the public key', hs(Buffer.from(jwk.x ?? '', 'base64url'))],
    ['HS256 with an empty key', hs('')],
    ['HS384 with the public key as PEM', hs(pem, 'HS384', 'sha384')],
    ['HS512 with the public key as PEM', hs(pem, 'HS512', 'sha512')],
    ['RS256 with a key of its own', signWith(rsa, { alg: 'RS256', kid }, payload)],
    ['EdDSA by name, with the public key of another in the header', none({ alg: 'EdDSA', kid, jwk: ed }) + encode('x')],
    ['es256 in lower case', signWith(material.serviceKey, { alg: 'es256', kid }, payload)],
    ['ES384 over the key of ES256', signWith(material.serviceKey, { alg: 'ES384', kid }, payload)],
  ]
}

function keys(material: Material): [string, string][] {
  const { jwk, url } = material
  const { kid } = jwk
  const payload = claimsOf(material)
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ownJwk = { ...own.publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
  const by = (header: object) => signWith(own.privateKey, { alg: 'ES256', typ: 'JWT', kid, ...header }, payload)
  return [
    ['another key under the kid of the service', by({})],
    ['an unknown kid', by({ kid: '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' })],
    ['no kid', by({ kid: undefined })],
    ['a kid that is empty', by({ kid: '' })],
    ['a kid that is SQL', by({ kid: "x' union select 'x' --" })],
    ['a kid that is a path', by({ kid: '../../../../../../dev/null' })],
    ['a kid that is a command', by({ kid: '|/bin/true' })],
    ['a kid that is a URL', by({ kid: `${url}/key` })],
    ['a kid that is a property of objects', by({ kid: '__proto__' })],
    ['a kid with NUL', by({ kid: `${kid}\u0000` })],
    ['a kid in upper case', signWith(material.serviceKey, { alg: 'ES256', kid: kid?.toUpperCase() }, payload)],
    ['a kid that is a list', by({ kid: [kid] })],
    ['a kid that is a number', by({ kid: 1 })],
    ['its own key in jwk', by({ jwk: ownJwk })],
    ['its own key in jwk, without kid', by({ kid: undefined, jwk: ownJwk })],
    ['its own keys at jku', by({ jku: `${url}/jwks.json` })],
    ['its own certificate at x5u', by({ x5u: `${url}/cert.pem` })],
    ['its own key in x5c', by({ x5c: [own.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] })],
  ]
}

function claims(material: Material): [string, string, Code?][] {
  const now = Math.floor(Date.now() / 1_000)
  const { kid } = material.jwk
  const header = { alg: 'ES256', typ: 'JWT', kid }
  const payload = claimsOf(material)
  const by = (changes: object, more: object = {}) =>
    signWith(material.serviceKey, { ...header, ...more }, { ...payload, ...changes })
  const other = material.api === 'partner' ? 'operator' : 'partner'
  const inner = by({})
  const [head, body, signature] = material.token.split('.')
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  return [
    ['expired', by({ iat: now - 3_700, exp: now - 100 }), 'token-expired'],
    ['expired, of another key', signWith(own, header, { ...payload, exp: now - 100 })],
    ['without end', by({ exp: undefined })],
    ['an end that is text', by({ exp: String(now + 3_600) })],
    ['an end that is null', by({ exp: null })],
    ['not yet valid', by({ nbf: now + 3_600 })],
    ['not yet valid, as text', by({ nbf: 'tomorrow' })],
    ['another issuer', by({ iss: 'vigencia ' })],
    ['no issuer', by({ iss: undefined })],
    ['the other environment', by({ aud: `vigencia:production:${material.api}` })],
    ['the other API', by({ aud: `vigencia:staging:${other}` }), 'wrong-api'],
    ['the other API, of another key', signWith(own, header, { ...payload, aud: `vigencia:staging:${other}` })],
    ['both APIs', by({ aud: ['vigencia:staging:partner', 'vigencia:staging:operator'] })],
    ['a list with the API', by({ aud: [payload.aud] })],
    ['no audience', by({ aud: undefined })],
    ['no client', by({ sub: undefined })],
    ['a client that is a number', by({ sub: 1 })],
    ['a client that is an object', by({ sub: { id: material.clientId } })],
    ['no jti', by({ jti: undefined })],
    ['a claim twice, under the signature of a real token', `${head}.${twice(body)}.${signature}`],
    ['an unknown critical header', by({}, { crit: ['urn:example:key'], 'urn:example:key': true })],
    ['a critical header that is absent', by({}, { crit: ['exp'] })],
    ['an empty list of critical headers', by({}, { crit: [] })],
    ['an unencoded payload (b64)', by({}, { crit: ['b64'], b64: false })],
    ['a token in a token', signWith(material.serviceKey, { ...header, cty: 'JWT' }, inner)],
    ['a payload that is a list', signWith(material.serviceKey, header, [payload])],
    ['a payload that is no JSON', signWith(material.serviceKey, header, '{"sub":')],
    ['another client, under the signature of a real token', `${head}.${encode({ ...payload, sub: 'x' })}.${signature}`],
  ]
}

/** The payload with its first claim named twice, the last with another value. */
function twice(body = ''): string {
  return encode(Buffer.from(body, 'base64url').toString().replace(/}$/, ',"sub":"first-operator"}'))
}

function signatures(material: Material): [string, string][] {
  const [head, body, signature = ''] = material.token.split('.')
  const raw = Buffer.from(signature, 'base64url')
  const [r, s] = [raw.subarray(0, 32), raw.subarray(32)]
  const n = Buffer.from(order, 'hex')
  const zero = Buffer.alloc(32)
  const withBytes = (...parts: Buffer[]) => `${head}.${body}.${Buffer.concat(parts).toString('base64url')}`
  const header = { alg: 'ES256', typ: 'JWT', kid: material.jwk.kid }
  const flipped = Buffer.from(raw)
  flipped[63] = (flipped[63] ?? 0) ^ 1
  return [
    ['no signature', `${head}.${body}.`],
    ['no signature and no dot', `${head}.${body}`],
    ['a signature of zeros', withBytes(zero, zero)],
    ['a signature with r zero', withBytes(zero, s)],
    ['a signature with s zero', withBytes(r, zero)],
    ['a signature of the order of the group', withBytes(n, n)],
    ['a signature with s the order of the group', withBytes(r, n)],
    ['a signature of ones', withBytes(Buffer.alloc(64, 0xff))],
    ['a signature with r and s exchanged', withBytes(s, r)],
    ['a signature with one bit changed', withBytes(flipped)],
    ['a signature in DER', signWith(material.serviceKey, header, claimsOf(material), 'der')],
    ['a signature without its last byte', withBytes(raw.subarray(0, 63))],
    ['a signature with a byte more', withBytes(raw, Buffer.alloc(1))],
    ['a signature with a zero before each half', withBytes(Buffer.alloc(1), r, Buffer.alloc(1), s)],
  ]
}

function encodings({ token }: Material): [string, string][] {
  const [head = '', body = '', signature = ''] = token.split('.')
  const standard = (part: string) => Buffer.from(part, 'base64url').toString('base64')
  const last = signature.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last character has four bits that no byte takes: three other characters are the same bytes.
  const alike = alphabet[alphabet.indexOf(last) ^ 1]
  return [
    ['the signature in base64 with padding', `${head}.${body}.${standard(signature)}`],
    ['the signature with padding', `${head}.${body}.${signature}==`],
    ['all parts in base64 with padding', [head, body, signature].map(standard).join('.')],
    ['other unused bits at the end', `${head}.${body}.${signature.slice(0, -1)}${alike}`],
    ['padding in the middle', `${head}=.${body}.${signature}`],
    ['truncated by a character', token.slice(0, -1)],
    ['truncated by half', token.slice(0, token.length / 2)],
    ['with a character more', `${token}A`],
    ['with a dot more', `${token}.`],
    ['with a dot before', `.${token}`],
    ['in five parts, as an encrypted token', `${head}..${body}.${signature}.AAAA`],
    ['its own text in base64', encode(token)],
    ['percent-encoded', token.replace('.', '%2E')],
    ['reversed parts', `${signature}.${body}.${head}`],
    ['4 KiB more', `${token}${'A'.repeat(4_096)}`],
    ['12 KiB of a header', `${'A'.repeat(12_000)}.${body}.${signature}`],
    ['only dots', '..'],
  ]
}

function headers({ token }: Material): Forgery[] {
  const junk = 'eyJhbGciOiJub25lIn0.e30.'
  const invalid: (readonly [string, string | readonly string[]])[] = [
    ['without a scheme', token],
    ['another scheme', `Basic ${Buffer.from(token).toString('base64')}`],
    ['a scheme with more letters', `Bearers ${token}`],
    ['the scheme twice', `Bearer Bearer ${token}`],
    ['two spaces', `Bearer  ${token}`],
    ['a tab', `Bearer\t${token}`],
    ['a space in the token', `Bearer ${token.replace('.', ' .')}`],
    ['a comma and more', `Bearer ${token}, Bearer ${junk}`],
    ['quotes', `Bearer "${token}"`],
    ['an empty token', 'Bearer '],
    ['the token and then another header', [`Bearer ${token}`, `Bearer ${junk}`]],
    ['another header and then the token', [`Bearer ${junk}`, `Bearer ${token}`]],
    ['the token in two headers', [`Bearer ${token}`, `Bearer ${token}`]],
  ]
  return invalid.map(([name, authorization]) => [name, authorization, 'token-invalid'])
}
