import { beforeAll, describe, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { calendar, makeContract } from '../../world/contract.ts'
import { type Client, type Company, expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'

/* What a partner reads of its company: the people as a table, and the days by which carriers take movements. */

const testApp = useTestApp()
let company: Company
let foreign: Company
let partner: Client
let stranger: Client

beforeAll(async () => {
  ;[company, foreign] = await Promise.all([testApp.company(), testApp.company()])
  partner = await testApp.partner(company.taxId)
  stranger = await testApp.partner(foreign.taxId)
  const people = [primary({ name: 'Zilda Última' }), primary({ name: 'Ávila Primeira' })]
  await testApp.include(partner, company, people, '?resolution=approve')
  await testApp.include(partner, company, [primary({ name: 'Paula Pendente' })])
  await testApp.include(stranger, foreign, [primary({ name: 'Alheia' })], '?resolution=approve')
})

const unknown = '11222333000181'

describe('GET /v1/company/{company-tax-id}/roster', () => {
  const roster = (query = '', by: Client = partner, of: string = company.taxId) =>
    by.get(`/v1/company/${of}/roster${query}`)
  const namesIn = (text: string) =>
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(';')[3])

  test('lists by name who is covered, under Portuguese headings; others on demand', async () => {
    const response = expectOk(await roster())
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="vidas-${company.taxId}.csv"`)
    expect(response.text).toMatch(/^\uFEFF?CNPJ da empresa;Tipo de beneficiário;CPF;Nome;/)
    expect(namesIn(response.text)).toEqual(['Ávila Primeira', 'Zilda Última'])
    const all = expectOk(await roster('?include-inactive=true')).text
    expect(namesIn(all)).toEqual(['Ávila Primeira', 'Paula Pendente', 'Zilda Última'])
  })

  test('is a workbook where that is accepted', async () => {
    const response = await fetch(`${testApp.url}/v1/company/${company.taxId}/roster`, {
      headers: { authorization: `Bearer ${partner.token}`, accept: xlsxType },
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, xlsxType])
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
  })

  test('leaves an audit row; the company of another client and an unknown one are refused alike, without one', async () => {
    const rows = async () =>
      (await testApp.sql(`select count(*)::int as count from audit where action = 'company.roster-exported'`))[0]?.[
        'count'
      ]
    const before = await rows()
    expectOk(await roster())
    expect(await rows()).toBe(before + 1)
    for (const taxId of [foreign.taxId, unknown]) {
      const refused: Json = await roster('', partner, taxId)
      expect([refused.status, refused.body.code]).toEqual([403, 'not-entitled'])
      expect(refused.text).not.toContain('Alheia')
    }
    expect(await rows()).toBe(before + 1)
  })
})

describe('GET /v1/company/{company-tax-id}/cut-off', () => {
  const cutOffs = (query: string, by: Client = partner, of: string = company.taxId) =>
    by.get(`/v1/company/${of}/cut-off?${query}`)

  beforeAll(async () => {
    await makeContract(testApp, company, { calendar: calendar(10) })
    // The same days as those of the first.
    await makeContract(testApp, company, { 'contract-number': '900002', calendar: calendar(10) })
    await makeContract(testApp, company, { 'contract-number': '900003', calendar: calendar(20) })
    await makeContract(testApp, foreign, { calendar: calendar(15) })
  })

  test('are by day, each once for a carrier, without what identifies a contract', async () => {
    const { result, pagination } = expectOk(await cutOffs('from=2027-03&until=2027-04')).body
    const carrier = { 'carrier-name': 'Operadora Aurora', exception: false }
    expect(result).toEqual([
      { ...carrier, month: '2027-03', 'cut-off-date': '2027-03-10', 'coverage-start': '2027-04-01' },
      { ...carrier, month: '2027-03', 'cut-off-date': '2027-03-19', 'coverage-start': '2027-04-01' },
      { ...carrier, month: '2027-04', 'cut-off-date': '2027-04-09', 'coverage-start': '2027-05-01' },
      { ...carrier, month: '2027-04', 'cut-off-date': '2027-04-20', 'coverage-start': '2027-05-01' },
    ])
    expect(pagination['total-items']).toBe(4)
    const second = expectOk(await cutOffs('from=2027-03&until=2027-04&page=2&items-per-page=3')).body
    expect(second.result).toEqual(result.slice(3))
  })

  test('of another client’s company and of an unknown one are refused alike', async () => {
    for (const taxId of [foreign.taxId, unknown]) {
      const refused: Json = await cutOffs('', partner, taxId)
      expect([refused.status, refused.body.code]).toEqual([403, 'not-entitled'])
    }
    const reversed: Json = await cutOffs('from=2027-03&until=2027-01')
    expect([reversed.status, reversed.body.code]).toEqual([400, 'invalid-date-range'])
  })
})
