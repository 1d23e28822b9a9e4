import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CorrectedRow, shareTaxIds } from '#coverage/members/corrected.ts'
import { seed } from '../../seed.ts'

const row = (id: string, taxId: string, at: number | null): CorrectedRow => ({
  id,
  taxId,
  correctedAt: at === null ? null : new Date(at),
})
const shownOf = (rows: readonly CorrectedRow[]) => {
  const { taxIds, shown } = shareTaxIds(rows)
  return Object.fromEntries(taxIds.map((taxId, index) => [taxId, shown[index]]))
}

test.each([
  ['nobody', [], {}],
  ['one CPF in two companies', [row('a', '1', 5), row('a', '1', 5)], {}],
  ['a former and a newest CPF', [row('a', '1', null), row('a', '2', 5)], { 1: '2', 2: '2' }],
  [
    'two corrections: the later one',
    [row('a', '3', 4), row('a', '2', 5), row('a', '1', null)],
    { 1: '2', 2: '2', 3: '2' },
  ],
  [
    'two ids that share a CPF',
    [row('a', '1', null), row('a', '2', 5), row('b', '2', 7), row('b', '3', null)],
    { 1: '2', 2: '2', 3: '2' },
  ],
  [
    'two people',
    [row('a', '1', null), row('a', '2', 5), row('b', '3', null), row('b', '4', 6)],
    { 1: '2', 2: '2', 3: '4', 4: '4' },
  ],
])('%s', (_what, rows, expected) => {
  expect(shownOf(rows)).toEqual(expected)
})

test('rows that an id or a CPF connects show one CPF, others different ones, whatever their order', () => {
  const rows = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      taxId: fc.constantFrom('1', '2', '3', '4', '5', '6'),
      correctedAt: fc.option(fc.date({ noInvalidDate: true })),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(rows, fc.infiniteStream(fc.nat()), (some, order) => {
      const shown = shownOf(some)
      const of = ({ taxId }: CorrectedRow) => shown[taxId] ?? taxId
      for (const one of some) for (const other of some) if (one.id === other.id) expect(of(one)).toBe(of(other))
      for (const [taxId, to] of Object.entries(shown)) {
        // Who shows another's CPF is connected with it: no id of the one group is in the other.
        const ids = new Set(some.filter((each) => of(each) === to).map(({ id }) => id))
        expect(some.some((each) => each.taxId === taxId && ids.has(each.id))).toBe(true)
        expect(shown[to as string]).toBe(to)
      }
      const shuffled = some.map((each) => [order.next().value, each] as const).toSorted(([a], [b]) => a - b)
      expect(shownOf(shuffled.map(([, each]) => each))).toEqual(shown)
    }),
    { seed },
  )
})
