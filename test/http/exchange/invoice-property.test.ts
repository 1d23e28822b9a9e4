import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LINE_MATCHES } from '#exchange/carrier-files/line-queries.ts'
import { ALLOCATION_GROUPS } from '#money/rules/allocation.ts'
import { ENTRY_TYPES } from '#kernel/reconciliation.ts'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import { seed } from '../../seed.ts'
import { csv, discrepanciesOf, linesOf, reconcile, upload } from '../../world/carrier-file.ts'
import { insertPriced, type PricedPerson, pricedContract, putBands } from '../../world/price.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })

/** Two share their name and birth, one has left, one comes later. */
const people: readonly PricedPerson[] = [
  { name: 'Titular Um', born: '1990-01-01', costCenter: '1', employeeId: 'M-1', benefit: { card_number: '100' } },
  { name: 'Titular Dois', born: '1987-11-18', costCenter: '2', employeeId: 'M-2', benefit: { card_number: '101' } },
  { name: 'Gêmea Igual', born: '1985-03-03', costCenter: '2' },
  { name: 'Gêmea Igual', born: '1985-03-03', benefit: { card_number: '103' } },
  {
    name: 'Já Saiu',
    born: '2015-05-05',
    costCenter: '3',
    benefit: { card_number: '104', status: 'inactive', end_date: '2026-10-15' },
  },
  { name: 'Vem Depois', born: '1970-02-02', benefit: { card_number: '105', start_date: '2026-12-05' } },
]

const columns = ['card-number', 'name', 'date-of-birth'] as const
const line = fc.record({
  // Some are unknown here, and some entries are of nobody.
  person: fc.nat({ max: people.length + 2 }),
  shown: fc.subarray([...columns], { minLength: 1 }),
  amount: fc.oneof(
    fc.constantFrom('412,35', '-412,35', '741,63', '815,79', 'x'),
    fc.integer({ min: -300_000, max: 300_000 }).map(decimal),
  ),
  type: fc.constantFrom('', '', 'monthly', ...ENTRY_TYPES),
  month: fc.constantFrom('', '', '2026-11', '2026-10', '2026-08'),
  place: fc.nat(),
})
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never

function decimal(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',')
}

function cells({ person, shown, amount, type, month }: Line): Json {
  const known = people[person] ?? { name: `Fora ${person}`, born: '1999-09-09', benefit: { card_number: `9${person}` } }
  const all = { 'card-number': known.benefit?.['card_number'] ?? '', name: known.name, 'date-of-birth': known.born }
  const isOfNobody = person > people.length + 1
  return {
    ...Object.fromEntries(columns.map((name) => [name, shown.includes(name) && !isOfNobody ? all[name] : ''])),
    'entry-type': type,
    'entry-month': month,
    amount,
  }
}

const withoutIds = ({
  'line-number': _line,
  // Ids of what differs, at the first of the lines that it is about.
  discrepancies: _discrepancies,
  'discrepancy-id': _id,
  'reconciliation-id': _of,
  'created-at': _created,
  'updated-at': _updated,
  ...rest
}: Json) => JSON.stringify(rest)

const sum = (list: readonly Json[], of: (one: Json) => number): number =>
  list.reduce((total, one) => total + of(one), 0)

/** Compares a file. @returns what its lines are matched with and what differs, without their places. */
async function resultOf(contractId: string, taxId: string, lines: readonly Json[]): Promise<Json> {
  const file = await upload(testApp, { contractId, kind: 'invoice' }, csv(lines))
  const id = file['file-id']
  const read = await linesOf(testApp, id)
  const byMatch = await Promise.all(LINE_MATCHES.map((match) => linesOf(testApp, id, `&match=${match}`)))
  const numbers = (list: readonly Json[]) => list.map((one) => one['line-number'])
  expect(numbers(byMatch.flat()).toSorted((a, b) => a - b)).toEqual(numbers(read))
  expect(read).toHaveLength(lines.length)

  const compared = await reconcile(testApp, id)
  const found = await discrepanciesOf(testApp, compared['reconciliation-id'])
  const total = sum(read, ({ amount }) => amount ?? 0)
  expect([file['computed-total'], compared['carrier-total']]).toEqual([total, total])
  expect(compared.discrepancy).toBe(sum(found, ({ amount }) => amount ?? 0))

  for (const group of ALLOCATION_GROUPS) {
    const path = `/operator/v1/company/${taxId}/cost?reference-month=2026-11&items-per-page=500&group-by=${group}`
    const { result, totals } = expectOk(await testApp.operator.get(path)).body
    expect([sum(result, (one) => one.total), totals.total]).toEqual([total, total])
  }
  const contents = new Map(read.map((one) => [one['line-number'], withoutIds(one)]))
  return {
    expected: compared['expected-total'],
    lines: [...contents.values()].toSorted(),
    // What is charged for a benefit and month counts together, and names the first of its lines.
    found: found
      .map((one) => withoutIds({ ...one, line: one['benefit-id'] === null ? contents.get(one['line-number']) : null }))
      .toSorted(),
  }
}

test('any order of the lines of an invoice gives the same; groups, differences and matches sum to its lines, to the cent', async () => {
  const company = await testApp.company()
  const { 'contract-id': contractId } = await pricedContract(testApp, company)
  await putBands(testApp, contractId)
  for (const person of people) await insertPriced(testApp, company, person)
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 16 }), async (lines) => {
      const first = lines.map(cells)
      const shuffled = lines.toSorted((a, b) => a.place - b.place).map(cells)
      const expected = await resultOf(contractId, company.taxId, first)
      expect(await resultOf(contractId, company.taxId, shuffled)).toEqual(expected)
      expect(await resultOf(contractId, company.taxId, first.toReversed())).toEqual(expected)
    }),
    { numRuns: scaled(10, 300), seed, endOnFailure: true },
  )
  expect(await readViolations(testApp.sql)).toEqual({})
}, 3_600_000)
