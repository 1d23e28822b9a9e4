import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { insertCarrierFile } from '../../world/carrier-file-rows.ts'
import { personOf, signInAs } from '../../world/person.ts'
import { insertPriced, pricedContract } from '../../world/price.ts'
import { insertBenefit, insertMember } from '../../world/roster.ts'
import { type Company, expectOk, health, type Json, nextCpf, useTestApp } from '../../world/test-app.ts'

/* What a company's people cost, by the files of its carriers: rows of them, whatever their layouts. */

const testApp = useTestApp()
const month = '2026-10'

/** A company with a contract, two employees of cost centers 1 and 2, and a dependent of the first. */
async function people() {
  const company = await testApp.company()
  const { 'contract-id': contractId } = await pricedContract(testApp, company)
  const one = await insertPriced(testApp, company, {
    born: '1990-01-01',
    costCenter: '1',
    employeeId: '100',
    name: 'Ana Um',
  })
  const two = await insertPriced(testApp, company, {
    born: '1990-01-01',
    costCenter: '2',
    employeeId: '200',
    name: 'Bia Dois',
  })
  const childId = await insertMember(testApp, company, { cpf: nextCpf(), name: 'Caio Um' })
  const child = await insertBenefit(testApp, company, childId, {
    type: 'dependent',
    primary_member_id: one.memberId,
    dependent_type: 'child',
  })
  return { company, contractId, one, two, child: { memberId: childId, benefitId: child } }
}

const costPath = (company: Company, query = '') =>
  `/operator/v1/company/${company.taxId}/cost?reference-month=${month}${query}`
const totalsBy = ({ body }: Json) => body.result.map(({ key, total }: Json) => [key, total])

async function contribute(contractId: string, more: Json = {}): Promise<void> {
  const rule = {
    'contract-id': contractId,
    'valid-from': '2026-01-01',
    'primary-employee-share': { 'basis-points': 2_000 },
    'dependent-employee-share': { 'basis-points': 5_000 },
    ...more,
  }
  expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, rule))
}

describe('the costs of a month', () => {
  test('of a line whose inclusion was refused after it was matched are of nobody here, and not shared by the others', async () => {
    const { company, contractId, one } = await people()
    const lines = [
      { amount: 20_000, benefitId: one.benefitId },
      { amount: 10_000, benefitId: randomUUID(), name: 'Fulano' },
    ]
    await insertCarrierFile(testApp, company, contractId, { month, lines })
    const { body } = expectOk(await testApp.operator.get(costPath(company, '&group-by=person')))
    expect(body.result.map((group: Json) => [group.unmatched, group.total]).toSorted()).toEqual([
      [false, 20_000],
      [true, 10_000],
    ])
  })

  test('by cost center are the invoice to the cent, with a fee split by the amounts', async () => {
    const { company, contractId, one, two, child } = await people()
    await contribute(contractId)
    await insertCarrierFile(testApp, company, contractId, {
      month,
      lines: [
        { amount: 20_000, benefitId: one.benefitId },
        { amount: 10_000, benefitId: child.benefitId },
        { amount: 30_000, benefitId: two.benefitId },
        { amount: 10_001, entryType: 'fee' },
      ],
    })
    const { body } = expectOk(await testApp.operator.get(costPath(company)))
    expect(body.result).toEqual([
      {
        key: '1',
        name: '1',
        unmatched: false,
        people: 2,
        premium: 30_000,
        coparticipation: 0,
        allocated: 5_001,
        total: 35_001,
        'employee-amount': 9_000,
      },
      {
        key: '2',
        name: '2',
        unmatched: false,
        people: 1,
        premium: 30_000,
        coparticipation: 0,
        allocated: 5_000,
        total: 35_000,
        'employee-amount': 6_000,
      },
    ])
    expect(body.totals).toEqual({ total: 70_001, 'without-person': 10_001 })
    expect(totalsBy(expectOk(await testApp.operator.get(costPath(company, '&group-by=employee'))))).toEqual(
      [
        [one.memberId, 35_001],
        [two.memberId, 35_000],
      ].toSorted(),
    )
    const byPerson = expectOk(
      await testApp.operator.get(costPath(company, '&group-by=person&items-per-page=2&page=2')),
    ).body
    expect([byPerson.result.length, byPerson.pagination['total-items'], byPerson.totals.total]).toEqual([1, 3, 70_001])
    expect(totalsBy(expectOk(await testApp.operator.get(costPath(company, '&group-by=product'))))).toEqual([
      [company.products[health], 70_001],
    ])
  })

  test('have the last invoice of each contract, and people whom nobody here knows apart', async () => {
    const { company, contractId, one } = await people()
    const invoice = (lines: Json[]) => insertCarrierFile(testApp, company, contractId, { month, lines })
    await invoice([{ amount: 99_999, benefitId: one.benefitId }])
    await invoice([
      { amount: 500, benefitId: one.benefitId },
      { amount: 700, name: 'ZECA NINGUEM' },
    ])
    const { result, totals } = expectOk(await testApp.operator.get(costPath(company))).body
    expect(result).toMatchObject([
      { key: '1', total: 500, 'employee-amount': null },
      { key: null, name: null, unmatched: true, people: 0, total: 700 },
    ])
    expect(totals.total).toBe(1_200)
  })

  test('go to the cost center of the first day of the month', async () => {
    const company = await testApp.company()
    const { 'contract-id': contractId } = await pricedContract(testApp, company)
    const memberId = await insertMember(testApp, company, { cpf: nextCpf(), costCenter: '1' })
    const benefitId = await insertBenefit(testApp, company, memberId)
    const transfer = { 'start-date': '2026-11-23', 'cost-center': '2' }
    const path = `/operator/v1/member/${memberId}/contract-transfer`
    const { 'request-id': requestId } = expectOk(await testApp.operator.post(path, transfer)).body
    const [enrollment] = await testApp.sql('select id from enrollment where request_id = $1', [requestId])
    expectOk(
      await testApp.operator.post(`/operator/v1/enrollment/${enrollment?.['id']}/transition`, { status: 'completed' }),
    )
    const later = `${new Date().getFullYear() + 1}-12`
    for (const one of [month, later]) {
      await insertCarrierFile(testApp, company, contractId, { month: one, lines: [{ amount: 100, benefitId }] })
    }
    const keyIn = async (one: string) =>
      totalsBy(
        expectOk(await testApp.operator.get(`/operator/v1/company/${company.taxId}/cost?reference-month=${one}`)),
      )
    expect(await keyIn('2026-10')).toEqual([['1', 100]])
    expect(await keyIn(later)).toEqual([['2', 100]])
  })

  test('are for clients that see money', async () => {
    const { company, contractId, one } = await people()
    await insertCarrierFile(testApp, company, contractId, { month, lines: [{ amount: 500, benefitId: one.benefitId }] })
    const path = `/v1/company/${company.taxId}/cost?reference-month=${month}`
    const partner = await testApp.partner(company.taxId)
    expect(totalsBy(expectOk(await partner.get(path)))).toEqual([['1', 500]])
    const stranger = await testApp.partner((await testApp.company()).taxId)
    expect((await stranger.get(path)).body.code).toBe('not-entitled')
    const { email, password } = await personOf(testApp, 'company-hr', company.taxId)
    const hr = await signInAs(testApp, email, password)
    expect((await hr.call('GET', path)).status).toBe(403)
    const unknown = await testApp.operator.get(`/operator/v1/company/11222333000181/cost?reference-month=${month}`)
    expect(unknown.body.code).toBe('company-not-found')
  })
})

describe('the tax figures of a year', () => {
  const figures = async (company: Company, accept: string) => {
    const path = `/operator/v1/company/${company.taxId}/tax-figure?year=2026`
    return expectOk(await testApp.operator.get(path, { accept })).text
  }

  test('are those of the manual: 750 and 450 of an employee with two dependents, by carrier and dependent', async () => {
    const { company, contractId, one, two, child } = await people()
    await insertCarrierFile(testApp, company, contractId, {
      month,
      lines: [
        { amount: 25_000, employeeAmount: 5_000, benefitId: one.benefitId },
        { amount: 25_000, employeeAmount: 15_000, benefitId: child.benefitId },
        { amount: 25_000, employeeAmount: 0, benefitId: two.benefitId },
      ],
    })
    const [line = '', ...more] = (await figures(company, 'application/x-ndjson')).trim().split('\n')
    expect(more).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      'reference-month': month,
      'employee-id': '100',
      declaration: 's-1210',
      plans: [{ amount: 5_000, dependents: [{ amount: 15_000 }], errors: ['carrier-without-tax-id'] }],
      deducted: 20_000,
      'whole-cost': 50_000,
    })
    const csv = (await figures(company, 'text/csv')).trim().split('\r\n')
    expect(csv).toHaveLength(3)
    expect(csv[1]).toMatch(/^10\/2026;\d{11};100;S-1210;;;;"50,00";"200,00";"500,00";carrier-without-tax-id;cobrança;$/)
    const target = `target=${company.taxId}&action=tax-figures.downloaded`
    expect(expectOk(await testApp.operator.get(`/operator/v1/audit?${target}`)).body.pagination['total-items']).toBe(2)
    expect(csv[2]).toMatch(/^10\/2026;\d{11};100;S-1210;;;\d{11};"150,00";;;;cobrança;$/)
  })

  test('report what is not known instead of declaring nothing, and people without employment for Reinf', async () => {
    const { company, contractId, one, two } = await people()
    await testApp.sql(
      `update member set details = '{"work-contract-type": "partner"}' where company_id = $1 and id = $2`,
      [company.id, two.memberId],
    )
    await insertCarrierFile(testApp, company, contractId, {
      month,
      lines: [
        { amount: 25_000, benefitId: one.benefitId },
        { amount: 25_000, employeeAmount: 1, benefitId: two.benefitId },
      ],
    })
    const lines = (await figures(company, 'application/x-ndjson'))
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    const byId = Object.fromEntries(lines.map((line: Json) => [line['employee-id'], line]))
    expect(byId['100']).toMatchObject({ plans: [{ errors: ['carrier-without-tax-id', 'employee-amount-unknown'] }] })
    expect(byId['200']).toMatchObject({ declaration: 'r-4010', deducted: 1 })
  })
})
