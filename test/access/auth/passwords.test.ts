import { expect, test } from 'vitest'
import type * as Passwords from '#access/auth/passwords.ts'

// A copy of the module, which test/setup.ts has not changed.
const path = '../../../src/access/auth/passwords.ts?unchanged'
const { hashPassword, verifyPassword } = (await import(path)) as typeof Passwords

const turn = { network: '192.0.2.1' }

test('a password is stored as salted scrypt of a cost that OWASP recommends, and verified against it alone', async () => {
  const [one, other] = [
    await hashPassword('uma senha bem longa', 'ana'),
    await hashPassword('uma senha bem longa', 'ana'),
  ]
  expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  expect(other).not.toBe(one)
  expect(await verifyPassword(one, 'uma senha bem longa', turn)).toBe(true)
  expect(await verifyPassword(one, 'uma senha bem longa.', turn)).toBe(false)
  expect(await verifyPassword(one.replace('32768', '1024'), 'uma senha bem longa', turn)).toBe(false)
  expect(await verifyPassword(null, 'uma senha bem longa', turn)).toBe(false)
})
