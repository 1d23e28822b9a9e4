import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bands } from '../../data/prices.ts'
import {
  csv,
  discrepanciesOf,
  filePath,
  reconcile,
  reconciliationPath,
  sendFile,
  upload,
} from '../../world/carrier-file.ts'
import { contractBody } from '../../world/contract.ts'
import { planCode } from '../../world/price.ts'
import { expectOk, health, type Json, useTestApp } from '../../world/test-app.ts'
import {
  child,
  compareInvoice,
  type Known,
  known,
  sendInvoice,
  workedEntries,
  workedPeople,
} from '../../world/worked-invoice.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })

const path = '/operator/v1/closing'
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const month = '2026-11'
const ofMonth = ({ company }: Known, more: Json = {}) => ({
  'company-tax-id': company.taxId,
  'reference-month': month,
  ...more,
})
const checklist = async ({ company }: Known): Promise<Json> =>
  expectOk(await testApp.operator.get(`${path}/checklist?company-tax-id=${company.taxId}&reference-month=${month}`))
    .body.result

/** Handles every discrepancy. */
async function acceptAll(id: string): Promise<void> {
  const ids = (await discrepanciesOf(testApp, id, '&status=open')).map((found: Json) => found['discrepancy-id'])
  if (ids.length === 0) return
  const body = { 'discrepancy-ids': ids, status: 'accepted' }
  expectOk(await testApp.operator.post(`${reconciliationPath}/${id}/discrepancy`, body))
}

/** A roster of those who are covered, as the carrier has them. */
const rosterCsv = (): string => csv([{ 'card-number': '1', name: 'A' }])

describe('a month', () => {
  test('is closed when everything is done, and keeps its figures', async () => {
    const one = await known(testApp, workedPeople)
    const contractId = one.contract['contract-id']
    expect(await checklist(one)).toMatchObject({
      status: 'open',
      'closing-id': null,
      checklist: { roster: 'missing', invoice: 'missing', claims: 'done', allocation: 'missing', payroll: 'open' },
      contracts: [{ 'contract-id': contractId, roster: 'missing', 'carrier-total': null }],
    })
    const compared = await compareInvoice(testApp, one, month, workedEntries)
    const id = compared['reconciliation-id']
    const [afterEnd] = await discrepanciesOf(testApp, id, '&class=charged-after-end')
    const claim = { 'reconciliation-id': id, 'discrepancy-ids': [afterEnd['discrepancy-id']] }
    const { 'claim-id': claimId } = expectOk(await testApp.operator.post('/operator/v1/claim', claim)).body.result
    expect(await checklist(one)).toMatchObject({
      checklist: { invoice: 'open', claims: 'open', allocation: 'done' },
      contracts: [{ 'open-invoice-discrepancies': 2, 'draft-claims': 1, discrepancy: 78_047 }],
    })
    const finance = await testApp.operatorOf('finance')
    const early = await finance.post(path, ofMonth(one))
    expect([early.status, early.body.code, early.body['open-items']]).toEqual([
      409,
      'closing-open-items',
      ['roster', 'invoice', 'claims'],
    ])
    expectOk(await finance.post(`/operator/v1/claim/${claimId}/status`, { status: 'sent' }))
    await acceptAll(id)
    const roster = await upload(testApp, { contractId, month, type: 'text/csv' }, rosterCsv())
    await acceptAll((await reconcile(testApp, roster['file-id']))['reconciliation-id'])
    const closed = expectOk(await finance.post(path, ofMonth(one))).body.result
    expect(closed).toMatchObject({ ...ofMonth(one), status: 'closed' })
    expect(closed.acts).toEqual([
      {
        act: 'closed',
        at: expect.any(String),
        by: finance.clientId,
        reason: null,
        'open-items': [],
        figures: [
          {
            'contract-id': contractId,
            'carrier-total': 241_690,
            'expected-total': 163_643,
            discrepancy: 78_047,
            'claimed-total': 41_235,
          },
        ],
      },
    ])
    expect(await checklist(one)).toMatchObject({ status: 'closed', 'closing-id': closed['closing-id'] })
    const again = await finance.post(path, ofMonth(one))
    expect([again.status, again.body.code]).toEqual([409, 'month-closed'])
    const list = expectOk(await finance.get(`${path}?company-tax-id=${one.company.taxId}&status=closed`)).body
    expect(list.result).toEqual([closed])
  })

  test('that is closed does not change: each write is refused', async () => {
    const one = await known(testApp, workedPeople)
    const contractId = one.contract['contract-id']
    const compared = await compareInvoice(testApp, one, month, workedEntries)
    const id = compared['reconciliation-id']
    const found = await discrepanciesOf(testApp, id)
    const open = found.find((each: Json) => each.class === 'charged-after-end')
    const claim = { 'reconciliation-id': id, 'discrepancy-ids': [open['discrepancy-id']] }
    const { 'claim-id': claimId } = expectOk(await testApp.operator.post('/operator/v1/claim', claim)).body.result
    expectOk(await testApp.operator.post(path, ofMonth(one, { reason: 'Prazo da folha' })))
    const before = await figures(one)
    const csvRoster = { contractId, month, type: 'text/csv' }
    const line = { 'benefit-id': one.benefits['C'] }
    const writes: readonly (readonly [string, () => Promise<{ readonly body: Json }>])[] = [
      ['month-closed', () => sendFile(testApp, csvRoster, rosterCsv())],
      ['month-closed', () => testApp.operator.delete(`${filePath}/${compared['carrier-file-id']}`)],
      ['month-closed', () => testApp.operator.post(`${filePath}/${compared['carrier-file-id']}/line/6/link`, line)],
      ['reconciliation-status', () => testApp.operator.post(`${reconciliationPath}/${id}/repeat`, {})],
      [
        'reconciliation-status',
        () =>
          testApp.operator.post(`${reconciliationPath}/${id}/discrepancy`, {
            'discrepancy-ids': [open['discrepancy-id']],
            note: 'Depois',
          }),
      ],
      ['reconciliation-status', () => testApp.operator.post('/operator/v1/claim', claim)],
      ['month-closed', () => testApp.operator.delete(`/operator/v1/claim/${claimId}`)],
      [
        'month-closed',
        () =>
          testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, {
            'contract-id': contractId,
            'valid-from': '2026-10-15',
            kind: 'age-band-10',
            prices: bands,
          }),
      ],
    ]
    for (const [code, write] of writes) expect((await write()).body.code).toBe(code)
    expect(await figures(one)).toEqual(before)
    // What becomes of a claim is of later months.
    const step = `/operator/v1/claim/${claimId}/status`
    expectOk(await testApp.operator.post(step, { status: 'sent' }))
    expectOk(await testApp.operator.post(step, { status: 'refused' }))
    expect(await figures(one)).toEqual(before)
  })

  test('that is closed shows the figures of its closing, whatever changes afterwards', async () => {
    const one = await known(testApp, workedPeople)
    const contractId = one.contract['contract-id']
    const rule = {
      'contract-id': contractId,
      'valid-from': '2026-01-01',
      'primary-employee-share': { 'basis-points': 2_000 },
      'dependent-employee-share': { 'basis-points': 5_000 },
      'job-titles': ['Analista'],
    }
    expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, rule))
    const setMembers = (dateOfBirth: string, costCenter: string, jobTitle: string) =>
      testApp.sql(
        `update member set date_of_birth = $2, cost_center = $3, details = jsonb_set(details, '{job-title}', to_jsonb($4::text))
         where company_id = $1`,
        [one.company.id, dateOfBirth, costCenter, jobTitle],
      )
    await setMembers('1987-11-18', '4100', 'Analista')
    const compared = await compareInvoice(testApp, one, month, workedEntries)
    const [claimed] = await discrepanciesOf(testApp, compared['reconciliation-id'], '&class=charged-after-end')
    const claim = { 'reconciliation-id': compared['reconciliation-id'], 'discrepancy-ids': [claimed['discrepancy-id']] }
    expectOk(await testApp.operator.post('/operator/v1/claim', claim))
    const open = await shownFigures(one, compared['reconciliation-id'])
    expect(open.expected).toMatchObject({ total: 3 * 74_163, 'employee-total': 3 * 14_833 })
    expect(open.costs[0]).toMatchObject({ result: [{ key: '4100', 'employee-amount': expect.any(Number) }, {}] })
    const closed = expectOk(await testApp.operator.post(path, ofMonth(one, { reason: 'Prazo da folha' }))).body.result
    expect(closed.acts[0].figures).toMatchObject([{ discrepancy: expect.any(Number), 'claimed-total': 41_235 }])
    const atClosing = await shownFigures(one, compared['reconciliation-id'])
    expect({ ...atClosing, reconciliation: open.reconciliation, checklist: open.checklist }).toEqual(open)

    await setMembers('1960-01-01', '5200', 'Gerente')
    const later = { 'contract-id': contractId, 'valid-from': '2026-12-01', kind: 'per-person' }
    const prices = [{ category: 'person', amount: 1 }]
    expectOk(await testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, { ...later, prices }))
    const settings = { ...contractInput(one), proration: 'daily-30', 'age-on': 'birthday-month', status: 'ended' }
    expectOk(await testApp.operator.put(`/operator/v1/contract/${contractId}`, settings))
    await testApp.sql(`update benefit set start_date = '2026-11-16' where company_id = $1 and status = 'active'`, [
      one.company.id,
    ])
    await testApp.sql(`update claim set status = 'sent', sent_at = now() where company_id = $1`, [one.company.id])
    expect(await shownFigures(one, compared['reconciliation-id'])).toEqual(atClosing)

    expectOk(await testApp.operator.post(`${path}/${closed['closing-id']}/reopen`, { reason: 'Fatura reemitida' }))
    const reopened = await shownFigures(one, compared['reconciliation-id'])
    expect(reopened.expected.total).toBe(3 * 122_688)
    expect(reopened.costs[0].result.map(({ key }: Json) => key)).toEqual(['5200', null])
    const [left] = await testApp.sql(
      `select (select count(*)::int from closing_charge where company_id = $1) as charges,
         (select count(*)::int from closing_expected where company_id = $1) as expected`,
      [one.company.id],
    )
    expect(left).toEqual({ charges: 0, expected: 0 })
  })

  test('that is closed without a setting of its prices names it also after it is set', async () => {
    const one = await known(testApp, { A: { born: child } }, { 'age-on': undefined })
    const contractId = one.contract['contract-id']
    const expectedPath = `/operator/v1/contract/${contractId}/expected-invoice?reference-month=${month}`
    expectOk(await testApp.operator.post(path, ofMonth(one, { reason: 'Sem preços' })))
    const settings = { ...contractInput(one), 'age-on': 'birthday-month' }
    expectOk(await testApp.operator.put(`/operator/v1/contract/${contractId}`, settings))
    const missing = await testApp.operator.get(expectedPath)
    expect([missing.status, missing.body.code, missing.body['missing-settings']]).toEqual([
      409,
      'price-setting-missing',
      ['age-on'],
    ])
    const { result } = expectOk(await testApp.operator.get(expectedPath.replace(month, '2026-12'))).body
    expect(result).toMatchObject({ total: 41_235 })
  })

  test('is opened again by an admin, with a reason', async () => {
    const one = await known(testApp, { A: { born: child } })
    const compared = await compareInvoice(testApp, one, month, workedEntries.slice(0, 1))
    const closed = expectOk(await testApp.operator.post(path, ofMonth(one, { reason: 'Sem cadastro' }))).body.result
    expect(closed.acts[0]).toMatchObject({ reason: 'Sem cadastro', 'open-items': ['roster'] })
    const url = `${path}/${closed['closing-id']}`
    const finance = await testApp.operatorOf('finance')
    expect((await finance.post(`${url}/reopen`, { reason: 'Fatura reemitida' })).status).toBe(403)
    const reopened = expectOk(await testApp.operator.post(`${url}/reopen`, { reason: 'Fatura reemitida' })).body.result
    expect(reopened).toMatchObject({ status: 'open' })
    expect(reopened.acts.map((act: Json) => [act.act, act.reason])).toEqual([
      ['closed', 'Sem cadastro'],
      ['reopened', 'Fatura reemitida'],
    ])
    const twice = await testApp.operator.post(`${url}/reopen`, { reason: 'Outra vez' })
    expect([twice.status, twice.body.code]).toEqual([409, 'month-open'])
    expectOk(await testApp.operator.post(`${reconciliationPath}/${compared['reconciliation-id']}/repeat`, {}))
    expect(expectOk(await finance.get(url)).body.result).toEqual(reopened)
  })

  test('is not closed while a file of it is read or compared, nor before it has come', async () => {
    const one = await known(testApp, { A: { born: child } })
    const file = await sendInvoice(testApp, one, month, workedEntries.slice(0, 1))
    const compared = await reconcile(testApp, file['file-id'])
    await testApp.sql(`update reconciliation set status = 'computing' where id = $1`, [compared['reconciliation-id']])
    const computing = await testApp.operator.post(path, ofMonth(one, { reason: 'Prazo' }))
    expect([computing.status, computing.body.code]).toEqual([409, 'reconciliation-status'])
    await testApp.sql(`update carrier_file set status = 'reading', read_at = null where id = $1`, [
      compared['carrier-file-id'],
    ])
    const reading = await testApp.operator.post(path, ofMonth(one, { reason: 'Prazo' }))
    expect([reading.status, reading.body.code]).toEqual([409, 'carrier-file-status'])
    await testApp.sql(`update carrier_file set status = 'read', read_at = now() where id = $1`, [
      compared['carrier-file-id'],
    ])
    const later = { ...ofMonth(one), 'reference-month': '2027-01', reason: 'Prazo' }
    const future = await testApp.operator.post(path, later)
    expect(future.body.details).toMatchObject([{ field: 'reference-month', code: 'invalid' }])
    const nobody = { ...ofMonth(one), 'company-tax-id': '11222333000181' }
    expect((await testApp.operator.post(path, nobody)).body.code).toBe('company-not-found')
    const query = 'company-tax-id=11222333000181&reference-month=2026-11'
    expect((await testApp.operator.get(`${path}/checklist?${query}`)).body.code).toBe('company-not-found')
    expect((await testApp.operator.get(`${path}/${unknown}`)).body.code).toBe('closing-not-found')
    expect((await testApp.operator.post(`${path}/${unknown}/reopen`, { reason: 'x' })).body.code).toBe(
      'closing-not-found',
    )
  })
})

/** The contract, as it is sent. */
function contractInput({ contract, company }: Known): Json {
  return contractBody(company, {
    plans: [{ 'product-id': company.products[health], 'carrier-plan-code': planCode }],
    'age-on': contract['age-on'],
    proration: contract.proration,
  })
}

/** What the API shows of the figures of a month. */
async function shownFigures(one: Known, reconciliationId: string) {
  const get = async (url: string): Promise<Json> => expectOk(await testApp.operator.get(url)).body
  const costPath = `/operator/v1/company/${one.company.taxId}/cost?reference-month=${month}`
  const contractPath = `/operator/v1/contract/${one.contract['contract-id']}`
  return {
    expected: (await get(`${contractPath}/expected-invoice?reference-month=${month}`)).result,
    costs: await Promise.all(
      ['cost-center', 'employee', 'person', 'product'].map((group) => get(`${costPath}&group-by=${group}`)),
    ),
    payroll: await get(`/operator/v1/payroll?company-tax-id=${one.company.taxId}&reference-month=${month}`),
    reconciliation: (await get(`${reconciliationPath}/${reconciliationId}`)).result,
    discrepancies: await discrepanciesOf(testApp, reconciliationId),
    checklist: await checklist(one),
  }
}

/** Everything that the figures of a month are. */
function figures({ company }: Known): Promise<Json[]> {
  return testApp.sql(
    `select (select json_agg(reconciliation order by id) from reconciliation where company_id = $1) as reconciliations,
       (select json_agg(discrepancy order by id) from discrepancy where company_id = $1) as discrepancies,
       (select json_agg(carrier_line order by file_id, line_number) from carrier_line where company_id = $1) as lines,
       (select json_agg(price_table order by id) from price_table where company_id = $1) as tables`,
    [company.id],
  )
}
