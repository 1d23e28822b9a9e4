import { randomBytes, scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeSecret, openSecrets } from '#access/clients/secrets.ts'

const masterKey = randomBytes(32)
/** Another process of the same service. */
const open = () => openSecrets(masterKey)
const secrets = open()

test('a secret is 32 random bytes in a form that needs no escaping', () => {
  const made = new Set(Array.from({ length: 100 }, makeSecret))
  expect(made.size).toBe(100)
  for (const secret of made) expect(secret).toMatch(/^[\w-]{43}$/)
})

describe('a secret that the service made', () => {
  test('is right against its own hash, and against either of two, in every process', async () => {
    const [first, second] = [makeSecret(), makeSecret()]
    const hashes = [secrets.hash('a', first), secrets.hash('a', second)]
    for (const one of [secrets, open()]) {
      expect(await one.verify('a', hashes, first)).toBe(true)
      expect(await one.verify('a', hashes, second)).toBe(true)
      expect(await one.verify('a', hashes, makeSecret())).toBe(false)
    }
  })

  test('does not stand in its hash, which is of the client and of the master key', async () => {
    const secret = makeSecret()
    const hash = secrets.hash('a', secret)
    expect(hash).toMatch(/^hmac-sha256\$[\w-]{43}$/)
    expect(hash).not.toContain(secret)
    expect(secrets.hash('b', secret)).not.toBe(hash)
    expect(await secrets.verify('b', [hash], secret)).toBe(false)
    expect(await openSecrets(randomBytes(32)).verify('a', [hash], secret)).toBe(false)
  })
})

test('a hash that an earlier version stored stays right', () => {
  expect(openSecrets(Buffer.alloc(32, 1)).hash('a', 'b')).toBe(
    'hmac-sha256$QWNOyh2itFU7dxynCt_u5KlDuwjLnVTMKku6Fp-XXl0',
  )
})

describe('a secret that a person chose', () => {
  test('is right against its salted scrypt, in the process that hashed it and in others', async () => {
    const [one, other] = [await secrets.hashChosen('op', 'opensesame'), await secrets.hashChosen('op', 'opensesame')]
    expect(one).not.toBe(other)
    expect(one).toMatch(/^scrypt\$16384\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    for (const process of [secrets, open()]) {
      expect(await process.verify('op', [one], 'opensesame')).toBe(true)
      expect(await process.verify('op', [one], 'open sesame')).toBe(false)
      expect(await process.verify('op', [one], 'opensesame')).toBe(true)
    }
  })

  test('gets through among wrong ones that came before it', async () => {
    const hash = await secrets.hashChosen('op', 'opensesame')
    const process = open()
    const wrong = Array.from({ length: 20 }, (_, n) => process.verify('op', [hash], `guess ${n}`))
    const right = [process.verify('op', [hash], 'opensesame'), process.verify('op', [hash], 'opensesame')]
    expect(await Promise.all(right)).toEqual([true, true])
    expect(await Promise.all(wrong)).toEqual(Array(20).fill(false))
  })

  test('stays right beside one that the service made', async () => {
    const made = makeSecret()
    const hashes = [await secrets.hashChosen('op', 'opensesame'), secrets.hash('op', made)]
    const process = open()
    expect(await process.verify('op', hashes, made)).toBe(true)
    expect(await process.verify('op', hashes, 'opensesame')).toBe(true)
    expect(await process.verify('op', hashes, makeSecret())).toBe(false)
  })
})

describe('a secret is wrong', () => {
  test('where there is no hash', async () => {
    expect(await secrets.verify('a', [], makeSecret())).toBe(false)
  })

  test('beyond 1,000 characters, and may have that many', async () => {
    const longest = 'x'.repeat(1_000)
    const hashes = [await secrets.hashChosen('a', longest), await secrets.hashChosen('a', `${longest}x`)]
    expect(await secrets.verify('a', hashes, longest)).toBe(true)
    expect(await secrets.verify('a', hashes, `${longest}x`)).toBe(false)
  })

  test('and no error, against a hash that this service did not write', async () => {
    const secret = makeSecret()
    const salt = Buffer.alloc(16)
    const cheap = scryptSync(secret, salt, 32, { N: 2, r: 8, p: 1 }).toString('base64url')
    const strange = [
      '',
      'plain',
      secret,
      'hmac-sha256$',
      'hmac-sha256$AAAA',
      `scrypt$2$8$1$${salt.toString('base64url')}$${cheap}`,
      `scrypt$16384$8$1$${salt.toString('base64url')}$`,
      'scrypt$16384$8$1$$',
      'scrypt$-1$0$99999999$AAAA$AAAA',
      `${await secrets.hashChosen('a', secret)}$`,
    ]
    for (const hash of strange) expect(await secrets.verify('a', [hash], secret)).toBe(false)
    expect(await secrets.verify('a', [...strange, secrets.hash('a', secret)], secret)).toBe(true)
  })
})
