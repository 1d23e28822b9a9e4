import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openCipher } from '#platform/core/crypto/cipher.ts'
import { serviceKeyPurpose } from '#platform/core/crypto/stored-keys.ts'
import type { Database } from '#platform/core/database.ts'
import { isValidChallenge, makeChallenge, type Purpose } from '#access/passkeys/challenges.ts'

const cipher = openCipher(randomBytes(32))

/** What the challenges are made with: the key that a database has stored. */
function keysOf(key: Buffer) {
  const value = cipher.encrypt(serviceKeyPurpose('passkey-challenge'), key)
  return { cipher, database: { query: async () => [{ value }] } as unknown as Database }
}

const keys = keysOf(randomBytes(32))
const minute = 60_000
const now = Date.UTC(2026, 10, 26)
const isValid = (challenge: Buffer, purpose: Purpose, at: number) =>
  isValidChallenge(keys, purpose, challenge.toString('base64url'), at)

test('a challenge of a passkey is valid for five minutes, for its own purpose', async () => {
  const challenge = await makeChallenge(keys, 'registration ana', now)
  expect(await isValid(challenge, 'registration ana', now + 5 * minute - 1)).toBe(true)
  expect(await isValid(challenge, 'registration ana', now + 5 * minute)).toBe(false)
  expect(await isValid(challenge, 'registration bia', now)).toBe(false)
  expect(await isValid(challenge, 'sign-in', now)).toBe(false)
})

test('no two challenges are equal, and none is valid after a bit was changed or under another key', async () => {
  const challenge = await makeChallenge(keys, 'sign-in', now)
  expect((await makeChallenge(keys, 'sign-in', now)).equals(challenge)).toBe(false)
  for (let bit = 0; bit < challenge.length * 8; bit += 1) {
    const changed = Buffer.from(challenge)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect([bit, await isValid(changed, 'sign-in', now)]).toEqual([bit, false])
  }
  expect(await isValid(challenge.subarray(1), 'sign-in', now)).toBe(false)
  const others = keysOf(randomBytes(32))
  expect(await isValidChallenge(others, 'sign-in', challenge.toString('base64url'), now)).toBe(false)
})
