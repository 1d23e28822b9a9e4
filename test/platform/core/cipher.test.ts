import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openCipher } from '#platform/core/crypto/cipher.ts'
import { StartError } from '#platform/core/errors.ts'

const bytes = Buffer.from('thirty-two bytes, more or less..')

describe('cipher', () => {
  test('what was encrypted opens for its purpose', () => {
    const cipher = openCipher(randomBytes(32))
    expect(cipher.decrypt('member-id', cipher.encrypt('member-id', bytes))).toEqual(bytes)
    expect(cipher.decrypt('empty', cipher.encrypt('empty', Buffer.alloc(0)))).toHaveLength(0)
  })

  test('the same bytes never look the same twice, nor show through', () => {
    const cipher = openCipher(randomBytes(32))
    const [one, other] = [cipher.encrypt('a', bytes), cipher.encrypt('a', bytes)]
    expect(one.equals(other)).toBe(false)
    expect(one.includes(bytes.subarray(0, 8))).toBe(false)
  })

  test('for another purpose it does not decrypt', () => {
    const cipher = openCipher(randomBytes(32))
    expect(() => cipher.decrypt('signing-key:2', cipher.encrypt('signing-key:1', bytes))).toThrow(StartError)
  })

  test('another master key is told which setting to mend', () => {
    const encrypted = openCipher(randomBytes(32)).encrypt('member-id', bytes)
    expect(() => openCipher(randomBytes(32)).decrypt('member-id', encrypted)).toThrow(/set VIGENCIA_MASTER_KEY/)
  })

  test('no byte of it can be changed or left out', () => {
    const cipher = openCipher(randomBytes(32))
    const encrypted = cipher.encrypt('member-id', bytes)
    for (let at = 0; at < encrypted.length; at += 1) {
      const changed = Buffer.from(encrypted)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => cipher.decrypt('member-id', changed)).toThrow(StartError)
      expect(() => cipher.decrypt('member-id', encrypted.subarray(0, at))).toThrow(StartError)
    }
  })

  test('a master key of another length is refused', () => {
    expect(() => openCipher(randomBytes(16))).toThrow(StartError)
  })
})
