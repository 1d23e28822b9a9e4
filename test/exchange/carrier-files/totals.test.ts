import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTotals, isTotalLabel, type SummedRow, totalLabelOf } from '#exchange/carrier-files/totals.ts'

test.each([
  'TOTAL',
  'Total geral',
  'Total Geral:',
  'SUBTOTAL',
  'Sub-total',
  'sub total filial 2',
  'Totais',
  'Soma',
  'SOMA TOTAL',
  'Soma das mensalidades',
  '** TOTAL **',
  'Valor Total',
  'TOTAL DA FATURA 11/2026',
  'Totalização',
  'Somatório',
  'Grand Total',
  'SUM',
  '9 TOTAL',
])('%s is a label of totals', (text) => {
  expect(isTotalLabel(text)).toBe(true)
})

test.each([
  'Soma Ribeiro',
  'Ana Total',
  'Tota Silva',
  'Totalino Souza',
  'Sumaia Prado',
  'Helena Brandão Souza',
  '',
  '2020,00',
  'Subtil Souza',
])('%s is none', (text) => {
  expect(isTotalLabel(text)).toBe(false)
})

const charge = (amount: number): SummedRow => ({ amount, candidate: null })
const total = (amount: number | null, hasIdentity = false): SummedRow => ({
  amount,
  candidate: { label: 'whole', hasIdentity },
})
const part = (amount: number): SummedRow => ({ amount, candidate: { label: 'part', hasIdentity: false } })
const alone = (amount: number): SummedRow => ({ amount, candidate: { label: null, hasIdentity: false } })

/** The rows that are totals: where, what they say, and what their rows sum up to. */
const totalsOf = (...rows: readonly SummedRow[]) =>
  [...findTotals(rows)].map(([row, { stated, summed }]) => [row, stated, summed])

test.each<[string, readonly SummedRow[], readonly (readonly (number | null)[])[]]>([
  ['with a label', [charge(100), charge(200), total(300)], [[2, 300, 300]]],
  ['with a label and another sum', [charge(100), charge(200), total(301)], [[2, 301, 300]]],
  ['with a label and no amount', [charge(100), total(null)], [[1, null, 100]]],
  ['before its rows', [total(300), charge(100), charge(200)], [[0, 300, 300]]],
  ['of the amount alone', [charge(100), charge(200), alone(300)], [[2, 300, 300]]],
  ['of the amount alone, before its rows', [alone(300), charge(100), charge(200)], [[0, 300, 300]]],
  ['that is no sum, of the amount alone', [charge(100), charge(200), alone(299)], []],
  [
    'of parts and of all',
    [charge(100), charge(200), part(300), charge(50), part(50), total(350)],
    [
      [2, 300, 300],
      [4, 50, 50],
      [5, 350, 350],
    ],
  ],
  [
    'of a part that differs',
    [charge(100), charge(200), part(300), charge(50), charge(60), part(111), total(410)],
    [
      [2, 300, 300],
      [5, 111, 110],
      [6, 410, 410],
    ],
  ],
  [
    'of parts and of all, of amounts alone',
    [charge(100), charge(200), alone(300), charge(50), charge(10), alone(60), alone(360)],
    [
      [2, 300, 300],
      [5, 60, 60],
      [6, 360, 360],
    ],
  ],
  ['of a family', [charge(70), charge(100), charge(200), total(300, true)], [[3, 300, 300]]],
  ['of somebody, that is no sum', [charge(100), charge(200), total(250, true)], []],
  ['with a credit', [charge(100), charge(-30), total(70)], [[2, 70, 70]]],
])('a row %s', (_, rows, expected) => {
  expect(totalsOf(...rows)).toEqual(expected)
})

test('any amounts in any parts with their totals: every total is found and right, and no charge is one', () => {
  const parts = fc.array(fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 2, maxLength: 6 }), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(parts, (all) => {
      const sum = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0)
      const rows = all.flatMap((amounts) => [...amounts.map(charge), part(sum(amounts))])
      const found = findTotals([...rows, total(sum(all.flat()))])
      expect([...found.values()].every(({ stated, summed }) => stated === summed)).toBe(true)
      expect(found.size).toBe(all.length + 1)
    }),
    { seed: 49, numRuns: 300 },
  )
})

test('of several labels one that is nothing else counts', () => {
  expect(totalLabelOf(['Total Express Ltda', 'Ana', 'TOTAL'])).toBe('TOTAL')
  expect(totalLabelOf(['Ana', '1,00'])).toBeNull()
})
