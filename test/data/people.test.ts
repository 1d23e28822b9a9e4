import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCnpj, parseCpf } from '#kernel/tax-id.ts'
import { cnpjAt, cpfAt, nextCnpj, nextCpf, startSequence } from './people.ts'

const anyNumber = fc.oneof(
  fc.nat(799_999_999),
  // The bases of repeated digits.
  fc.integer({ min: 1, max: 8 }).map((digit) => digit * 111_111_111 - 100_000_000),
)

test('the service accepts every CPF and CNPJ of the generator', () => {
  fc.assert(
    fc.property(anyNumber, (n) => {
      expect(parseCpf(cpfAt(n))).toBe(cpfAt(n))
      expect(parseCnpj(cnpjAt(n))).toBe(cnpjAt(n))
    }),
    { numRuns: 5_000 },
  )
})

test('different numbers give different ids', () => {
  fc.assert(
    fc.property(anyNumber, anyNumber, (one, other) => {
      fc.pre(one !== other)
      expect(cpfAt(one)).not.toBe(cpfAt(other))
      expect(cnpjAt(one)).not.toBe(cnpjAt(other))
    }),
    { numRuns: 2_000 },
  )
})

test('a sequence gives the same ids again under the same seed and name, and others under others', () => {
  const ids = (seed: number, name: string) => {
    startSequence(seed, name)
    return [nextCpf(), nextCnpj(), nextCpf()]
  }
  expect(ids(1, 'a')).toEqual(ids(1, 'a'))
  expect(new Set([...ids(1, 'a'), ...ids(2, 'a'), ...ids(1, 'b')]).size).toBe(9)
})
