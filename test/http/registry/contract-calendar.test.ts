import { expect, test } from 'vitest'
import { calendar, contractBody, makeContract } from '../../world/contract.ts'
import { type Company, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const daysOf = (body: Json): string[] => body.result.map((one: Json) => one['cut-off-date'])
const pathOf = (contract: Json) => `/operator/v1/contract/${contract['contract-id']}/calendar`
const named = (company: Company, more: Json) => makeContract(testApp, company, more)

test('the cut-off days of a contract: of the months asked for, with their cover', async () => {
  const exceptions = [{ month: '2026-12', 'cut-off-date': '2026-12-10' }]
  const contract = await named(await testApp.company(), { calendar: calendar(20, { exceptions }) })
  const { result, pagination } = expectOk(
    await testApp.operator.get(`${pathOf(contract)}?from=2026-11&until=2027-03`),
  ).body
  expect(result.map((one: Json) => [one.month, one['cut-off-date'], one['coverage-start'], one.exception])).toEqual([
    ['2026-11', '2026-11-19', '2026-12-01', false],
    ['2026-12', '2026-12-10', '2027-01-01', true],
    ['2027-01', '2027-01-20', '2027-02-01', false],
    ['2027-02', '2027-02-19', '2027-03-01', false],
    ['2027-03', '2027-03-19', '2027-04-01', false],
  ])
  expect(pagination['total-items']).toBe(5)
  const next = expectOk(await testApp.operator.get(pathOf(contract))).body
  expect([next.result[0].month, next.pagination['total-items']]).toEqual(['2026-11', 12])
})

test('a contract without a calendar has none; an ended one has its own still, and is not in that of all', async () => {
  const company = await testApp.company()
  expect(expectOk(await testApp.operator.get(pathOf(await named(company, {})))).body.result).toEqual([])
  const ended = await named(company, { 'contract-number': 'ENDED', status: 'ended', calendar: calendar(20) })
  expect(expectOk(await testApp.operator.get(pathOf(ended))).body.result).toHaveLength(12)
  const all = expectOk(await testApp.operator.get('/operator/v1/calendar?items-per-page=500')).body.result
  expect(all.filter((one: Json) => one['contract-number'] === 'ENDED')).toEqual([])
})

test('that of all contracts is by day, in pages', async () => {
  const company = await testApp.company({ name: 'Calendário S.A.' })
  const numbers = ['C25', 'C05']
  await named(company, { 'contract-number': 'C25', calendar: calendar(25, { 'when-not-business-day': 'none' }) })
  await named(company, { 'contract-number': 'C05', calendar: calendar(5, { 'when-not-business-day': 'none' }) })
  const read = async (query: string) =>
    expectOk(await testApp.operator.get(`/operator/v1/calendar?from=2030-01&until=2030-02&items-per-page=${query}`))
      .body
  const { result, pagination } = await read('500')
  const ours = result.filter((one: Json) => numbers.includes(one['contract-number']))
  expect(daysOf({ result: ours })).toEqual(['2030-01-05', '2030-01-25', '2030-02-05', '2030-02-25'])
  expect(ours[0]).toMatchObject({ 'company-tax-id': company.taxId, 'company-name': 'Calendário S.A.' })
  expect(daysOf({ result })).toEqual(daysOf({ result }).toSorted())
  const [first, second] = [await read('1'), await read('1&page=2')]
  expect([...first.result, ...second.result]).toEqual(result.slice(0, 2))
  expect(first.pagination['total-items']).toBe(pagination['total-items'])
})

test('as text/calendar all days are whole-day events, in lines of at most 75 octets', async () => {
  const company = await testApp.company({ name: 'Ação, Irmãos; Filhos \\ Cia. de Alimentação e Panificação Ltda.' })
  const contract = await named(company, { 'sub-contract': '0002', calendar: calendar(20) })
  const accept = { accept: 'text/calendar' }
  const response = expectOk(
    await testApp.operator.get(`${pathOf(contract)}?from=2026-11&until=2026-12&items-per-page=1`, accept),
  )
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const { text } = response
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  expect(lines.filter((line) => line.startsWith('DTSTART'))).toEqual([
    'DTSTART;VALUE=DATE:20261119',
    'DTSTART;VALUE=DATE:20261218',
  ])
  expect(lines).toContain(`UID:${contract['contract-id']}-2026-11@vigencia`)
  expect(lines).toContain(
    'SUMMARY:Cut-off: Operadora Aurora\\, contract 900001/0002\\, Ação\\, Irmãos\\; Filhos \\\\ Cia. de Alimentação e Panificação Ltda.',
  )
  const portuguese = await testApp.operator.get('/operator/v1/calendar', { ...accept, 'accept-language': 'pt-BR' })
  expect(portuguese.text).toContain('SUMMARY:Data de corte: ')
})

test('the events are the same at each download, and keep their UID when the day moves', async () => {
  const company = await testApp.company()
  const contract = await named(company, { calendar: calendar(20) })
  const read = async () =>
    expectOk(await testApp.operator.get(`${pathOf(contract)}?from=2026-11&until=2026-11`, { accept: 'text/calendar' }))
      .text
  const before = await read()
  expect(await read()).toBe(before)
  const body = contractBody(company, { calendar: calendar(10) })
  expectOk(await testApp.operator.put(`/operator/v1/contract/${contract['contract-id']}`, body))
  const uid = (text: string) => /UID:.*/.exec(text)?.[0]
  const after = await read()
  expect([uid(after), after === before]).toEqual([uid(before), false])
})

test.each([
  ['from=2026-11&until=2026-10', 'invalid-date-range'],
  ['from=2026-01&until=2028-01', 'invalid-parameter'],
  ['from=2026-13', 'invalid-parameter'],
  ['from=1999-12', 'invalid-parameter'],
  ['from=2026-11-01', 'invalid-parameter'],
])('400: %s', async (query, code) => {
  const contract = await named(await testApp.company(), { calendar: calendar(20) })
  for (const path of [pathOf(contract), '/operator/v1/calendar']) {
    const response = await testApp.operator.get(`${path}?${query}`)
    expect([response.status, response.body.code]).toEqual([400, code])
  }
})
