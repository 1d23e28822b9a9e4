import { randomBytes } from 'node:crypto'
import { type CryptoKey, decodeJwt, decodeProtectedHeader, generateKeyPair, importPKCS8, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cipher, openCipher } from '#platform/core/crypto/cipher.ts'
import { storedKey } from '#platform/core/crypto/stored-keys.ts'
import { openTokens, type TokensOptions } from '#access/auth/tokens.ts'
import type { Tokens } from '#platform/http/credentials.ts'
import { openDatabase } from '#platform/core/database.ts'
import { isDatabaseAway } from '#platform/core/database-errors.ts'
import { StartError } from '#platform/core/errors.ts'
import { openLog } from '#platform/core/log.ts'
import { openScratch } from './scratch-database.ts'

const log = openLog('silent')
const minute = 60_000
const day = 24 * 60 * minute

let scratch: Awaited<ReturnType<typeof openScratch>>
let cipher: Cipher
let now = 0
beforeAll(async () => {
  scratch = await openScratch()
})
afterAll(() => scratch.close())
beforeEach(async () => {
  await scratch.database.execute('delete from signing_key')
  cipher = openCipher(randomBytes(32))
  now = Date.now()
})

function open(changes: Partial<TokensOptions> = {}): Tokens {
  return openTokens({ database: scratch.database, cipher, environment: 'staging', log, clock: () => now, ...changes })
}

async function tokenOf(tokens: Tokens, clientId = 'folha'): Promise<string> {
  return (await tokens.issue(clientId, 'partner')).token
}

/** The service's private key, as an attacker could have stolen it. */
async function stolenKey(): Promise<{ kid: string; key: CryptoKey }> {
  const [row] = await scratch.database.query<{ id: string; private_key: Buffer }>(
    'select id, private_key from signing_key order by active_from, id limit 1',
  )
  const pem = cipher.decrypt(`signing-key:${row?.id}`, row?.private_key ?? Buffer.alloc(0)).toString()
  return { kid: row?.id ?? '', key: await importPKCS8(pem, 'ES256') }
}

const invalid = { code: 'token-invalid' }

const seconds = () => Math.floor(now / 1_000)
const claims = () => ({
  iss: 'vigencia',
  aud: 'vigencia:staging:partner',
  sub: 'folha',
  iat: seconds(),
  exp: seconds() + 3_600,
  jti: '1',
})

describe('a token', () => {
  test('says who, for which environment and door, and for an hour', async () => {
    const tokens = open()
    const { token, expiresInSeconds } = await tokens.issue('folha', 'partner')
    expect(expiresInSeconds).toBe(3_600)
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', kid: expect.stringMatching(/./) })
    const { iss, aud, sub, iat = 0, exp = 0, jti } = decodeJwt(token)
    expect({ iss, aud, sub }).toEqual({ iss: 'vigencia', aud: 'vigencia:staging:partner', sub: 'folha' })
    expect(exp - iat).toBe(3_600)
    expect(jti).toMatch(/^[0-9a-f-]{36}$/)
    expect(await tokens.verify(token, 'partner')).toBe('folha')
  })

  test('opens neither the other door nor the other environment', async () => {
    const tokens = open()
    const token = await tokenOf(tokens)
    expect(await tokens.verify(token, 'operator')).toEqual({ code: 'wrong-api' })
    expect(await open({ environment: 'production' }).verify(token, 'partner')).toEqual(invalid)
    expect(await tokens.verify(token, 'partner')).toBe('folha')
  })

  test('lives a minute beyond its hour, for clocks that differ, and no longer', async () => {
    const tokens = open()
    const token = await tokenOf(tokens)
    now = (seconds() + 3_600 + 58) * 1_000
    expect(await tokens.verify(token, 'partner')).toBe('folha')
    now += 3_000
    expect(await tokens.verify(token, 'partner')).toEqual({ code: 'token-expired' })
    expect(await open().verify(token, 'partner')).toEqual({ code: 'token-expired' })
  })

  test('is refused when forged', async () => {
    const tokens = open()
    const [head = '', body = '', signature = ''] = (await tokenOf(tokens)).split('.')
    const { kid, key } = await stolenKey()
    const [jwk] = (await tokens.jwks()).keys
    const other = await generateKeyPair('ES256', { extractable: true })
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = (changes: Record<string, unknown>, header: Record<string, unknown> = {}, by: CryptoKey = key) =>
      new SignJWT({ ...claims(), ...changes }).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(by)
    const hmac = (secret: string) =>
      new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid }).sign(new TextEncoder().encode(secret))
    const forged = [
      '',
      'x',
      '..',
      `${head}.${body}.`,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      `${head}.${encode({ ...claims(), sub: 'another' })}.${signature}`,
      `${encode({ alg: 'none', kid })}.${encode(claims())}.`,
      `${encode({ alg: 'ES256' })}.${body}.${signature}`,
      `${encode({ alg: 'ES256', kid: ['a'] })}.${body}.${signature}`,
      await hmac(JSON.stringify(jwk)),
      await hmac((jwk as { x: string }).x),
      await signed({}, {}, other.privateKey),
      await signed({}, { kid: 'unknown' }, other.privateKey),
      await signed({ aud: 'vigencia:production:partner' }),
      await signed({ aud: ['somebody'] }),
      await signed({ iss: 'somebody' }),
      await signed({ exp: undefined }),
      await signed({ sub: undefined }),
      await signed({ nbf: seconds() + 120 }),
    ]
    for (const token of forged) expect(await tokens.verify(token, 'partner')).toEqual(invalid)
    const expired = await signed({ exp: seconds() - 61 })
    expect(await tokens.verify(expired, 'partner')).toEqual({ code: 'token-expired' })
    expect(await tokens.verify(await signed({}), 'partner')).toBe('folha')
  })

  test('over 4,096 characters costs nothing', async () => {
    const tokens = open()
    await tokenOf(tokens)
    scratch.statements.length = 0
    const verify = vi.spyOn(crypto.subtle, 'verify')
    expect(await tokens.verify(`${await tokenOf(tokens)}${'A'.repeat(4_096)}`, 'partner')).toEqual(invalid)
    expect(verify).not.toHaveBeenCalled()
    expect(scratch.statements).toEqual([])
    verify.mockRestore()
  })

  test('sent 32 times at once is verified once, and again after five minutes', async () => {
    const tokens = open()
    const token = await tokenOf(tokens)
    const verify = vi.spyOn(crypto.subtle, 'verify')
    const results = await Promise.all(Array.from({ length: 32 }, () => tokens.verify(token, 'partner')))
    expect(new Set(results)).toEqual(new Set(['folha']))
    await tokens.verify(token, 'partner')
    expect(verify).toHaveBeenCalledTimes(1)
    now += 5 * minute
    await tokens.verify(token, 'partner')
    expect(verify).toHaveBeenCalledTimes(2)
    verify.mockRestore()
  })
})

describe('signing keys', () => {
  test('are agreed upon by processes that make the first one at once', async () => {
    const processes = Array.from({ length: 4 }, () => open())
    const issued = await Promise.all(processes.map((tokens) => tokenOf(tokens)))
    for (const tokens of processes) {
      for (const token of issued) expect(await tokens.verify(token, 'partner')).toBe('folha')
    }
    expect(await scratch.database.query('select id from signing_key')).toHaveLength(1)
  })

  test('rotate without an outage: both verify, the new one signs once everybody knows it', async () => {
    const [here, there] = [open(), open()]
    const before = await tokenOf(here)
    expect(await there.verify(before, 'partner')).toBe('folha')
    await here.rotate()
    expect((await here.jwks()).keys).toHaveLength(2)
    const { kid } = decodeProtectedHeader(before)
    expect(decodeProtectedHeader(await tokenOf(here)).kid).toBe(kid)
    now += 5 * minute
    const after = await tokenOf(here)
    expect(decodeProtectedHeader(after).kid).not.toBe(kid)
    for (const tokens of [here, there, open()]) {
      expect(await tokens.verify(before, 'partner')).toBe('folha')
      expect(await tokens.verify(after, 'partner')).toBe('folha')
    }
    now += 120 * minute + 1_000
    expect((await open().jwks()).keys).toMatchObject([{ kid: decodeProtectedHeader(after).kid }])
  })

  test('rotate by themselves after 30 days, once for all processes', async () => {
    const before = await tokenOf(open())
    now += 30 * day + 1_000
    const processes = Array.from({ length: 4 }, () => open())
    const issued = await Promise.all(processes.map((tokens) => tokenOf(tokens)))
    for (const token of issued) expect(decodeProtectedHeader(token).kid).toBe(decodeProtectedHeader(before).kid)
    expect((await open().jwks()).keys).toHaveLength(2)
    now += 5 * minute
    expect(decodeProtectedHeader(await tokenOf(open())).kid).not.toBe(decodeProtectedHeader(before).kid)
  })

  test('can be rotated twice in a row', async () => {
    const tokens = open()
    const before = await tokenOf(tokens)
    await Promise.all([tokens.rotate(), open().rotate()])
    now += 5 * minute + 1
    const after = await tokenOf(open())
    expect(await open().verify(before, 'partner')).toBe('folha')
    expect(await open().verify(after, 'partner')).toBe('folha')
    const signing = await scratch.database.query('select id from signing_key where retired_at is null')
    expect(signing).toMatchObject([{ id: decodeProtectedHeader(after).kid }])
  })

  test('are published without their private half', async () => {
    const { keys } = await open().jwks()
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ])
  })

  test('of forged ids do not make the service ask the database each time', async () => {
    const tokens = open()
    await tokenOf(tokens)
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await Promise.all(
      Array.from({ length: 200 }, (_, kid) =>
        new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: String(kid) }).sign(privateKey),
      ),
    )
    scratch.statements.length = 0
    const results = await Promise.all(forged.map((token) => tokens.verify(token, 'partner')))
    expect(new Set(results)).toEqual(new Set([invalid]))
    expect(scratch.statements.length).toBeLessThanOrEqual(1)
  })

  test('under another master key stop the start with the sentence that says what to set', async () => {
    await tokenOf(open())
    await expect(tokenOf(open({ cipher: openCipher(randomBytes(32)) }))).rejects.toThrow(StartError)
  })

  test('are missed as the database being away, not as a bad token', async () => {
    const token = await tokenOf(open())
    const database = openDatabase(
      { url: 'postgres://127.0.0.1:1/none', connections: 1, namedStatements: true, applicationName: 'away' },
      log,
    )
    const away = open({ database })
    for (const call of [away.verify(token, 'partner'), away.issue('folha', 'partner'), away.jwks()]) {
      await expect(call).rejects.toSatisfy(isDatabaseAway)
    }
    await database.close()
  })
})

describe('a key of the service', () => {
  test('is made once per name, sealed, and agreed upon', async () => {
    const { database } = scratch
    const keys = await Promise.all(Array.from({ length: 8 }, () => storedKey(database, cipher, 'member-id')))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(keys[0]).toHaveLength(32)
    expect(await storedKey(database, cipher, 'another')).not.toEqual(keys[0])
    const rows = await database.query<{ value: Buffer }>("select value from encrypted_key where name = 'member-id'")
    expect(rows[0]?.value.includes(keys[0] ?? '')).toBe(false)
    await expect(storedKey(database, openCipher(randomBytes(32)), 'member-id')).rejects.toThrow(/VIGENCIA_MASTER_KEY/)
  })
})
