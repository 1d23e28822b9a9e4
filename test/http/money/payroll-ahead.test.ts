import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { pricesOf } from '../../data/prices.ts'
import { closeMonth, reopenMonth } from '../../world/carrier-file-rows.ts'
import { csv, discrepanciesOf, reconcile, upload } from '../../world/carrier-file.ts'
import { calendar } from '../../world/contract.ts'
import { payrollProfile } from '../../world/payroll.ts'
import { insertPriced, planCode, pricedContract } from '../../world/price.ts'
import { whileLocked } from '../../world/locked-table.ts'
import { type Client, type Company, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* Cerâmica Vale Claro in September 2026: 30 % of primaries, 60 % of dependents. */
const testApp = useTestApp()
const prices = [21_840, 26_208, 31_974, 37_120, 39_804, 45_516, 56_190, 64_057, 82_953, 130_236]
const adjusted = [23_980, 28_776, 35_107, 40_758, 43_705, 49_977, 61_697, 70_335, 91_082, 142_999]
const profile = { ...payrollProfile, basis: 'effective-date', 'first-month': '2026-09' }

let company: Company
let contractId: string
const people = new Map<string, { memberId: string; benefitId: string; taxId: string }>()

async function person(
  name: string,
  born: string,
  { employeeId, primaryId }: { employeeId?: string; primaryId?: string },
) {
  const found = await insertPriced(testApp, company, {
    name,
    born,
    ...(employeeId !== undefined && { employeeId }),
    ...(primaryId !== undefined && {
      benefit: { type: 'dependent', dependent_type: 'child', primary_member_id: primaryId },
    }),
  })
  const [row] = await testApp.sql('select tax_id from member where id = $1', [found.memberId])
  people.set(name, { ...found, taxId: row?.['tax_id'] })
}

const priceTable = async (validFrom: string, amounts: readonly number[]) =>
  expectOk(
    await testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, {
      'contract-id': contractId,
      'valid-from': validFrom,
      kind: 'age-band-10',
      'carrier-plan-code': planCode,
      prices: pricesOf('age-band-10', amounts),
    }),
  )

beforeEach(async () => {
  company = await testApp.company()
  people.clear()
  ;({ 'contract-id': contractId } = await pricedContract(testApp, company, {
    proration: 'daily-30',
    calendar: calendar(18),
  }))
  await priceTable('2026-02-01', prices)
  expectOk(
    await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, {
      'contract-id': contractId,
      'valid-from': '2026-02-01',
      'primary-employee-share': { 'basis-points': 3_000 },
      'dependent-employee-share': { 'basis-points': 6_000 },
      'coparticipation-employee-share': { 'basis-points': 10_000 },
    }),
  )
  await person('Teresa Nogueira Prates', '1986-12-14', { employeeId: '10077' })
  await person('Otávio Prates Lima', '2019-05-02', { primaryId: people.get('Teresa Nogueira Prates')?.memberId ?? '' })
  await person('Davi Sampaio Coutinho', '2003-01-30', { employeeId: '20419' })
})

const putProfile = async (body: Json = profile) =>
  testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, body)
const exportOf = (month: string, more: Json = {}) =>
  testApp.operator.post('/operator/v1/payroll-export', {
    'company-tax-id': company.taxId,
    'reference-month': month,
    ...more,
  })
const deductions = async (month: string, more = '', client: Client = testApp.operator): Promise<Json[]> => {
  const root = client === testApp.operator ? '/operator/v1' : '/v1'
  return expectOk(await client.get(`${root}/company/${company.taxId}/deduction?reference-month=${month}${more}`)).body
    .result
}
const invoice = async (month: string, amounts: Readonly<Record<string, number>>, more: Json = {}) =>
  upload(
    testApp,
    { contractId, kind: 'invoice', month },
    csv(
      Object.entries(amounts).map(([name, cents]) => ({
        'tax-id': people.get(name)?.taxId,
        amount: (cents / 100).toFixed(2).replace('.', ','),
        'entry-type': '',
        'entry-month': '',
        ...more,
      })),
    ),
  )
const preview = async (month: string) =>
  expectOk(await testApp.operator.get(`/operator/v1/payroll?company-tax-id=${company.taxId}&reference-month=${month}`))
    .body

describe('a payroll by effective date', () => {
  test('deducts the month before its invoice, and the difference in a later period', async () => {
    expectOk(await putProfile())
    expect((await preview('2026-09')).totals).toEqual({
      amount: 13_655 + 13_104 + 7_862,
      'bill-amount': 0,
      held: 0,
      employees: 2,
    })
    const first = expectOk(await exportOf('2026-09')).body.result
    expect(first).toMatchObject({ amount: 34_621, 'bill-amount': 0, kind: 'period', 'run-id': null })
    expect((await exportOf('2026-09')).body.code).toBe('nothing-to-export')

    await priceTable('2026-09-01', adjusted)
    await invoice('2026-09', {
      'Teresa Nogueira Prates': 49_977,
      'Otávio Prates Lima': 23_980,
      'Davi Sampaio Coutinho': 28_776,
    })
    await closeMonth(testApp, company, '2026-09')
    expect(await deductions('2026-09')).toMatchObject([
      {
        name: 'Teresa Nogueira Prates',
        'employee-id': '10077',
        kind: 'primary',
        'product-type': 'health-insurance',
        'by-person': [{ amount: 14_993 }],
        amount: 14_993,
        exported: 13_655,
        open: 1_338,
        held: 0,
        status: 'difference',
        'since-month': '2026-09',
        cause: 'price-table',
        'next-change': null,
        destination: 'payroll',
      },
      { kind: 'dependent', amount: 14_388, open: 1_284 },
      { name: 'Davi Sampaio Coutinho', amount: 8_633, open: 771 },
    ])
    const second = expectOk(await exportOf('2026-10')).body.result
    expect(second.amount).toBe(14_993 + 14_388 + 8_633 + 1_338 + 1_284 + 771)
    expect((await deductions('2026-09')).map(({ status }) => status)).toEqual(['settled', 'settled', 'settled'])
    expect((await deductions('2026-10')).map(({ status }) => status)).toEqual(['recurring', 'recurring', 'recurring'])
  })

  test('has yearly figures by what was charged or by what was deducted, as the profile says', async () => {
    expectOk(await putProfile())
    expectOk(await exportOf('2026-09'))
    await priceTable('2026-09-01', adjusted)
    const [teresa, otavio] = [49_977, 23_980]
    await invoice('2026-09', { 'Teresa Nogueira Prates': teresa, 'Otávio Prates Lima': otavio })
    await closeMonth(testApp, company, '2026-09')
    expectOk(await exportOf('2026-10'))
    const figures = async (accept: string): Promise<string[]> =>
      expectOk(await testApp.operator.get(`/operator/v1/company/${company.taxId}/tax-figure?year=2026`, { accept }))
        .text.trim()
        .split(/\r?\n/)
    const teresas = async () =>
      (await figures('application/x-ndjson'))
        .map((line) => JSON.parse(line))
        .filter((figure: Json) => figure['employee-id'] === '10077')
    const charged = {
      'reference-month': '2026-09',
      plans: [{ amount: 14_993, dependents: [{ 'tax-id': people.get('Otávio Prates Lima')?.taxId, amount: 14_388 }] }],
      deducted: 14_993 + 14_388,
      'whole-cost': teresa + otavio,
      'tax-figures-by': 'charge',
    }
    // Nobody decided.
    expect(await teresas()).toMatchObject([{ ...charged, 'differing-months': ['2026-09', '2026-10'] }])
    expect((await figures('text/csv'))[1]).toMatch(/;cobrança;"?09\/2026, 10\/2026"?$/)
    expectOk(await putProfile({ ...profile, 'tax-figures-by': 'charge' }))
    expect(await teresas()).toMatchObject([{ ...charged, 'differing-months': [] }])
    expectOk(await putProfile({ ...profile, 'tax-figures-by': 'deduction' }))
    const [carrier] = await testApp.sql('select tax_id, ans_registration from carrier')
    const deducted = { 'tax-figures-by': 'deduction', 'differing-months': [] }
    expect(await teresas()).toMatchObject([
      {
        ...deducted,
        'reference-month': '2026-09',
        plans: [{ amount: 13_655, dependents: [{ amount: 13_104 }] }],
        deducted: 13_655 + 13_104,
        'whole-cost': teresa + otavio,
      },
      {
        ...deducted,
        'reference-month': '2026-10',
        plans: [
          {
            'carrier-tax-id': carrier?.['tax_id'],
            'ans-registration': carrier?.['ans_registration'],
            amount: 14_993 + 1_338,
            dependents: [{ amount: 14_388 + 1_284 }],
          },
        ],
        deducted: 14_993 + 1_338 + 14_388 + 1_284,
        'whole-cost': 0,
      },
    ])
    // A partner of the company is billed: what was charged counts.
    await testApp.sql(
      `update member set details = details || '{"work-contract-type":"partner"}' where employee_id = '10077'`,
    )
    expect(await teresas()).toMatchObject([{ ...charged, declaration: 'r-4010', 'differing-months': [] }])
    await testApp.sql(`update member set details = details - 'work-contract-type' where employee_id = '10077'`)
    expect((await figures('text/csv'))[1]).toMatch(
      /^09\/2026;\d{11};10077;S-1210;.*;"136,55";"267,59";"739,57";.*;desconto;$/,
    )
  })

  test('holds the part of what the carrier charges too much until the claim is refused', async () => {
    expectOk(await putProfile())
    expectOk(await exportOf('2026-09'))
    const file = await invoice('2026-09', {
      'Teresa Nogueira Prates': 45_516,
      'Otávio Prates Lima': 21_840,
      'Davi Sampaio Coutinho': 34_075,
    })
    const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
    const ids = (await discrepanciesOf(testApp, id, '&class=amount-differs')).map((found) => found['discrepancy-id'])
    const body = { 'reconciliation-id': id, 'discrepancy-ids': ids }
    const claim = expectOk(await testApp.operator.post('/operator/v1/claim', body)).body.result
    const setClaim = async (status: string) =>
      void expectOk(await testApp.operator.post(`/operator/v1/claim/${claim['claim-id']}/status`, { status }))
    await setClaim('sent')
    await closeMonth(testApp, company, '2026-09')
    const davi = async () => (await deductions('2026-09')).find(({ name }) => name === 'Davi Sampaio Coutinho')
    // 30 % of 340.75 are 102.23.
    expect(await davi()).toMatchObject({ amount: 7_862, held: 2_361, open: 0, status: 'settled' })
    await setClaim('refused')
    expect(await davi()).toMatchObject({ amount: 10_223, held: 0, open: 2_361, status: 'difference' })
  })

  test('is the same export for the same run, and none for two at once', async () => {
    expectOk(await putProfile())
    const run = { 'run-id': 'folha-2026-09' }
    const [one, other] = await Promise.all([exportOf('2026-09', run), exportOf('2026-09', run)])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(one.body).toEqual(other.body)
    expectOk(await putProfile({ ...profile, 'payroll-day': 15 }))
    const codes = (await Promise.all([exportOf('2026-10'), exportOf('2026-10')])).map(
      ({ status, body }) => body.code ?? status,
    )
    expect(codes.toSorted()).toEqual([200, 'nothing-to-export'])
  })

  test('takes nothing of a month that was opened again, until it is closed', async () => {
    expectOk(await putProfile())
    expectOk(await exportOf('2026-09'))
    const amounts = { 'Teresa Nogueira Prates': 45_516, 'Otávio Prates Lima': 21_840, 'Davi Sampaio Coutinho': 26_000 }
    await invoice('2026-09', amounts)
    await closeMonth(testApp, company, '2026-09')
    expectOk(await exportOf('2026-09'))
    await reopenMonth(testApp, company)
    const { result, 'reopened-months': reopened } = await preview('2026-09')
    expect([result, reopened]).toEqual([[], ['2026-09']])
    expect((await exportOf('2026-09')).body.code).toBe('nothing-to-export')
    await closeMonth(testApp, company, '2026-09')
    expect((await exportOf('2026-09')).body.code).toBe('nothing-to-export')
  })

  test('corrects one person of a month that is older than the ledger, and gives nothing back of the others', async () => {
    await person('Bento Prates Lima', '2021-03-08', { primaryId: people.get('Teresa Nogueira Prates')?.memberId ?? '' })
    await priceTable('2025-01-01', prices)
    await testApp.sql(`update contribution_rule set valid_from = '2025-01-01' where company_id = $1`, [company.id])
    expectOk(await putProfile({ ...profile, 'first-month': '2025-09' }))
    expectOk(await exportOf('2025-09'))
    // Bento is never charged.
    await invoice('2025-09', { 'Teresa Nogueira Prates': 39_804, 'Otávio Prates Lima': 21_840 })
    await closeMonth(testApp, company, '2025-09')
    const credit = { 'entry-type': 'cancellation-retroactive', 'entry-month': '09/2025' }
    await invoice('2026-11', { 'Otávio Prates Lima': -10_000 }, credit)
    await closeMonth(testApp, company, '2026-11')
    const { result } = await preview('2026-11')
    const ofMonth = result.filter((line: Json) => line['origin-month'] === '2025-09')
    expect(ofMonth).toMatchObject([{ kind: 'dependent', amount: -6_000, exported: 2 * 13_104 }])
  })

  test('keeps its basis once it was exported', async () => {
    expect((await putProfile({ ...payrollProfile, basis: 'effective-date' })).body.details).toMatchObject([
      { field: 'first-month', code: 'missing' },
    ])
    expect((await putProfile({ ...payrollProfile, 'first-month': '2026-09' })).body.details).toMatchObject([
      { field: 'first-month', code: 'not-applicable' },
    ])
    expectOk(await putProfile())
    expect((await exportOf('2026-08')).body.details).toMatchObject([{ field: 'reference-month', code: 'invalid' }])
    expectOk(await exportOf('2026-09'))
    for (const [field, body] of [
      ['basis', payrollProfile],
      ['first-month', { ...profile, 'first-month': '2026-10' }],
    ] as const) {
      expect((await putProfile(body)).body.details).toMatchObject([{ field, code: 'invalid' }])
    }
    expectOk(await putProfile(profile))
  })

  test('names employees whose part is not known', async () => {
    expectOk(await putProfile())
    await testApp.sql('delete from contribution_rule where company_id = $1', [company.id])
    const { problems, result } = await preview('2026-09')
    expect(problems.map(({ name, code }: Json) => [name, code])).toEqual([
      ['Teresa Nogueira Prates', 'no-contribution-rule'],
      ['Davi Sampaio Coutinho', 'no-contribution-rule'],
    ])
    expect(result).toEqual([])
    expect((await exportOf('2026-09')).body.code).toBe('payroll-incomplete')
  })

  test('bills who is not on the payroll, and lists it as CSV and XLSX', async () => {
    await testApp.sql(`update member set details = details || '{"work-contract-type":"partner"}' where id = $1`, [
      people.get('Davi Sampaio Coutinho')?.memberId,
    ])
    expectOk(await putProfile())
    const made = expectOk(await exportOf('2026-09')).body.result
    expect(made).toMatchObject({ amount: 26_759, 'bill-amount': 7_862 })
    const file = (query: string) =>
      testApp.operator.get(`/operator/v1/payroll-export/${made['payroll-export-id']}/file${query}`)
    expect(expectOk(await file('')).text).not.toContain('20419')
    const bill = expectOk(await file('?destination=bill'))
      .text.trim()
      .split('\r\n')
    expect(bill).toHaveLength(2)
    expect(bill[1]).toMatch(/^Davi Sampaio Coutinho;\d{11};20419;09\/2026;09\/2026;primary;"78,62"$/)
    expect(expectOk(await file('?destination=bill&format=xlsx')).headers.get('content-type')).toContain('spreadsheet')
  })

  test('writes what is given back under its own number, and other products under theirs', async () => {
    const events = { ...payrollProfile.events, refund: '7699', 'by-product-type': {} }
    expectOk(await putProfile({ ...profile, events }))
    expectOk(await exportOf('2026-09'))
    const davi = people.get('Davi Sampaio Coutinho')
    await testApp.sql(`update benefit set end_date = '2026-09-15' where id = $1`, [davi?.benefitId])
    const made = expectOk(await exportOf('2026-09')).body.result
    // 262.08 for half a month are 131.04, of which 39.31: 39.31 are given back.
    expect(made.amount).toBe(3_931 - 7_862)
    const { text } = expectOk(
      await testApp.operator.get(`/operator/v1/payroll-export/${made['payroll-export-id']}/file`),
    )
    expect(text.trim().split('\r\n')[1]).toMatch(/^20419;\d{11};092026;7699;"39,31"$/)
  })
})

describe('the deductions of a company', () => {
  test('are read by partners who see money, with the exports and their files', async () => {
    expectOk(await putProfile())
    const made = expectOk(await exportOf('2026-09')).body.result
    const partner = await testApp.partner(company.taxId)
    expect(await deductions('2026-09', '', partner)).toEqual(await deductions('2026-09'))
    const root = `/v1/company/${company.taxId}`
    const { 'layout-id': _, 'layout-version': __, ...shown } = made
    expect(expectOk(await partner.get(`${root}/payroll-export`)).body.result).toEqual([shown])
    const path = `/payroll-export/${made['payroll-export-id']}/file`
    expect(expectOk(await partner.get(`${root}${path}`)).text).toContain('10077')
    const audit = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${made['payroll-export-id']}`)).body
      .result
    expect(audit[0]).toMatchObject({ action: 'payroll-export.downloaded' })
    const other = await testApp.company()
    const stranger = await testApp.partner(other.taxId)
    for (const of of ['deduction?reference-month=2026-09', 'payroll-export', 'payroll-period']) {
      expect((await stranger.get(`${root}/${of}`)).body.code).toBe('not-entitled')
    }
    expect((await stranger.get(`/v1/company/${other.taxId}${path}`)).body.code).toBe('payroll-export-not-found')
  })

  test('are found by a part of the employee’s name or number', async () => {
    expectOk(await putProfile())
    const { memberId = '' } = people.get('Davi Sampaio Coutinho') ?? {}
    for (const q of ['DAVI sampaio', '2041']) {
      expect(await deductions('2026-09', `&q=${encodeURIComponent(q)}`)).toMatchObject([{ 'member-id': memberId }])
    }
    // A family has those of the employee: a dependent has no deduction of its own.
    expect(await deductions('2026-09', '&q=nogueira')).toMatchObject([{ kind: 'primary' }, { kind: 'dependent' }])
    expect(await deductions('2026-09', '&q=nobody')).toEqual([])
    const path = `/operator/v1/company/${company.taxId}/deduction?reference-month=2026-09&q=...`
    expect((await testApp.operator.get(path)).body.details).toMatchObject([{ field: 'q', code: 'invalid' }])
  })

  test('are filtered by employee and by what changed since', async () => {
    expectOk(await putProfile())
    const { memberId = '' } = people.get('Davi Sampaio Coutinho') ?? {}
    expect(await deductions('2026-09', `&member-id=${memberId}`)).toMatchObject([{ 'member-id': memberId }])
    const [row] = await testApp.sql(`select (clock_timestamp() + interval '1 millisecond')::timestamptz as now`)
    const since = `&changed-since=${encodeURIComponent(new Date(row?.['now']).toISOString())}`
    expect(await deductions('2026-09', since)).toEqual([])
    await testApp.sql("update member set updated_at = $2::timestamptz + interval '1 second' where id = $1", [
      memberId,
      row?.['now'],
    ])
    expect(await deductions('2026-09', since)).toMatchObject([{ 'member-id': memberId }])
  })

  test('show each month of the payroll: exported, charged, closed and what is left', async () => {
    expectOk(await putProfile())
    const first = expectOk(await exportOf('2026-09')).body.result
    await invoice('2026-09', {
      'Teresa Nogueira Prates': 45_516,
      'Otávio Prates Lima': 21_840,
      'Davi Sampaio Coutinho': 34_075,
    })
    await closeMonth(testApp, company, '2026-09')
    const { result } = expectOk(
      await testApp.operator.get(`/operator/v1/payroll-period?company-tax-id=${company.taxId}`),
    ).body
    expect(result).toMatchObject([
      {
        'reference-month': '2026-09',
        'first-export': { 'payroll-export-id': first['payroll-export-id'], number: 1 },
        'difference-export': null,
        'is-reopened': false,
        exported: 34_621,
        open: 0,
        'to-bill': 0,
        held: 2_361,
      },
    ])
    expect([result[0]['invoice-read-at'], result[0]['closed-at']]).not.toContain(null)
  })
})

test.each(['payroll-period', 'deduction', 'payroll', 'payroll-export'])(
  '%s leaves out whose inclusion was cancelled meanwhile, whose person is deleted',
  async (of) => {
    expectOk(await putProfile())
    if (of === 'payroll-period') expectOk(await exportOf('2026-09'))
    await person('Zélia Prado', '1990-01-01', { employeeId: '30001' })
    const { benefitId = '', memberId = '' } = people.get('Zélia Prado') ?? {}
    const month = of === 'payroll-period' ? '' : '&reference-month=2026-09'
    const paths: Readonly<Record<string, string>> = {
      deduction: `company/${company.taxId}/deduction?reference-month=2026-09`,
    }
    const path = `/operator/v1/${paths[of] ?? `${of}?company-tax-id=${company.taxId}${month}`}`
    // What the employees' rows say waits for the lock; what is owed was read before.
    const deletion = `lock table unpaid_leave in access exclusive mode;
      delete from benefit where company_id = '${company.id}' and id = '${benefitId}';
      delete from member where company_id = '${company.id}' and id = '${memberId}'`
    const call = () => (of === 'payroll-export' ? exportOf('2026-09') : testApp.operator.get(path))
    const [response] = await whileLocked(testApp, deletion, [call])
    expect(response?.status).toBe(200)
    expect(JSON.stringify(response?.body)).not.toContain(memberId)
    if (of === 'payroll-period') expect(response?.body.result).toMatchObject([{ open: 0, 'to-bill': 0 }])
    else if (of !== 'deduction')
      expect(response?.body.totals ?? response?.body.result).toMatchObject({ amount: 34_621 })
  },
)

test('an export keeps its employees from being deleted until it is stored', async () => {
  expectOk(await putProfile())
  const { memberId } = people.get('Davi Sampaio Coutinho') ?? {}
  const lock = 'select from member where company_id = $1 and id = $2 for update nowait'
  const [response] = await whileLocked(
    testApp,
    'lock table payroll_export_line in share mode',
    [() => exportOf('2026-09')],
    // What deletes a member takes this lock first.
    () => expect(testApp.sql(lock, [company.id, memberId])).rejects.toMatchObject({ code: '55P03' }),
  )
  expect(response?.body.result).toMatchObject({ amount: 34_621 })
})
