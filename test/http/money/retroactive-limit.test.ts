import { describe, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { readViolations } from '../../crash/invariants.ts'
import { openValeClaro, valeClaroDay, type ValeClaro } from '../../world/vale-claro.ts'
import { expectOk, health, inProduct, type Json, primary, useTestApp } from '../../world/test-app.ts'

/* How far back a contract says that its carrier recognizes a movement: a deadline. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: valeClaroDay })

const days = (count: number) => ({ unit: 'days', count }) as const
const months = (count: number) => ({ unit: 'months', count }) as const

/** The limit of a movement as its detail and the operators' list have it. */
async function limitOf(one: ValeClaro, id: string): Promise<(string | null)[]> {
  const { result } = expectOk(await one.partner.get(`/v1/enrollment/detail/${id}`)).body
  const found = result['deadlines'].find(({ kind }: Json) => kind === 'retroactive-limit')
  const query = `company-tax-id=${one.company.taxId}&kind=retroactive-limit`
  const listed = expectOk(await testApp.operator.get(`/operator/v1/deadline?${query}`)).body.result
  const item = listed.find((deadline: Json) => deadline['enrollment-id'] === id)
  expect(found?.norm ?? 'contract').toBe('contract')
  expect(item?.norm ?? 'contract').toBe('contract')
  return [found?.until ?? null, item?.until ?? null]
}

async function putContract(one: ValeClaro, more: Json): Promise<void> {
  const path = `/operator/v1/contract/${one.contractId}`
  const { 'contract-id': _id, 'next-cut-off': _next, ...body } = expectOk(await testApp.operator.get(path)).body.result
  expectOk(await testApp.operator.put(path, { ...body, ...more }))
}

test('an exclusion and an inclusion have it from the setting of the contract, and by its change', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': days(30), 'retroactive-inclusion': months(1) })
  const { marcio, davi, celia } = one.movements
  expect(await limitOf(one, marcio)).toEqual(['2027-01-08', '2027-01-08'])
  // The last cut-off whose invoice is one month after December.
  expect(await limitOf(one, davi)).toEqual(['2026-12-18', '2026-12-18'])
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${davi}`)).body
  expect(result).toMatchObject({ 'due-date': '2026-12-18', 'due-kind': 'retroactive-limit' })
  // The carrier has it.
  expect(await limitOf(one, celia)).toEqual(['2026-12-30', null])

  expect(await readViolations(testApp.sql)).not.toHaveProperty('retroactive-limit')

  await putContract(one, { 'retroactive-exclusion': months(2), 'retroactive-inclusion': null })
  expect(await limitOf(one, marcio)).toEqual(['2027-01-18', '2027-01-18'])
  expect(await limitOf(one, davi)).toEqual([null, null])
  await putContract(one, { 'retroactive-exclusion': days(5), 'retroactive-inclusion': days(24) })
  expect(await limitOf(one, marcio)).toEqual([valeClaroDay, valeClaroDay])
  expect(await limitOf(one, davi)).toEqual(['2026-12-25', '2026-12-25'])
  expect(await readViolations(testApp.sql)).not.toHaveProperty('retroactive-limit')
  // It had passed when it was requested: nobody can meet it.
  await putContract(one, { 'retroactive-exclusion': days(4) })
  expect(await limitOf(one, marcio)).toEqual([null, null])
})

test('it is reported before it comes', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': days(12) })
  const { marcio } = one.movements
  expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': valeClaroDay }))
  const events = await testApp.sql(
    `select data->>'kind' as kind, data->>'until' as until from event where type = 'deadline.approaching' and data->>'enrollment-id' = $1`,
    [marcio],
  )
  expect(events).toEqual([{ kind: 'retroactive-limit', until: '2026-12-21' }])
})

test('months of a contract without a calendar give none', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': months(2) })
  await putContract(one, { calendar: null })
  expect(await limitOf(one, one.movements.marcio)).toEqual([null, null])
})

describe('a request near the limit, or after it, is accepted with a warning', () => {
  const field = 'exclusion-details.end-date'
  const warned = { field, 'product-name': health }
  const ofEnd = (endDate: string) => ({ 'end-date': endDate, 'exclusion-reason': 'dismissal' })

  /** Whom the batch excludes last with these days before today. */
  async function openWith(count: number) {
    const one = await openValeClaro(testApp, {
      'retroactive-exclusion': days(count),
      'retroactive-inclusion': days(count),
    })
    const entry = (name: string, endDate: string) => ({ 'tax-id': one.cpfs[name], 'exclusion-details': ofEnd(endDate) })
    const names = ['Nair Toledo Guerra', 'Gilson Arruda Penteado', 'Ruth Camargo Leite'] as const
    // Yesterday, in 7 days, in 8 days.
    const ends = [-1, 7, 8].map((left) => addDays(valeClaroDay, left - count))
    const members = names.map((name, index) => entry(name, ends[index] ?? ''))
    return { one, members, body: { 'company-tax-id': one.company.taxId, members } }
  }

  const expected = [
    { index: 0, warning: 'retroactive-limit-passed', until: '2026-12-13', ...warned },
    { index: 1, warning: 'retroactive-limit-near', until: '2026-12-21', ...warned },
  ]

  test('of a batch of exclusions, of partners and operators', async () => {
    const { one, body } = await openWith(20)
    const dry = expectOk(await one.partner.post('/v1/enrollment/exclusion?dry-run=true', body)).body
    expect(dry.warnings).toEqual(expected)
    const sent = expectOk(await one.partner.post('/v1/enrollment/exclusion', body)).body
    expect(sent.warnings).toEqual(expected)
    await testApp.finished(one.partner, sent['request-id'])
    const { one: other, body: theirs } = await openWith(20)
    const intake = { medium: 'phone', 'received-at': `${valeClaroDay}T12:00:00Z`, 'requester-name': 'Ana Prado' }
    const path = '/operator/v1/enrollment/exclusion?dry-run=true'
    expect(expectOk(await testApp.operator.post(path, { ...theirs, intake })).body.warnings).toEqual(expected)
    expect(other.contractId).not.toBe(one.contractId)
  })

  test('of the exclusion of one person, with a sentence in Portuguese; of who keeps the plan there is none', async () => {
    const { one, members } = await openWith(20)
    const exclude = (index: number, more: Json = {}) => {
      const entry = members[index]
      const path = `/v1/enrollment/exclusion/${entry?.['tax-id']}/product/${one.company.products[health]}`
      return one.partner.post(
        path,
        { 'exclusion-details': { ...entry?.['exclusion-details'], ...more } },
        { 'accept-language': 'pt-BR' },
      )
    }
    expect(expectOk(await exclude(0)).body.warnings).toEqual([
      {
        warning: 'retroactive-limit-passed',
        until: '2026-12-13',
        ...warned,
        message: expect.stringContaining('já passou'),
      },
    ])
    expect(expectOk(await exclude(2)).body).not.toHaveProperty('warnings')
    expect(expectOk(await exclude(1, { 'extension-plan': true })).body).not.toHaveProperty('warnings')
  })

  test('of a batch of inclusions', async () => {
    const { one } = await openWith(20)
    const member = (left: number) =>
      primary({
        'admission-date': addDays(valeClaroDay, left - 20),
        products: inProduct('health-insurance', health, 'on-admission-date'),
      })
    const members = [member(-1), member(7), member(8)]
    const body = { 'company-tax-id': one.company.taxId, members }
    const { warnings } = expectOk(await one.partner.post('/v1/enrollment/inclusion?dry-run=true', body)).body
    const limits = warnings.filter(({ warning }: Json) => warning.startsWith('retroactive-limit'))
    expect(limits.map(({ index, warning, until }: Json) => [index, warning, until])).toEqual([
      [0, 'retroactive-limit-passed', '2026-12-13'],
      [1, 'retroactive-limit-near', '2026-12-21'],
    ])
  })
})
