import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import { csv, discrepanciesOf, linesOf, reconcile, upload } from '../../world/carrier-file.ts'
import { dependentOf, holder, ndjson, sendImport } from '../../world/import.ts'
import { openShipper, type Shipper } from '../../world/shipment.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const columns = ['card-number', 'tax-id', 'certificate', 'employee-id', 'name', 'date-of-birth'] as const

/** What a line says of one of the people; several lines may be of one, and some people are not here. */
const line = fc.record({
  person: fc.nat({ max: 9 }),
  shown: fc.subarray([...columns], { minLength: 1 }),
  otherCard: fc.constantFrom(null, null, null, 0, 1, 2),
  code: fc.constantFrom('00', '01'),
  plan: fc.constantFrom('AE1230', 'AE1230', 'XX'),
  start: fc.constantFrom('2024-03-01', '2026-01-01'),
  end: fc.constantFrom('', '', '', '2026-10-31', '2026-11-10'),
  place: fc.nat(),
})
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never

/** People who are here, two of whom share name and birth, then two who are not. */
function peopleOf({ company }: Shipper): Json[] {
  const twin = { name: 'Gêmea Igual', 'date-of-birth': '1985-03-03' }
  const first = holder(company, { name: 'Titular Um', 'employee-id': 'M-1', 'card-number': '100' })
  const second = holder(company, { name: 'Titular Dois', 'employee-id': 'M-2', 'card-number': '101' })
  return [
    first,
    second,
    holder(company, twin),
    holder(company, { ...twin, 'card-number': '102' }),
    dependentOf(company, first['tax-id'], { name: 'Filho Um' }),
    dependentOf(company, first['tax-id'], { name: 'Filha Um', 'card-number': '103' }),
    dependentOf(company, second['tax-id'], { name: 'Filho Dois' }),
    holder(company, { name: 'Sem Cartão' }),
    holder(company, { name: 'Fora Um', 'card-number': '900' }),
    holder(company, { name: 'Fora Dois' }),
  ]
}

const cells = (people: readonly Json[], one: Line): Json => {
  const person = people[one.person]
  const known = { ...person, 'employee-id': person['employee-id'] ?? 'M-1', certificate: `7${one.person % 3}` }
  return {
    ...Object.fromEntries(columns.map((name) => [name, one.shown.includes(name) ? known[name] : ''])),
    ...(one.otherCard !== null && { 'card-number': `10${one.otherCard}` }),
    'dependent-code': one.code,
    'carrier-plan-code': one.plan,
    'start-date': one.start,
    'end-date': one.end,
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

/** What the lines are matched with, and what differs, without their places. */
async function resultOf(shipper: Shipper, lines: readonly Json[]): Promise<{ lines: string[]; found: string[] }> {
  // What a file teaches is not for the next one.
  await testApp.sql(
    'update benefit set carrier_certificate = null, carrier_dependent_code = null where company_id = $1',
    [shipper.company.id],
  )
  const file = await upload(testApp, shipper, csv(lines))
  const { 'repaired-tax-id': _, ...counts } = file.matches
  const counted = Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0)
  expect([file.lines, counted]).toEqual([lines.length, lines.length])
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  const read = await linesOf(testApp, file['file-id'])
  const contents = new Map(read.map((one) => [one['line-number'], withoutIds(one)]))
  const found = await discrepanciesOf(testApp, id)
  return {
    lines: [...contents.values()].toSorted(),
    found: found.map((one) => withoutIds({ ...one, line: contents.get(one['line-number']) ?? null })).toSorted(),
  }
}

test('any order of the lines of a roster gives the same matches and discrepancies, and each line counts once', async () => {
  const shipper = await openShipper(testApp)
  const people = peopleOf(shipper)
  expectOk(await sendImport(testApp.operator, ndjson(people.slice(0, 8))))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 14 }), async (lines) => {
      const shuffled = lines.toSorted((a, b) => a.place - b.place)
      const [first, second] = [lines, shuffled].map((order) => order.map((one) => cells(people, one)))
      const expected = await resultOf(shipper, first ?? [])
      expect(await resultOf(shipper, second ?? [])).toEqual(expected)
      expect(await resultOf(shipper, (first ?? []).toReversed())).toEqual(expected)
    }),
    { numRuns: scaled(12, 300), endOnFailure: true },
  )
  expect(await readViolations(testApp.sql)).toEqual({})
}, 3_600_000)
