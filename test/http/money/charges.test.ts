import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PRICE_CATEGORIES } from '#money/rules/price-table.ts'
import { csv, discrepanciesOf, reconcile, upload } from '../../world/carrier-file.ts'
import { calendar } from '../../world/contract.ts'
import { closeMonth } from '../../world/carrier-file-rows.ts'
import { insertPriced, type PricedPerson, pricedContract } from '../../world/price.ts'
import { type Company, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* Why an invoice charges what it charges: the people and prices of Cerâmica Vale Claro. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2027-01-20' })
const amounts = [21_840, 26_208, 31_974, 37_120, 39_804, 45_516, 56_190, 64_057, 82_953, 130_236]
const prices = PRICE_CATEGORIES['age-band-10'].map((category, index) => ({ category, amount: amounts[index] }))

interface Opened {
  readonly company: Company
  readonly contractId: string
  readonly people: Readonly<
    Record<string, { readonly memberId: string; readonly benefitId: string; readonly cpf: string }>
  >
}

async function open(persons: Readonly<Record<string, PricedPerson>>, more: Json = {}): Promise<Opened> {
  const company = await testApp.company()
  const contractId = (
    await pricedContract(testApp, company, { proration: 'daily-30', calendar: calendar(18), ...more })
  )['contract-id']
  const table = { 'contract-id': contractId, 'valid-from': '2026-02-01', kind: 'age-band-10', prices }
  expectOk(await testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, table))
  const rule = {
    'contract-id': contractId,
    'valid-from': '2026-01-01',
    'primary-employee-share': { 'basis-points': 3000 },
    'dependent-employee-share': { 'basis-points': 6000 },
  }
  expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, rule))
  const people: Record<string, { memberId: string; benefitId: string; cpf: string }> = {}
  for (const [name, person] of Object.entries(persons)) {
    const ids = await insertPriced(testApp, company, { name, ...person })
    const [row] = await testApp.sql<{ cpf: string }>('select tax_id as cpf from member where id = $1', [ids.memberId])
    people[name] = { ...ids, cpf: row?.cpf ?? '' }
  }
  return { company, contractId, people }
}

async function invoice({ contractId }: Opened, month: string, lines: readonly Json[]): Promise<Json> {
  const file = await upload(testApp, { contractId, kind: 'invoice', month }, csv(lines))
  return reconcile(testApp, file['file-id'])
}
const line = ({ people }: Opened, name: string, amount: string, more: Json = {}) => ({
  'tax-id': people[name]?.cpf,
  amount,
  'entry-type': 'monthly',
  'entry-month': '',
  ...more,
})
const read = async ({ contractId }: Opened, query = '', headers: Record<string, string> = {}): Promise<Json> =>
  expectOk(
    await testApp.operator.get(`/operator/v1/contract/${contractId}/charge?reference-month=2027-01${query}`, headers),
  ).body

const staff = {
  Gilson: { born: '1982-07-30' },
  Iolanda: { born: '1999-08-21', benefit: { start_date: '2026-11-23' } },
  Teresa: { born: '1987-12-14' },
}
const late = (month: string) => ({ 'entry-type': 'inclusion-retroactive', 'entry-month': month })

/** December without Iolanda, and January with her three months, an amount that is wrong, and a fee. */
async function january(): Promise<Opened & { readonly reconciliation: Json }> {
  const opened = await open(staff)
  await invoice(opened, '2026-11', [line(opened, 'Gilson', '561,90'), line(opened, 'Teresa', '398,04')])
  await invoice(opened, '2026-12', [line(opened, 'Gilson', '561,90'), line(opened, 'Teresa', '398,04')])
  const reconciliation = await invoice(opened, '2027-01', [
    line(opened, 'Iolanda', '85,26', late('2026-11')),
    line(opened, 'Iolanda', '319,74', late('2026-12')),
    line(opened, 'Iolanda', '319,74'),
    line(opened, 'Gilson', '640,57'),
    line(opened, 'Teresa', '455,16'),
    { 'tax-id': '', amount: '35,00', 'entry-type': 'fee', 'entry-month': '' },
  ])
  return { ...opened, reconciliation }
}

describe('the charges of an invoice', () => {
  test('say by terms and causes why each amount is what it is, and add up to the invoice', async () => {
    const opened = await january()
    const { result, totals, pagination } = await read(opened)
    expect(result.map((one: Json) => [one['member-name'], one.amount, one.expected, one.difference])).toEqual([
      ['Gilson', 64_057, 56_190, 7867],
      ['Iolanda', 72_474, 72_474, 0],
      ['Teresa', 45_516, 45_516, 0],
      [null, 3500, 0, 3500],
    ])
    expect([totals, pagination['total-items']]).toEqual([
      { amount: 185_547, expected: 174_180, difference: 11_367, 'missing-settings': [], 'without-person': 3500 },
      4,
    ])
    expect([totals.amount, totals.expected]).toEqual([
      opened.reconciliation['carrier-total'],
      opened.reconciliation['expected-total'],
    ])
    const [gilson, iolanda, teresa, fee] = result
    expect(iolanda).toMatchObject({
      basis: 'invoice',
      'last-amount': 0,
      months: [
        {
          month: '2026-11',
          amount: 8526,
          terms: [
            { term: 'price', amount: 31_974, category: '24-28', age: 27, 'age-day': '2026-10-31', 'moved-by': null },
            {
              term: 'proration',
              amount: -23_448,
              rule: 'daily-30',
              'covered-days': 8,
              from: '2026-11-23',
              until: null,
            },
          ],
        },
        { month: '2026-12', amount: 31_974 },
        { month: '2027-01', amount: 31_974 },
      ],
      causes: [
        { cause: 'entry', amount: 31_974, certainty: 'firm', movement: null },
        { cause: 'retroactive-charge', amount: 40_500, certainty: 'firm', movement: null },
      ],
      // 30 % of each month of cover: 25.58, 95.92 and 95.92.
      employee: { amount: 21_742, from: 'rule', share: { 'basis-points': 3000 } },
      'company-amount': 50_732,
      discrepancies: [],
    })
    expect(gilson).toMatchObject({
      'last-amount': 56_190,
      months: [
        {
          terms: [
            { term: 'price', amount: 56_190 },
            { term: 'difference', amount: 7867 },
          ],
        },
      ],
      causes: [{ cause: 'difference', amount: 7867 }],
      discrepancies: [{ class: 'amount-differs', amount: 7867, status: 'open', claim: null }],
    })
    expect(teresa.causes).toMatchObject([{ cause: 'age-band', amount: 5712 }])
    expect(teresa.months[0].terms[0]['moved-by']).toEqual({ birthday: '2026-12-14', 'from-category': '34-38' })
    expect(fee).toMatchObject({
      'benefit-id': null,
      unmatched: false,
      causes: [{ cause: 'other-entry', amount: 3500 }],
    })
  })

  test('are selected by person, line, class, cause, difference and name, a page at a time', async () => {
    const opened = await january()
    const named = async (query: string) =>
      (await read(opened, query)).result.map((one: Json) => one['member-name'] ?? one['line-number'])
    const { Gilson, Iolanda } = opened.people
    expect(await named(`&benefit-id=${Gilson?.benefitId}`)).toEqual(['Gilson'])
    expect(await named(`&member-id=${Iolanda?.memberId}`)).toEqual(['Iolanda'])
    expect(await named('&line-number=2')).toEqual(['Iolanda'])
    expect(await named('&class=amount-differs')).toEqual(['Gilson'])
    expect(await named('&cause=age-band')).toEqual(['Teresa'])
    expect(await named('&cause=other-entry')).toEqual([7])
    expect(await named('&certainty=scheduled')).toEqual([])
    expect(await named('&has-difference=false')).toEqual(['Iolanda', 'Teresa'])
    expect(await named('&q=iolan')).toEqual(['Iolanda'])
    expect(await named('&items-per-page=2&page=2')).toEqual(['Teresa', 7])
  })

  test('have a sentence in the language of the request', async () => {
    const opened = await january()
    const of = async (language: string) =>
      (await read(opened, '&q=iolanda', { 'accept-language': language })).result[0].sentence
    expect(await of('pt-BR')).toBe(
      'Mensalidade de 01/2027 R$ 319,74 (faixa 24-28, 27 anos); retroativo: 11/2026, 8 dias, R$ 85,26; 12/2026, R$ 319,74.',
    )
    expect(await of('en')).toBe(
      'Premium of 2027-01 R$ 319.74 (category 24-28, age 27); earlier months: 2026-11, 8 days, R$ 85.26; 2026-12 R$ 319.74.',
    )
  })

  test('show the claim of a difference and its credit', async () => {
    const opened = await january()
    const id = opened.reconciliation['reconciliation-id']
    const found = (await discrepanciesOf(testApp, id)).find((one) => one['class'] === 'amount-differs')
    const body = { 'reconciliation-id': id, 'discrepancy-ids': [found?.['discrepancy-id']] }
    const claim = expectOk(await testApp.operator.post('/operator/v1/claim', body)).body.result
    const sent = { status: 'sent', 'carrier-protocol': '2027-1' }
    expectOk(await testApp.operator.post(`/operator/v1/claim/${claim['claim-id']}/status`, sent))
    const { result } = await read(opened, '&q=gilson')
    expect(result[0].discrepancies[0].claim).toEqual({
      'claim-id': claim['claim-id'],
      status: 'sent',
      amount: 7867,
      'credited-in': null,
      'carrier-protocol': '2027-1',
    })
    await closeMonth(testApp, opened.company, '2027-01')
    const closed = (await read(opened, '&q=gilson')).result[0]
    expect([closed.basis, closed.employee]).toMatchObject(['closed', { amount: 19_217, from: 'closing' }])
  })

  test('name the movement that brought them', async () => {
    const opened = await open({ Gilson: { born: '1982-07-30' } })
    const partner = await testApp.partner(opened.company.taxId)
    await invoice(opened, '2026-12', [line(opened, 'Gilson', '561,90')])
    const details = { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' }
    const path = `/v1/enrollment/exclusion/${opened.people['Gilson']?.cpf}/product/${Object.values(opened.company.products)[0]}`
    const { body } = expectOk(await partner.post(`${path}?resolution=approve`, { 'exclusion-details': details }))
    await testApp.finished(partner, body['request-id'])
    await invoice(opened, '2027-01', [line(opened, 'Gilson', '561,90')])
    const { result } = await read(opened)
    expect(result[0]).toMatchObject({
      amount: 56_190,
      causes: [
        {
          cause: 'exit',
          amount: -56_190,
          movement: {
            'enrollment-type': 'exclusion',
            status: 'completed',
            'cut-off-date': expect.stringMatching(/-\d\d$/),
            'due-in': expect.stringMatching(/^20\d\d-\d\d$/),
          },
        },
        { cause: 'difference', amount: 56_190 },
      ],
      sentence: expect.stringMatching(
        /^Charged after the end 2027-01 R\$ 561\.90; exclusion requested on 20\d\d-\d\d-\d\d, answered on 20\d\d-\d\d-\d\d\.$/,
      ),
    })
  })

  test('of a month whose invoice is to come are what is expected, with what earlier ones lack', async () => {
    const opened = await open(staff)
    await invoice(opened, '2026-12', [line(opened, 'Gilson', '561,90'), line(opened, 'Teresa', '398,04')])
    const { result, totals } = await read(opened)
    expect(result.map((one: Json) => [one.basis, one['member-name'], one.amount])).toEqual([
      ['forecast', 'Gilson', 56_190],
      ['forecast', 'Iolanda', 31_974],
      ['forecast', 'Teresa', 45_516],
    ])
    expect(totals).toMatchObject({ amount: 133_680, difference: 0, 'without-person': 0 })
    expect(result[2].causes).toMatchObject([{ cause: 'age-band', amount: 5712, certainty: 'scheduled' }])
  })

  test('without a price say what lacks, and are never an error', async () => {
    const opened = await open({ Gilson: { born: '1982-07-30' } }, { 'age-on': null })
    const file = await upload(
      testApp,
      { contractId: opened.contractId, kind: 'invoice', month: '2027-01' },
      csv([line(opened, 'Gilson', '561,90')]),
    )
    expect(file['status']).toBe('read')
    const { result, totals } = await read(opened)
    expect(result[0].months[0].terms).toEqual([{ term: 'as-charged', amount: 56_190, 'missing-settings': ['age-on'] }])
    expect(totals).toMatchObject({ amount: 56_190, expected: null, difference: null, 'without-person': 0 })
  })

  test('of an unknown contract are a 404', async () => {
    const response = await testApp.operator.get(`/operator/v1/contract/${randomUUID()}/charge?reference-month=2027-01`)
    expect([response.status, response.body.code]).toEqual([404, 'contract-not-found'])
  })
})

describe('a company', () => {
  const operatorOnly = ['line-number', 'line-numbers', 'discrepancy-id', 'explanation', 'claim-id', 'carrier-protocol']
  const without = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(without)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => (operatorOnly.includes(key) ? [] : [[key, without(one)]])),
    )
  }

  test('reads the same of all its contracts, less what is for operators, and no name of the carrier’s file', async () => {
    const opened = await january()
    await invoice(opened, '2027-01', [line(opened, 'Gilson', '640,57'), { name: 'Outra Pessoa', amount: '9,00' }])
    const partner = await testApp.partner(opened.company.taxId)
    const path = `/v1/company/${opened.company.taxId}/charge?reference-month=2027-01`
    const { body } = expectOk(await partner.get(path))
    const mine = await read(opened)
    const unnamed = mine.result.map((one: Json) => (one.unmatched === true ? { ...one, 'member-name': null } : one))
    expect(body).toEqual(without({ ...mine, result: unnamed }))
    expect(JSON.stringify(body)).not.toContain('Outra Pessoa')
    expect(body.result.at(-1)).toMatchObject({ unmatched: true, amount: 900, 'member-name': null })
  })

  test('without a client that sees money, and another company, get the answer for an unknown CNPJ', async () => {
    const opened = await january()
    const path = `/v1/company/${opened.company.taxId}/charge?reference-month=2027-01`
    const other = await testApp.partner((await testApp.company()).taxId)
    const own = await testApp.partner(opened.company.taxId)
    await testApp.sql('update entitlement set see_money = false where company_id = $1', [opened.company.id])
    for (const client of [other, own]) {
      const response = await client.get(path)
      expect([response.status, response.body.code]).toEqual([403, 'not-entitled'])
    }
  })
})
