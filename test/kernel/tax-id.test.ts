import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeCnpj, completeCpf, parseCnpj, parseCpf } from '#kernel/tax-id.ts'

const nineDigits = fc.stringMatching(/^\d{9}$/).filter((text) => !/^(\d)\1*$/.test(text))
const twelveCharacters = fc.stringMatching(/^[A-Z0-9]{12}$/).filter((text) => text !== '000000000000')

const formatCpf = (cpf: string): string => cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
const formatCnpj = (cnpj: string): string => cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')

describe('a CPF', () => {
  test.each([
    ['52998224725', '52998224725'],
    ['529.982.247-25', '52998224725'],
    ['00000000191', '00000000191'],
  ])('%s is taken as %s', (value, expected) => {
    expect(parseCpf(value)).toBe(expected)
  })

  test.each([
    '52998224724',
    '529.982.247-24',
    '5299822472',
    '529982247255',
    '529982247-25',
    '529.982.24725',
    '529 982 247 25',
    ' 52998224725',
    '52998224725\n',
    '５２９９８２２４７２５',
    '',
    52998224725,
    null,
    undefined,
    ['52998224725'],
    { toString: () => '52998224725' },
  ])('%j is refused', (value) => {
    expect(parseCpf(value)).toBeNull()
  })

  test('the ten repeated sequences are refused', () => {
    for (const digit of '0123456789') expect(parseCpf(digit.repeat(11))).toBeNull()
  })

  test('formatted and plain, one person has one normal form', () => {
    fc.assert(
      fc.property(nineDigits, (base) => {
        const cpf = completeCpf(base)
        expect(parseCpf(cpf)).toBe(cpf)
        expect(parseCpf(formatCpf(cpf))).toBe(cpf)
      }),
    )
  })

  // A first check digit of 0 results from two remainders; any other detects every single change.
  test('any single wrong digit is found, where the check digits can detect it', () => {
    const distinguishable = nineDigits.map(completeCpf).filter((cpf) => cpf[9] !== '0')
    fc.assert(
      fc.property(distinguishable, fc.nat(10), fc.integer({ min: 1, max: 9 }), (cpf, at, shift) => {
        const wrong = cpf.slice(0, at) + ((Number(cpf[at]) + shift) % 10) + cpf.slice(at + 1)
        expect(parseCpf(wrong)).toBeNull()
      }),
    )
  })

  test('only nine digits can be completed', () => {
    for (const wrong of ['', '12345678', '1234567890', '12345678a'])
      expect(() => completeCpf(wrong)).toThrow(RangeError)
  })
})

describe('a CNPJ', () => {
  test.each([
    ['11.222.333/0001-81', '11222333000181'],
    ['11222333000181', '11222333000181'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12abc34501de35', '12ABC34501DE35'],
    ['7B4XK2M9000194', '7B4XK2M9000194'],
  ])('%s is taken as %s', (value, expected) => {
    expect(parseCnpj(value)).toBe(expected)
  })

  test.each([
    '11.222.333/0001-82',
    '11.222.333/0001-8',
    '12.ABC.345/01DE-36',
    '12ABC34501DE3A',
    '1222233000181',
    '11.222.333-0001/81',
    '11222333/0001-81',
    '12.ÀBC.345/01DE-35',
    '12.ſBC.345/01DE-35',
    ' 11222333000181',
    '',
    11222333000181,
    null,
    undefined,
  ])('%j is refused', (value) => {
    expect(parseCnpj(value)).toBeNull()
  })

  test('one repeated character is refused, though its check digits are right', () => {
    expect(completeCnpj('000000000000')).toBe('00000000000000')
    for (const digit of '0123456789') expect(parseCnpj(digit.repeat(14))).toBeNull()
  })

  test('letters count: they are never stripped', () => {
    expect(parseCnpj('A11222333000181')).toBeNull()
    expect(parseCnpj('11.222.333/0001-81A')).toBeNull()
  })

  test('formatted, plain or in lower case, one company has one normal form', () => {
    fc.assert(
      fc.property(twelveCharacters, (base) => {
        const cnpj = completeCnpj(base)
        expect(parseCnpj(cnpj)).toBe(cnpj)
        expect(parseCnpj(formatCnpj(cnpj))).toBe(cnpj)
        expect(parseCnpj(formatCnpj(cnpj).toLowerCase())).toBe(cnpj)
      }),
    )
  })

  test('a wrong check digit is refused', () => {
    fc.assert(
      fc.property(
        twelveCharacters,
        fc.integer({ min: 12, max: 13 }),
        fc.integer({ min: 1, max: 9 }),
        (base, at, shift) => {
          const cnpj = completeCnpj(base)
          expect(parseCnpj(cnpj.slice(0, at) + ((Number(cnpj[at]) + shift) % 10) + cnpj.slice(at + 1))).toBeNull()
        },
      ),
    )
  })

  test('only twelve letters or digits can be completed', () => {
    for (const wrong of ['', '12345678901', '1234567890123', '1234567890Á2']) {
      expect(() => completeCnpj(wrong)).toThrow(RangeError)
    }
  })
})

test('no value makes a parser of tax ids throw', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect([parseCpf(value), parseCnpj(value)].every((id) => id === null || typeof id === 'string')).toBe(true)
    }),
  )
})
