import { scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashSecret, makeSecret, verifyAgainst } from '../../src/access/secret.ts'

describe('secret', () => {
  test('is 32 random bytes in a form that needs no escaping', () => {
    const secrets = new Set(Array.from({ length: 100 }, makeSecret))
    expect(secrets.size).toBe(100)
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
  })

  test('is right against its own hash, and against either of two', async () => {
    const [first, second] = [makeSecret(), makeSecret()]
    const hashes = [await hashSecret(first), await hashSecret(second)]
    expect(await verifyAgainst(hashes, first)).toBe(true)
    expect(await verifyAgainst(hashes, second)).toBe(true)
    expect(await verifyAgainst(hashes, makeSecret())).toBe(false)
  })

  test('is not told by its hash, which is salted', async () => {
    const secret = makeSecret()
    const [one, other] = [await hashSecret(secret), await hashSecret(secret)]
    expect(one).not.toBe(other)
    expect(one).toMatch(/^scrypt\$16384\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toContain(secret)
  })

  test('is wrong where there is no hash', async () => {
    expect(await verifyAgainst([], makeSecret())).toBe(false)
  })

  test('is wrong beyond 1,000 characters, and may have that many', async () => {
    const longest = 'x'.repeat(1_000)
    const hashes = [await hashSecret(longest), await hashSecret(`${longest}x`)]
    expect(await verifyAgainst(hashes, longest)).toBe(true)
    expect(await verifyAgainst(hashes, `${longest}x`)).toBe(false)
  })

  test('is wrong, not an error, against a hash that this service did not write', async () => {
    const secret = makeSecret()
    const salt = Buffer.alloc(16)
    const cheap = scryptSync(secret, salt, 32, { N: 2, r: 8, p: 1 }).toString('base64url')
    const strange = [
      '',
      'plain',
      secret,
      `scrypt$2$8$1$${salt.toString('base64url')}$${cheap}`,
      `scrypt$16384$8$1$${salt.toString('base64url')}$`,
      'scrypt$16384$8$1$$',
      'scrypt$-1$0$99999999$AAAA$AAAA',
      `${await hashSecret(secret)}$`,
    ]
    for (const hash of strange) expect(await verifyAgainst([hash], secret)).toBe(false)
    expect(await verifyAgainst([...strange, await hashSecret(secret)], secret)).toBe(true)
  })
})
