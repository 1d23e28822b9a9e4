import { expect, test } from 'vitest'
import { CERTAINTIES } from '#money/rules/forecast-causes.ts'
import { insertPriced } from '../../world/price.ts'
import { expectOk, health, type Json, useTestApp } from '../../world/test-app.ts'
import { openValeClaro, valeClaroDay, type ValeClaro } from '../../world/vale-claro.ts'

/* The charges of a month without an invoice are the forecast, person by person. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: valeClaroDay })

const get = async (path: string): Promise<Json> => expectOk(await testApp.operator.get(path)).body
const chargesOf = ({ contractId }: ValeClaro, month: string, query = '') =>
  get(`/operator/v1/contract/${contractId}/charge?reference-month=${month}&items-per-page=100${query}`)
const forecastOf = async ({ contractId }: ValeClaro, month: string) =>
  (await get(`/operator/v1/contract/${contractId}/forecast?reference-month=${month}`)).result

const sum = (items: readonly Json[]): number => items.reduce((total, { amount }) => total + amount, 0)
const causesOf = (items: readonly Json[]): Json[] => items.flatMap(({ causes }) => causes)

/** Ends people on days around the cut-off: they are asked for, and some reached the carrier. */
async function addLeavers(one: ValeClaro): Promise<void> {
  const ends = ['2026-10-15', '2026-11-30', '2026-12-20', '2027-01-10', '2027-02-28']
  for (const [index, end] of ends.entries()) {
    const { memberId } = await insertPriced(testApp, one.company, {
      name: `Leaver ${index}`,
      born: `19${50 + 9 * index}-12-2${index}`,
    })
    const [row] = await testApp.sql('select tax_id from member where id = $1', [memberId])
    const details = { 'end-date': end, 'exclusion-reason': 'dismissal' }
    const path = `/v1/enrollment/exclusion/${row?.['tax_id']}/product/${one.company.products[health]}`
    const query = index % 2 === 0 ? '' : '?resolution=approve'
    const { body } = expectOk(await one.partner.post(`${path}${query}`, { 'exclusion-details': details }))
    await testApp.finished(one.partner, body['request-id'])
  }
}

test.each([
  ['without a limit', {}],
  ['with limits of the contract', { 'retroactive-exclusion': { unit: 'days', count: 10 } }],
])('the charges of a month to come add up to its forecast, by cause and by certainty: %s', async (_name, settings) => {
  const one = await openValeClaro(testApp, settings)
  await addLeavers(one)
  for (const month of ['2027-01', '2027-02', '2027-03']) {
    const forecast = await forecastOf(one, month)
    const { result, totals } = await chargesOf(one, month)
    expect(new Set(result.map(({ basis }: Json) => basis))).toEqual(new Set(['forecast']))
    expect([sum(result), totals.amount, totals.expected]).toEqual([forecast.total, forecast.total, forecast.total])
    expect(result.reduce((total: number, item: Json) => total + item['last-amount'], 0)).toBe(forecast['last-amount'])
    for (const item of result) {
      expect(sum(item.months)).toBe(item.amount)
      for (const { terms, amount } of item.months) expect(sum(terms)).toBe(amount)
      expect(sum(item.causes)).toBe(item.amount - item['last-amount'])
    }
    for (const { cause, amount } of forecast['by-cause']) {
      const { result: items } = await chargesOf(one, month, `&cause=${cause}`)
      expect([cause, sum(causesOf(items).filter((part) => part.cause === cause))]).toEqual([cause, amount])
    }
    for (const certainty of CERTAINTIES) {
      const { result: items } = await chargesOf(one, month, `&certainty=${certainty}`)
      const change = sum(causesOf(items).filter((part) => part.certainty === certainty))
      const last = certainty === 'firm' ? forecast['last-amount'] : 0
      expect([certainty, change + last]).toEqual([certainty, forecast['by-certainty'][certainty]])
    }
  }
})

test('an open movement is named, with the terms that it leaves', async () => {
  const one = await openValeClaro(testApp)
  const { result } = await chargesOf(one, '2027-01', '&q=marcio')
  expect(result).toMatchObject([
    {
      'member-name': 'Márcio Delgado Furtado',
      amount: -58_067,
      'last-amount': 82_953,
      months: [
        {
          month: '2026-12',
          amount: -58_067,
          terms: [
            { term: 'price', amount: 82_953 },
            { term: 'proration', amount: -58_067, 'covered-days': 9, until: '2026-12-09' },
            { term: 'charged-before', amount: -82_953 },
          ],
        },
      ],
      causes: [
        { cause: 'exit', amount: -82_953, certainty: 'requested' },
        {
          cause: 'retroactive-credit',
          amount: -58_067,
          certainty: 'requested',
          movement: { 'enrollment-id': one.movements.marcio, 'enrollment-type': 'exclusion', 'sent-at': null },
        },
      ],
    },
  ])
  expect((await chargesOf(one, '2027-04')).result).toEqual([])
})
