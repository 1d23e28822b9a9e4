import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BRAZILIAN, type FileForms, FormEvidence, readCardNumber, readCents, readDate } from '#kernel/cell-values.ts'

describe('a day', () => {
  test.for([
    ['2027-02-28', '2027-02-28'],
    ['28/02/1987', '1987-02-28'],
    ['8/2/1987', '1987-02-08'],
    ['28-02-1987', '1987-02-28'],
    ['28.02.1987', '1987-02-28'],
    ['1987/02/28', '1987-02-28'],
    ['28/02/1987 00:00:00', '1987-02-28'],
    ['28/02/1987 0:00', '1987-02-28'],
    ['1987-02-28T00:00:00.000Z', '1987-02-28'],
    ['1987-02-28T00:00:00-03:00', '1987-02-28'],
    ['2/8/1987 12:00:00 AM', '1987-08-02'],
    ['28/02/87', '1987-02-28'],
    ['28021987', '1987-02-28'],
    ['19870228', '1987-02-28'],
    ['28/fev/1987', '1987-02-28'],
    ['28 de fevereiro de 1987', '1987-02-28'],
    ['00/00/0000', ''],
    ['0', ''],
    ['-', ''],
    ['N/A', ''],
    ['31/02/1987', null],
    ['28/02/1987 10:30', null],
    ['28/02-1987', null],
    ['20011231', '2001-12-31'],
    ['20112011', '2011-11-20'],
    ['20102010', '2010-10-20'],
    ['10121012', null],
    ['1987', null],
    ['1/2/3', null],
    ['amanhã', null],
  ] as const)('%j is %j', ([text, date]) => {
    expect(readDate(text)).toBe(date)
  })

  test('of a birth in two digits that may be of two centuries is none', () => {
    expect([readDate('01/02/24', BRAZILIAN, true), readDate('01/02/24')]).toEqual([null, '2024-02-01'])
  })

  test('has the order of its file', () => {
    const forms = (...cells: string[]): FileForms => {
      const evidence = new FormEvidence()
      for (const cell of cells) evidence.addDate(cell)
      return evidence.forms
    }
    expect(readDate('01/02/2027', forms('03/04/2027'))).toBe('2027-02-01')
    expect(readDate('01/02/2027', forms('03/04/2027', '12/25/2027'))).toBe('2027-01-02')
    expect(readDate('12/25/2027', forms('25/12/2027', '12/25/2027'))).toBeNull()
    expect(readDate('01/02/2027', forms('25/12/2027', '12/25/2027'))).toBe('2027-02-01')
  })
})

describe('an amount', () => {
  test.for([
    ['1234,56', 123_456],
    ['1.234,56', 123_456],
    ['1,234.56', 123_456],
    ['1234.56', 123_456],
    ['1 234,56', 123_456],
    ['1\u00a0234,56', 123_456],
    ['1234,5', 123_450],
    ['1234,5600', 123_456],
    ['1234', 123_400],
    ['1.234.567', 123_456_700],
    ['R$ 1.234,56', 123_456],
    ['R$1.234,56', 123_456],
    ['-1.234,56', -123_456],
    ['1.234,56-', -123_456],
    ['(1.234,56)', -123_456],
    ['\u22121.234,56', -123_456],
    ['R$ -1.234,56', -123_456],
    ['-R$ 1.234,56', -123_456],
    ['(R$ 1.234,56)', -123_456],
    ['+12,00', 1_200],
    ['0,00', 0],
    ['1.234', 123_400],
    ['1,234', null],
    ['1234,567', null],
    ['--1', null],
    ['(1', null],
    ['-1-', null],
    ['1.23.456', null],
    ['12,34,56', null],
    ['1,23C', null],
    ['mil', null],
    ['', null],
  ] as const)('%j is %j', ([text, cents]) => {
    const read = readCents(text, BRAZILIAN)
    expect(read === null ? null : Number(read)).toBe(cents)
  })

  test.for([
    ['123,45 D', 12_345],
    ['123,45C', -12_345],
    ['123,45 CR', -12_345],
    ['R$ 123,45 DB', 12_345],
    ['-123,45 C', 12_345],
  ] as const)('%j of a column of debits and credits is %j', ([text, cents]) => {
    expect(Number(readCents(text, { decimals: 'comma', hasDebitAndCredit: true }))).toBe(cents)
  })

  test('with one group of three digits follows the file, or is none', () => {
    const forms = (...cells: string[]): FileForms => {
      const evidence = new FormEvidence()
      for (const cell of cells) evidence.addMoney(cell)
      return evidence.forms
    }
    const both = (read: FileForms) => ['1.234', '1,234'].map((text) => readCents(text, read))
    expect(both(forms('12,50'))).toEqual([123_400n, null])
    expect(both(forms('12.50'))).toEqual([null, 123_400n])
    expect(both(forms('12.50', 'R$ 12,50'))).toEqual([null, null])
  })

  test('is the same in every form', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), (cents) => {
        const reais = Math.floor(Math.abs(cents) / 100)
        const fraction = String(Math.abs(cents) % 100).padStart(2, '0')
        const [dots, commas] = ['pt-BR', 'en-US'].map((locale) => reais.toLocaleString(locale))
        for (const text of [
          `${reais},${fraction}`,
          `${reais}.${fraction}`,
          `${dots},${fraction}`,
          `${commas}.${fraction}`,
        ]) {
          const signed =
            cents < 0
              ? [`-${text}`, `${text}-`, `(${text})`, `\u2212${text}`, `R$ -${text}`]
              : [text, `R$ ${text}`, `+${text}`]
          for (const one of signed) expect([one, Number(readCents(one, BRAZILIAN))]).toEqual([one, cents])
        }
      }),
      { numRuns: 300 },
    )
  })
})

test.for(['0', '000', '-', '--', '—', 'N/A', 'NULL', '#N/D', 'nihil', 'Não informado'])(
  'the card number %j is none',
  (text) => {
    expect(readCardNumber(text)).toBe('')
  },
)
