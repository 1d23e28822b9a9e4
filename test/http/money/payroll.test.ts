import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { closeMonth, insertCarrierFile, reopenMonth } from '../../world/carrier-file-rows.ts'
import { payrollProfile as profile } from '../../world/payroll.ts'
import { insertPriced, pricedContract } from '../../world/price.ts'
import { type Company, expectOk, health, type Json, primary, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
const month = '2026-10'
let company: Company
let contractId: string
let ana: { memberId: string; benefitId: string }
beforeEach(async () => {
  company = await testApp.company()
  ;({ 'contract-id': contractId } = await pricedContract(testApp, company))
  ana = await insertPriced(testApp, company, { born: '1990-01-01', employeeId: '100', name: 'Ana Um' })
})

const invoice = (lines: Parameters<typeof insertCarrierFile>[3]['lines']) =>
  insertCarrierFile(testApp, company, contractId, { month, lines })
const putProfile = async (body: Json = profile) =>
  testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, body)
const preview = async () =>
  expectOk(await testApp.operator.get(`/operator/v1/payroll?company-tax-id=${company.taxId}&reference-month=${month}`))
    .body
const exportMonth = (more: Json = {}) =>
  testApp.operator.post('/operator/v1/payroll-export', {
    'company-tax-id': company.taxId,
    'reference-month': month,
    ...more,
  })
const fileOf = async (made: Json): Promise<string> =>
  expectOk(await testApp.operator.get(`/operator/v1/payroll-export/${made.body.result['payroll-export-id']}/file`)).text

/** A month is closed that charges an employee whose inclusion is open. */
async function closedWithPending(employeeId: string) {
  const member = primary({ 'employee-id': employeeId })
  const taxId: string = member['tax-id']
  const request = await testApp.include(await testApp.partner(company.taxId), company, [member])
  const { 'enrollment-id': id } = request['status-by-tax-id'][taxId][health]
  const [benefit] = await testApp.sql('select benefit_id as id from enrollment where id = $1', [id])
  await invoice([{ amount: 25_000, employeeAmount: 5_000, benefitId: benefit?.id }])
  await closeMonth(testApp, company, month)
  const move = { status: 'rejected', reason: 'Recusada' }
  const reject = async () =>
    void expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, move))
  return { taxId, reject }
}

describe('the payroll of a month', () => {
  test('is exported once it is closed, and a second time with the difference only', async () => {
    await invoice([
      { amount: 25_000, employeeAmount: 5_000, benefitId: ana.benefitId },
      { amount: 8_000, employeeAmount: 8_000, benefitId: ana.benefitId, entryType: 'coparticipation' },
    ])
    expect((await exportMonth()).body.code).toBe('month-open')
    await closeMonth(testApp, company, month)
    expect((await exportMonth()).body.code).toBe('payroll-profile-not-found')
    expectOk(await putProfile())
    const { result, totals, problems } = await preview()
    expect(result).toMatchObject([
      { 'member-id': ana.memberId, 'employee-id': '100', kind: 'primary', event: '7611', amount: 5_000, exported: 0 },
      { kind: 'coparticipation', event: '7613', amount: 8_000 },
    ])
    expect([totals, problems]).toEqual([{ amount: 13_000, 'bill-amount': 0, held: 0, employees: 1 }, []])
    const first = expectOk(await exportMonth())
    expect(first.body.result).toMatchObject({ number: 1, employees: 1, amount: 13_000, 'layout-id': 'payroll-csv' })
    const [heading, ...lines] = (await fileOf(first)).trim().split('\r\n')
    expect(heading).toBe('Matrícula;CPF;Competência;Evento;Valor')
    expect(lines).toEqual([
      expect.stringMatching(/^100;\d{11};102026;7611;"50,00"$/),
      expect.stringMatching(/;7613;"80,00"$/),
    ])
    expect((await exportMonth()).body.code).toBe('nothing-to-export')

    await reopenMonth(testApp, company)
    await invoice([{ amount: 25_000, employeeAmount: 4_000, benefitId: ana.benefitId }])
    await closeMonth(testApp, company, month)
    const second = expectOk(await exportMonth())
    expect(second.body.result).toMatchObject({ number: 2, amount: -9_000 })
    expect((await fileOf(second)).trim().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/;7611;"-10,00"$/),
      expect.stringMatching(/;7613;"-80,00"$/),
    ])
    const list = expectOk(
      await testApp.operator.get(`/operator/v1/payroll-export?company-tax-id=${company.taxId}`),
    ).body
    expect(list.result.map(({ number }: Json) => number)).toEqual([2, 1])
    expect((await preview()).result).toEqual([])
  })

  test('leaves nobody out silently: employees with problems are skipped by name', async () => {
    const bia = await insertPriced(testApp, company, { born: '1990-01-01', name: 'Bia Dois' })
    const caio = await insertPriced(testApp, company, { born: '1990-01-01', employeeId: '300', name: 'Caio Tres' })
    await invoice([
      { amount: 25_000, employeeAmount: 5_000, benefitId: ana.benefitId },
      { amount: 25_000, employeeAmount: 5_000, benefitId: bia.benefitId },
      { amount: 25_000, benefitId: caio.benefitId },
    ])
    await closeMonth(testApp, company, month)
    expectOk(await putProfile())
    expect((await preview()).problems).toEqual([
      { 'member-id': caio.memberId, name: 'Caio Tres', code: 'no-contribution-rule', column: null },
      { 'member-id': bia.memberId, name: 'Bia Dois', code: 'field-missing', column: 'Matrícula' },
    ])
    const refused = await exportMonth()
    expect([refused.body.code, refused.body.employees]).toEqual(['payroll-incomplete', 2])
    const skipped = expectOk(await exportMonth({ skip: [bia.memberId.toUpperCase(), caio.memberId] }))
    expect(skipped.body.result).toMatchObject({ employees: 1, amount: 5_000 })
  })

  test('gives back what was deducted from somebody whose inclusion was refused afterwards', async () => {
    const { reject } = await closedWithPending('400')
    expectOk(await putProfile())
    const first = expectOk(await exportMonth())
    const file = await fileOf(first)
    await reject()
    expect(await fileOf(first)).toBe(file)
    expect((await exportMonth()).body.code).toBe('nothing-to-export')
    await reopenMonth(testApp, company)
    await closeMonth(testApp, company, month)
    const second = expectOk(await exportMonth())
    expect(second.body.result).toMatchObject({ number: 2, employees: 1, amount: -5_000 })
    expect(await fileOf(second)).toMatch(/400;\d{11};102026;7611;"?-50,00/)
    expect(await readViolations(testApp.sql)).not.toHaveProperty('member-benefit')
  })

  test('that is opened again keeps nobody whose inclusion was refused, and who was not exported', async () => {
    const { taxId, reject } = await closedWithPending('500')
    await reject()
    const known = () => testApp.sql('select from member where company_id = $1 and tax_id = $2', [company.id, taxId])
    expect(await known()).toHaveLength(1)
    await reopenMonth(testApp, company)
    expect(await known()).toEqual([])
    expect(await readViolations(testApp.sql)).not.toHaveProperty('member-benefit')
  })

  test('is exported once by two calls at the same time', async () => {
    await invoice([{ amount: 25_000, employeeAmount: 5_000, benefitId: ana.benefitId }])
    await closeMonth(testApp, company, month)
    expectOk(await putProfile())
    const codes = (await Promise.all([exportMonth(), exportMonth()])).map(({ status, body }) => body.code ?? status)
    expect(codes.toSorted()).toEqual([200, 'nothing-to-export'])
  })

  test('is written by finance only, and its files are audited', async () => {
    await invoice([{ amount: 25_000, employeeAmount: 5_000, benefitId: ana.benefitId }])
    await closeMonth(testApp, company, month)
    expectOk(await putProfile())
    const made = expectOk(await exportMonth())
    await fileOf(made)
    const id = made.body.result['payroll-export-id']
    const audit = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${id}`)).body.result
    expect(audit.map(({ action }: Json) => action).toSorted()).toEqual([
      'payroll-export.created',
      'payroll-export.downloaded',
    ])
    for (const role of ['analyst', 'auditor']) {
      const operator = await testApp.operatorOf(role)
      expect((await operator.get(`/operator/v1/payroll-export/${id}/file`)).status).toBe(403)
    }
  })
})

describe('a payroll profile', () => {
  test('names a layout of payrolls', async () => {
    expect((await putProfile({ ...profile, 'layout-id': 'nothing' })).body.details).toMatchObject([
      { field: 'layout-id', code: 'unknown' },
    ])
    expect((await putProfile({ ...profile, 'layout-id': 'generic-csv' })).body.details).toMatchObject([
      { field: 'layout-id', code: 'not-applicable' },
    ])
    const path = `/operator/v1/company/${company.taxId}/payroll-profile`
    expect((await testApp.operator.get(path)).body.code).toBe('payroll-profile-not-found')
    expectOk(await putProfile())
    expect(expectOk(await testApp.operator.get(path)).body.result).toMatchObject(profile)
    expect((await testApp.operator.delete(path)).status).toBe(204)
    expect((await testApp.operator.delete(path)).body.code).toBe('payroll-profile-not-found')
    expect((await testApp.operator.get(`/operator/v1/payroll-export/${randomUUID()}/file`)).body.code).toBe(
      'payroll-export-not-found',
    )
  })

  test('writes fixed width by a layout of one’s own, whose used versions stay', async () => {
    const definition = {
      format: 'fixed-width',
      encoding: 'iso-8859-1',
      'record-length': 30,
      records: [
        {
          name: 'deduction',
          columns: [
            { at: 1, length: 10, source: 'registration.employee-id', pad: '0', align: 'right' },
            { at: 11, length: 4, source: 'payroll.event' },
            { at: 15, length: 6, source: 'payroll.reference-month', format: 'date:yyyyMM' },
            { at: 21, length: 10, source: 'payroll.amount', pad: '0', align: 'right' },
          ],
        },
      ],
    }
    const body = { name: 'Folha', direction: 'payroll', definition }
    const layout = expectOk(await testApp.operator.post('/operator/v1/layout', body)).body.result
    const wrong = { ...definition, records: [{ name: 'x', columns: [{ at: 1, length: 5, source: 'movement.kind' }] }] }
    expect(
      (await testApp.operator.post('/operator/v1/layout', { ...body, definition: wrong })).body.details,
    ).toMatchObject([{ field: 'definition.records[0].columns[0].source', code: 'not-applicable' }])
    expectOk(await putProfile({ ...profile, 'layout-id': layout['layout-id'] }))
    await invoice([{ amount: -25_000, employeeAmount: -5_000, benefitId: ana.benefitId }])
    await closeMonth(testApp, company, month)
    expect(await fileOf(expectOk(await exportMonth()))).toBe('00000001007611202610-000005000\r\n')
    const replaced = expectOk(await testApp.operator.put(`/operator/v1/layout/${layout['layout-id']}`, body))
    expect(replaced.body.result.version).toBe(2)
  })
})
