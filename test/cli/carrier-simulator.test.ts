import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusals, simulateAcknowledgement } from '#apps/cli/carrier-simulator/acknowledgement.ts'
import {
  type CoveredBenefit,
  INVOICE_ERRORS,
  ROSTER_ERRORS,
  simulateInvoice,
  simulateRoster,
} from '#apps/cli/carrier-simulator/carrier-file.ts'
import { act, enroll, moved, openShipmentOf, openShipper, readShipment } from '../world/shipment.ts'
import { primary, useTestApp } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

const testApp = useTestApp()
let cli: Cli

beforeAll(async () => {
  cli = await openCli()
  await cli.signIn(testApp.url, { operator: testApp.operator })
})
afterAll(() => cli.clear())

const items = Array.from({ length: 20 }, (_, index) => ({
  'enrollment-id': `01995e0c-7011-7a0e-8c44-0e9b1d2f${String(3_000 + index)}`,
  'enrollment-type': index % 4 === 3 ? 'exclusion' : 'inclusion',
}))
const asOf = '2026-11-25'
const benefits = Array.from({ length: 30 }, (_, index): CoveredBenefit => ({
  benefitId: `benefit-${String(index).padStart(2, '0')}`,
  cardNumber: `900${index}`,
  taxId: '52998224725',
  name: `Pessoa ${index}`,
  dateOfBirth: `${1950 + 2 * index}-03-15`,
  relationship: 'primary',
  planCode: 'AE1230',
  startDate: '2025-01-01',
}))

test('an answer is the same for a seed, whatever the order of the items, and another for another seed', () => {
  const answer = simulateAcknowledgement(items, { seed: 7, refuse: 0.2 })
  const byId = (lines: typeof answer) => lines.toSorted((a, b) => a['enrollment-id'].localeCompare(b['enrollment-id']))
  expect(byId(simulateAcknowledgement(items.toReversed(), { seed: 7, refuse: 0.2 }))).toEqual(byId(answer))
  expect(simulateAcknowledgement(items, { seed: 8, refuse: 0.2 })).not.toEqual(answer)
})

test.each([
  [{ refuse: 0 }, 0],
  [{ refuse: 0.1 }, 2],
  [{ refuse: 1 }, 20],
  [{ refuseCount: 3 }, 3],
  [{ refuseCount: 30 }, 20],
])(
  'with %j of 20 items %i are refused, the others have a protocol, and inclusions a card of their own',
  (options, count) => {
    for (const seed of [1, 2, 3]) {
      const lines = simulateAcknowledgement(items, { seed, ...options })
      expect(lines.map((line) => line['enrollment-id'])).toEqual(items.map((item) => item['enrollment-id']))
      const refused = lines.filter(({ outcome }) => outcome === 'refused')
      expect(refused).toHaveLength(count)
      for (const { code, message } of refused) expect(refusals).toContainEqual({ code, message })
      const cards = lines.flatMap((line) => line['card-number'] ?? [])
      expect(new Set(cards).size).toBe(cards.length)
      for (const [index, line] of lines.entries()) {
        const isCarded = line.outcome === 'accepted' && items[index]?.['enrollment-type'] === 'inclusion'
        expect([line.protocol !== undefined, line['card-number'] !== undefined]).toEqual([
          line.outcome === 'accepted',
          isCarded,
        ])
      }
    }
  },
)

test('a roster lists its errors: each names the line that has it, and the rest is as it is here', () => {
  for (const seed of [1, 7, 99]) {
    const { lines, errors } = simulateRoster(benefits, { seed, errors: 20, asOf })
    expect(errors.map((error) => error.class).toSorted()).toEqual([...ROSTER_ERRORS, ...ROSTER_ERRORS].toSorted())
    const wrong = new Set(errors.flatMap((error) => error['line-number'] ?? []))
    const known = new Map(benefits.map((one) => [one.benefitId, { ...one, endDate: null }]))
    for (const [index, line] of lines.entries()) {
      if (!wrong.has(index + 1)) expect(line).toEqual(known.get(line.benefitId))
    }
    for (const error of errors) {
      const line = lines[Number(error['line-number']) - 1]
      const copies = lines.filter((one) => one.benefitId === error['benefit-id'])
      if (error.class === 'missing-at-carrier') expect(copies).toEqual([])
      else if (error.class === 'duplicate-in-file') expect(copies).toHaveLength(2)
      else if (error.class === 'unknown-here') expect(line?.taxId).toBe(error.found)
      else {
        expect(copies).toEqual([line])
        expect(line).not.toEqual(known.get(error['benefit-id'] ?? ''))
      }
    }
    expect(simulateRoster(benefits.toReversed(), { seed, errors: 20, asOf })).toEqual({ lines, errors })
  }
})

test('an invoice charges each benefit once by age, but for its errors', () => {
  const plain = simulateInvoice(benefits, { seed: 1, errors: 0, asOf })
  expect(plain.lines.map(({ amount }) => amount)).toEqual(
    plain.lines.map(({ amount }) => amount).toSorted((a, b) => b - a),
  )
  const { lines, errors } = simulateInvoice(benefits, { seed: 5, errors: 8, asOf })
  expect(errors.map((error) => error.class).toSorted()).toEqual([...INVOICE_ERRORS, ...INVOICE_ERRORS].toSorted())
  const amounts = new Map(plain.lines.map((line) => [line.benefitId, line.amount]))
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  const differences = errors.map((error) => {
    if (error.class === 'charged-unknown') return lines[Number(error['line-number']) - 1]?.amount ?? 0
    const expected = amounts.get(error['benefit-id'] ?? '')
    expect(error.expected).toBe(String(expected))
    return Number(error.found) - Number(expected)
  })
  expect(total).toBe([...amounts.values(), ...differences].reduce((sum, amount) => sum + amount, 0))
})

test('a sent shipment is answered: three are refused, the others completed with a card; the roster and the invoice have them', async () => {
  const shipper = await openShipper(testApp)
  await enroll(
    testApp,
    shipper,
    Array.from({ length: 8 }, () => primary()),
  )
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const early = await cli.run(['carrier-simulator', 'acknowledge', id])
  expect([early.code, early.err]).toEqual([1, expect.stringContaining('no items that wait')])
  await act(testApp, id, 'send')
  await moved(testApp, id)
  const written = await cli.file('retorno.ndjson', '')
  const simulate = ['carrier-simulator', 'acknowledge', id, '--refuse-count', '3', '--seed', '5']
  expect((await cli.run([...simulate, '--output', written, '--yes'])).code).toBe(0)
  const lines = (await readFile(written, 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(8)
  const answered = await cli.run(simulate)
  expect(answered).toMatchObject({ code: 0 })
  expect(answered.out.match(/^refused /gm)).toHaveLength(3)
  expect((await readShipment(testApp, id)).counts).toMatchObject({ accepted: 5, refused: 3, sent: 0 })
  const cards = lines.flatMap((line) => JSON.parse(line)['card-number'] ?? [])

  // The first error of both kinds leaves a line out.
  for (const kind of ['roster', 'invoice'] as const) {
    const file = join(dirname(written), `${kind}.csv`)
    const made = await cli.run(['carrier-simulator', kind, shipper.contractId, '--output', file, '--errors', '1'])
    expect(made).toMatchObject({ code: 0 })
    const [heading, ...rows] = (await readFile(file, 'utf8')).trim().split('\r\n')
    expect(heading).toMatch(/^card-number;tax-id;name;/)
    const oracle = JSON.parse(await readFile(`${file}.errors.json`, 'utf8'))
    expect(oracle).toMatchObject({ kind, seed: 1, lines: rows.length })
    expect(oracle.errors).toHaveLength(1)
    expect(rows).toHaveLength(4)
    for (const row of rows) expect(cards).toContain(row.split(';')[0])
  }
})

test.each([
  ['acknowledge', 'x', '--refuse', '2'],
  ['acknowledge', 'x', '--seed', 'abc'],
  ['roster', 'x', '--output', 'y', '--errors', '-1'],
])('an option that is no number of its range: %s %s %s %s', async (...words) => {
  expect((await cli.run(['carrier-simulator', ...words])).code).toBe(2)
})
