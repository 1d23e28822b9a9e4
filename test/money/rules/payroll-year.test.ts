import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaled } from '../../scale.ts'
import { type Outcome, runHistory } from './payroll-history.ts'

const seeds = fc.integer({ min: 1, max: 2_000_000_000 })

type Key = Pick<Outcome['due'][number], 'memberId' | 'kind' | 'productType' | 'originMonth'>
const keyOf = ({ memberId, kind, productType, originMonth }: Key) => `${memberId} ${kind} ${productType} ${originMonth}`

/** The sums that are not zero, by key. */
function sumsOf(amounts: readonly (readonly [key: string, amount: number])[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const [key, amount] of amounts) sums.set(key, (sums.get(key) ?? 0) + amount)
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const exportedOf = ({ exported }: Outcome) => sumsOf(exported.map((line) => [keyOf(line), line.amount] as const))

test('over eighteen months what was exported is what is due, whenever months are closed and exports made', () => {
  fc.assert(
    fc.property(seeds, seeds, seeds, (history, schedule, other) => {
      const outcome = runHistory(history, schedule)
      expect(outcome.repeated).toBe(0)
      expect(exportedOf(outcome)).toEqual(sumsOf(outcome.due.map((line) => [keyOf(line), line.due] as const)))
      expect(exportedOf(runHistory(history, other))).toEqual(exportedOf(outcome))
      const held = outcome.due.reduce((sum, line) => sum + line.held, 0)
      const total = outcome.exported.reduce((sum, { amount }) => sum + amount, 0)
      expect(total + held).toBe(outcome.closed + outcome.recurring)
      for (const { amount, people } of outcome.exported) {
        expect(people.reduce((sum, part) => sum + part.amount, 0)).toBe(amount)
      }
    }),
    { numRuns: scaled(200, 1_000), seed: 20_270_630 },
  )
})
