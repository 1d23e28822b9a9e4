import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCns, parsePis } from '#kernel/registration-numbers.ts'

const digitsOf = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
const changed = (number: string, at: number, shift: number) =>
  number.slice(0, at) + ((Number(number[at]) + shift) % 10) + number.slice(at + 1)

describe('a CNS', () => {
  test.each([
    ['705008734026156', '705008734026156'],
    ['705 0087 3402 6156', '705008734026156'],
    // Made from the PIS 12054789366.
    ['120547893660003', '120547893660003'],
  ])('%s is taken as %s', (value, expected) => {
    expect(parseCns(value)).toBe(expected)
  })

  test.each([
    '705008734026158',
    '705-0087-3402-6156',
    '70500873402615',
    '7050087340261560',
    '305008734026156',
    '000000000000000',
    ' 705008734026156',
    '７０５００８７３４０２６１５６',
    '',
    705_008_734_026_156,
    null,
    undefined,
    ['705008734026156'],
  ])('%j is refused', (value) => {
    expect(parseCns(value)).toBeNull()
  })

  // The weight of the fifth is 11.
  test('any single wrong digit is found, but of the fifth', () => {
    const valid = digitsOf(14)
      .chain((rest) => fc.constantFrom('1', '2', '7', '8', '9').map((first) => first + rest))
      .filter((number) => parseCns(number) !== null)
    fc.assert(
      fc.property(valid, fc.nat(14), fc.integer({ min: 1, max: 9 }), (cns, at, shift) => {
        expect(parseCns(changed(cns, at, shift)) === null).toBe(at !== 4)
      }),
    )
  })
})

describe('a PIS', () => {
  test.each([
    ['12054789366', '12054789366'],
    ['120.54789.36-6', '12054789366'],
    ['01234567897', '01234567897'],
  ])('%s is taken as %s', (value, expected) => {
    expect(parsePis(value)).toBe(expected)
  })

  test.each(['12054789361', '1205478936', '120547893666', '120547893-66', '12054789366 ', '', 12_054_789_366, null])(
    '%j is refused',
    (value) => {
      expect(parsePis(value)).toBeNull()
    },
  )

  test('the ten repeated sequences are refused', () => {
    for (const digit of '0123456789') expect(parsePis(digit.repeat(11))).toBeNull()
  })

  test('each ten digits have one check digit, and a wrong digit before it is found where it is not 0', () => {
    const tenDigits = digitsOf(10).filter((text) => !/^(\d)\1*$/.test(text))
    fc.assert(
      fc.property(tenDigits, fc.nat(9), fc.integer({ min: 1, max: 9 }), (base, at, shift) => {
        const [pis = '', ...others] = Array.from({ length: 10 }, (_, digit) => `${base}${digit}`).filter((one) =>
          parsePis(one),
        )
        expect([pis.length, others]).toEqual([11, []])
        if (!pis.endsWith('0')) expect(parsePis(changed(pis, at, shift))).toBeNull()
      }),
    )
  })
})

test('no value makes a parser throw', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect([parseCns(value), parsePis(value)].every((one) => one === null || typeof one === 'string')).toBe(true)
    }),
  )
})
