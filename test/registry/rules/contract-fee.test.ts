import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ContractFee, repeatedFees } from '#registry/rules/contract-fee.ts'
import { type EntryLine, judgeEntries } from '#exchange/rules/entry-comparison.ts'
import { IMPERSONAL_ENTRY_TYPES, type ImpersonalEntryType } from '#kernel/reconciliation.ts'

const line = (amount: number, entryType: ImpersonalEntryType = 'fee', more: Partial<EntryLine> = {}): EntryLine => ({
  lineNumber: 1,
  amount,
  entryType,
  entryPeriod: null,
  entryCode: null,
  isAmbiguous: false,
  kind: 'entry',
  isClaimed: false,
  ...more,
})
const fee = (
  amount: number | null,
  entryType: ImpersonalEntryType = 'fee',
  code: string | null = null,
): ContractFee => ({
  'entry-type': entryType,
  'entry-code': code,
  amount,
  name: null,
})
const judged = (lines: readonly EntryLine[], fees: readonly ContractFee[]) => {
  const { expected, discrepancies } = judgeEntries(lines, fees)
  return [expected, discrepancies.map((found) => [found.class, found.lineNumber, found.expected, found.amount])]
}

test.each([
  ['of no fee', [line(4500)], [], [0, [['fee-unknown', 1, 0, 4500]]]],
  ['of a fee', [line(4500)], [fee(4500)], [4500, []]],
  ['of a fee of any amount', [line(4500), line(700, 'fee', { lineNumber: 2 })], [fee(null)], [5200, []]],
  ['of less than the fee', [line(4400)], [fee(4500)], [4400, []]],
  ['of more than the fee', [line(4600)], [fee(4500)], [4500, [['fee-unknown', 1, 4500, 100]]]],
  ['twice', [line(4500), line(4500, 'fee', { lineNumber: 2 })], [fee(4500)], [4500, [['fee-unknown', 2, 0, 4500]]]],
  ['of another type', [line(4500, 'tax')], [fee(4500)], [0, [['fee-unknown', 1, 0, 4500]]]],
  [
    'of another code',
    [line(4500, 'fee', { entryCode: '52' })],
    [fee(4500, 'fee', '51')],
    [0, [['fee-unknown', 1, 0, 4500]]],
  ],
  ['of a discount', [line(-100, 'discount')], [fee(-100, 'discount')], [-100, []]],
  ['of the other sign', [line(-100)], [fee(100)], [0, [['fee-unknown', 1, 0, -100]]]],
  ['that credits a claim', [line(-100, 'other', { isClaimed: true })], [], [-100, []]],
] as const)('an entry %s', (_, lines, fees, expected) => {
  expect(judged(lines, fees)).toEqual(expected)
})

test('what is expected and what is not are all entries, and no fee gives more than it has', () => {
  const type = fc.constantFrom(...IMPERSONAL_ENTRY_TYPES)
  const code = fc.constantFrom(null, '51', '52')
  const entry = fc.tuple(fc.integer({ min: -9000, max: 9000 }), type, code)
  const named = fc.uniqueArray(fc.tuple(fc.option(fc.integer({ min: -9000, max: 9000 })), type, code), {
    selector: ([, ofType, ofCode]) => `${ofType} ${ofCode}`,
  })
  fc.assert(
    fc.property(fc.array(entry), named, (entries, fees) => {
      const lines = entries.map(([amount, ofType, entryCode], index) =>
        line(amount, ofType, { lineNumber: index + 1, entryCode }),
      )
      const of = fees.map(([amount, ofType, ofCode]) => fee(amount, ofType, ofCode))
      const { expected, discrepancies } = judgeEntries(lines, of)
      const all = lines.reduce((sum, { amount }) => sum + amount, 0)
      expect(expected + discrepancies.reduce((sum, { amount }) => sum + (amount ?? 0), 0)).toBe(all)
      if (of.some(({ amount }) => amount === null)) return
      const most = of.reduce((sum, { amount }) => sum + Math.max(0, amount ?? 0), 0)
      expect(expected).toBeLessThanOrEqual(most)
    }),
    { seed: 49, numRuns: 500 },
  )
})

test('two fees of one type and code are refused', () => {
  expect(repeatedFees([fee(1), fee(2, 'fee', '51'), fee(3)])).toEqual([
    { field: 'contract-fees[2].entry-type', code: 'repeated' },
  ])
})
