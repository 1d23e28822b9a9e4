import { describe, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { readViolations } from '../../crash/invariants.ts'
import { partOf } from '../../platform/tables/workbook.ts'
import type { InvoiceEntry } from '../../world/bradesco.ts'
import { discrepanciesOf, filePath, linesOf, reconciliationPath, repeat } from '../../world/carrier-file.ts'
import { calendar } from '../../world/contract.ts'
import type { PricedPerson } from '../../world/price.ts'
import { expectOk, health, inProduct, type Json, primary, useTestApp } from '../../world/test-app.ts'
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

const open = (persons: Readonly<Record<string, PricedPerson>>, more: Json = {}) => known(testApp, persons, more)
const invoice = (one: Known, month: string, entries: readonly InvoiceEntry[], trailer?: number) =>
  compareInvoice(testApp, one, month, entries, trailer)

const shown = async ({ benefits }: Known, id: string) => {
  const names = new Map(Object.entries(benefits).map(([name, benefit]) => [benefit, name]))
  const found = await discrepanciesOf(testApp, id)
  return found
    .map((one: Json) => [names.get(one['benefit-id']) ?? null, one.class, one.amount, one.days, one.explanation])
    .toSorted((one: Json, other: Json) => String(one).localeCompare(String(other)))
}

describe('the worked invoice of 2,416.90', () => {
  const differences = [
    ['B', 'charged-after-end', 41_235, 46, null],
    ['C', 'not-charged', -41_235, null, null],
    [null, 'charged-unknown', 70_631, null, null],
  ]

  test('is 1,636.43 when the band changes after the birthday, and differs by 780.47', async () => {
    const one = await open(workedPeople)
    const compared = await invoice(one, '2026-11', workedEntries)
    expect(compared).toMatchObject({
      status: 'open',
      kind: 'invoice',
      'carrier-total': 241_690,
      'expected-total': 163_643,
      discrepancy: 78_047,
    })
    const found = [...differences.slice(0, 2), ['G', 'amount-differs', 7416, null, 'new-age-band'], differences[2]]
    expect(await shown(one, compared['reconciliation-id'])).toEqual([differences[2], ...found.slice(0, 3)])
    const list = await discrepanciesOf(testApp, compared['reconciliation-id'], '&class=amount-differs')
    expect(list[0]).toMatchObject({ expected: '74163', found: '81579', status: 'explained', 'member-name': 'G' })
    const before = await discrepanciesOf(testApp, compared['reconciliation-id'])
    const once = { count: 1, total: 41_235 }
    expect(compared['amounts']).toEqual({
      'too-much': { count: 3, total: 41_235 + 7416 + 70_631 },
      'too-little': once,
      open: { count: 3, total: 2 * 41_235 + 70_631 },
      explained: { count: 1, total: 7416 },
      claimed: { count: 0, total: 0 },
    })
    // The open ones and the largest amounts come first.
    expect(before.map(({ amount }) => amount)).toEqual([70_631, 41_235, -41_235, 7416])
    await repeat(testApp, compared['reconciliation-id'])
    expect(await discrepanciesOf(testApp, compared['reconciliation-id'])).toEqual(before)
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('differs by 706.31 when it changes in the month of the birthday', async () => {
    const one = await open(workedPeople, { 'age-on': 'birthday-month' })
    const compared = await invoice(one, '2026-11', workedEntries)
    expect(compared).toMatchObject({ 'carrier-total': 241_690, 'expected-total': 171_059, discrepancy: 70_631 })
    expect(await shown(one, compared['reconciliation-id'])).toEqual([differences[2], ...differences.slice(0, 2)])
  })

  test('with a trailer of 2,416.91 differs by 0.01 more, and is still read', async () => {
    const one = await open(workedPeople)
    const compared = await invoice(one, '2026-11', workedEntries, 241_691)
    expect(compared).toMatchObject({ 'carrier-total': 241_690, discrepancy: 78_047 })
    const totals = await discrepanciesOf(testApp, compared['reconciliation-id'], '&class=total-differs')
    expect(totals).toMatchObject([{ amount: 1, expected: '241690', found: '241691', status: 'open' }])
    // The cent is of no line: it is in none of the sums.
    expect(compared['amounts']).toMatchObject({ 'too-much': { count: 3, total: 119_282 }, open: { count: 3 } })
  })

  test('in another order differs by the same', async () => {
    const one = await open(workedPeople)
    const compared = await invoice(one, '2026-11', workedEntries.toReversed())
    expect(compared).toMatchObject({ 'expected-total': 163_643, discrepancy: 78_047 })
    expect(await shown(one, compared['reconciliation-id'])).toHaveLength(4)
  })
})

describe('an invoice', () => {
  test('is not compared while a setting of the contract is missing', async () => {
    const one = await open({ A: { born: child } }, { 'age-on': null })
    const file = await sendInvoice(testApp, one, '2026-11', workedEntries.slice(0, 1))
    const refused = await testApp.operator.post(reconciliationPath, { 'carrier-file-id': file['file-id'] })
    expect([refused.status, refused.body.code, refused.body['missing-settings']]).toEqual([
      409,
      'price-setting-missing',
      ['age-on'],
    ])
  })

  test('that differs by one factor was adjusted; what an open movement or the cut-off explains is explained', async () => {
    const one = await open(
      {
        A: { born: child },
        B: { born: '2006-03-03' },
        C: { born: child },
      },
      { calendar: calendar(20) },
    )
    const { company, benefits } = one
    const partner = await testApp.partner(company.taxId)
    const [row] = await testApp.sql<{ cpf: string }>(
      `select member.tax_id as cpf from benefit
       join member on member.company_id = benefit.company_id and member.id = benefit.member_id where benefit.id = $1`,
      [benefits['C']],
    )
    // The exclusion of C, which ended in October, is open; the inclusion of D was completed after the cut-off of 20 November.
    const exclusion = { 'exclusion-details': { 'end-date': '2026-10-31', 'exclusion-reason': 'dismissal' } }
    const path = `/v1/enrollment/exclusion/${row?.cpf}/product/${company.products[health]}`
    expectOk(await partner.post(path, exclusion))
    const products = inProduct('health-insurance', health, 'on-admission-date')
    const late = primary({ name: 'D', 'admission-date': '2026-11-01', products })
    await testApp.include(partner, company, [late], '?resolution=approve')
    const compared = await invoice(one, '2026-11', [
      { certificate: '1', name: 'A', amount: 47_515 },
      { certificate: '2', name: 'B', amount: 55_593 },
    ])
    expect(await shown(one, compared['reconciliation-id'])).toEqual([
      [null, 'not-charged', -74_163, null, 'within-cut-off'],
      ['A', 'amount-differs', 6280, null, 'annual-adjustment'],
      ['B', 'amount-differs', 7348, null, 'annual-adjustment'],
      ['C', 'not-charged', -41_235, null, 'open-movement'],
    ])
  })

  test('charges twice, within the tolerance, and before the start', async () => {
    const one = await open(
      { A: { born: child }, B: { born: child }, C: { born: child, benefit: { start_date: '2026-12-05' } } },
      { tolerance: 10 },
    )
    const compared = await invoice(one, '2026-11', [
      { certificate: '1', name: 'A', amount: 41_235 },
      { certificate: '1', name: 'A', amount: 41_235 },
      { certificate: '2', name: 'B', amount: 41_245 },
      { certificate: '3', name: 'C', amount: 41_235 },
    ])
    expect(await shown(one, compared['reconciliation-id'])).toEqual([
      ['A', 'duplicate-charge', 41_235, null, null],
      ['B', 'amount-differs', 10, null, 'tolerated'],
      ['C', 'charged-before-start', 41_235, 34, null],
    ])
  })
})

describe('a claim', () => {
  const december = (credits: readonly InvoiceEntry[]) => [
    { certificate: '1', name: 'A', amount: 41_235 },
    { certificate: '3', name: 'C', amount: 41_235 },
    { certificate: '6', name: 'G', amount: 81_579 },
    ...credits,
  ]
  const claimPath = '/operator/v1/claim'
  const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

  async function claimed(status = 'accepted'): Promise<{ readonly one: Known; readonly claim: Json }> {
    const one = await open(workedPeople)
    const compared = await invoice(one, '2026-11', workedEntries)
    const id = compared['reconciliation-id']
    const wanted = (await discrepanciesOf(testApp, id)).filter((found: Json) =>
      ['charged-after-end', 'charged-unknown'].includes(found.class),
    )
    const body = { 'reconciliation-id': id, 'discrepancy-ids': wanted.map((found: Json) => found['discrepancy-id']) }
    const finance = await testApp.operatorOf('finance')
    const claim = expectOk(await finance.post(claimPath, body)).body.result
    expect(claim).toMatchObject({ status: 'draft', total: 111_866, 'credited-total': 0, 'reference-month': '2026-11' })
    const url = `${claimPath}/${claim['claim-id']}/status`
    const sent = { status: 'sent', 'carrier-protocol': '2026-778812' }
    expect(expectOk(await finance.post(url, sent)).body.result).toMatchObject(sent)
    if (status !== 'sent') expectOk(await finance.post(url, { status }))
    return { one, claim }
  }
  const read = async (claim: Json) =>
    expectOk(await testApp.operator.get(`${claimPath}/${claim['claim-id']}`)).body.result

  test('is credited by the credits of the next invoice, to the cent', async () => {
    const { one, claim } = await claimed()
    const credits = [
      { certificate: '2', name: 'B', amount: -41_235, type: 'CR', period: '112026' },
      { certificate: '99', name: 'FULANO DE TAL', amount: -70_631, type: 'CR', period: '112026' },
      { certificate: '3', name: 'C', amount: 41_235, type: 'IR', period: '112026' },
    ]
    const compared = await invoice(one, '2026-12', december(credits))
    expect(compared).toMatchObject({ discrepancy: 0, counts: [] })
    const credited = await read(claim)
    expect(credited).toMatchObject({ status: 'credited', 'credited-total': 111_866 })
    expect(credited.lines.map((line: Json) => line['credited-in'])).toEqual(['2026-12', '2026-12'])
    await repeat(testApp, compared['reconciliation-id'])
    expect(await read(claim)).toEqual(credited)
    const list = expectOk(
      await testApp.operator.get(`${claimPath}?status=credited&company-tax-id=${one.company.taxId}`),
    ).body
    expect(list.result).toMatchObject([{ 'claim-id': claim['claim-id'], status: 'credited' }])
    const late = await testApp.operator.post(`${claimPath}/${claim['claim-id']}/status`, { status: 'refused' })
    expect([late.status, late.body.code]).toEqual([409, 'claim-status'])
    const gone = await testApp.operator.delete(`${filePath}/${compared['carrier-file-id']}`)
    expect(gone.status).toBe(204)
    expect(await read(claim)).toMatchObject({ status: 'accepted', 'credited-total': 0 })
    const november = await testApp.operator.get(`${reconciliationPath}/${claim['reconciliation-id']}`)
    const inUse = await testApp.operator.delete(`${filePath}/${november.body.result['carrier-file-id']}`)
    expect([inUse.status, inUse.body.code]).toEqual([409, 'carrier-file-in-use'])
  })

  test('stays open with a credit of 412.30', async () => {
    const { one, claim } = await claimed('sent')
    const credits = [{ certificate: '2', name: 'B', amount: -41_230, type: 'CR', period: '112026' }]
    const compared = await invoice(one, '2026-12', december(credits))
    expect(await shown(one, compared['reconciliation-id'])).toEqual([
      [null, 'credit-expected-missing', 70_631, null, null],
      ['B', 'amount-differs', 5, null, null],
    ])
    expect(await read(claim)).toMatchObject({ status: 'sent', 'credited-total': 0 })
  })

  test('that is refused opens what it claimed; a draft can be deleted, one that was sent cannot', async () => {
    const { one, claim } = await claimed('refused')
    const id = claim['reconciliation-id']
    const open = await discrepanciesOf(testApp, id, '&status=open')
    expect(open.map((found: Json) => found.class)).toEqual(['charged-unknown', 'charged-after-end', 'not-charged'])
    const gone = await testApp.operator.delete(`${claimPath}/${claim['claim-id']}`)
    expect([gone.status, gone.body.code]).toEqual([409, 'claim-status'])
    const body = { 'reconciliation-id': id, 'discrepancy-ids': [open[0]['discrepancy-id']], note: 'Segunda vez' }
    const again = expectOk(await testApp.operator.post(claimPath, body)).body.result
    expect(again).toMatchObject({ total: 70_631, note: 'Segunda vez' })
    const twice = await testApp.operator.post(claimPath, body)
    expect(twice.body.details).toMatchObject([{ field: 'discrepancy-ids[0]', code: 'not-applicable' }])
    const notCharged = { ...body, 'discrepancy-ids': [open[2]['discrepancy-id']] }
    expect((await testApp.operator.post(claimPath, notCharged)).status).toBe(400)
    expect((await testApp.operator.delete(`${claimPath}/${again['claim-id']}`)).status).toBe(204)
    expect(await discrepanciesOf(testApp, id, '&status=open')).toHaveLength(3)
    expect(one.company.taxId).toBe(claim['company-tax-id'])
  })

  test('that is refused after a part of it was credited keeps that part', async () => {
    const { one, claim } = await claimed()
    const credits = [{ certificate: '2', name: 'B', amount: -41_235, type: 'CR', period: '112026' }]
    const compared = await invoice(one, '2026-12', december(credits))
    expectOk(await testApp.operator.post(`${claimPath}/${claim['claim-id']}/status`, { status: 'refused' }))
    const november = await discrepanciesOf(testApp, claim['reconciliation-id'])
    const statusOf = (name: string) => november.find((found: Json) => found.class === name).status
    expect(['charged-after-end', 'charged-unknown'].map(statusOf)).toEqual(['claimed', 'open'])
    await repeat(testApp, compared['reconciliation-id'])
    expect(await read(claim)).toMatchObject({ status: 'refused', total: 111_866, 'credited-total': 41_235 })
    expect(await readViolations(testApp.sql)).toEqual({})
    expect((await testApp.operator.delete(`${filePath}/${compared['carrier-file-id']}`)).status).toBe(204)
    expect(await read(claim)).toMatchObject({ status: 'refused', 'credited-total': 0 })
    expect(await discrepanciesOf(testApp, claim['reconciliation-id'], '&status=claimed')).toEqual([])
  })

  test('that is refused opens what its invoice, compared again, no longer credits', async () => {
    const { one, claim } = await claimed()
    const credits = [{ certificate: '2', name: 'B', amount: -41_235, type: 'CR', period: '112026' }]
    const compared = await invoice(one, '2026-12', december(credits))
    expectOk(await testApp.operator.post(`${claimPath}/${claim['claim-id']}/status`, { status: 'refused' }))
    const [credit] = (await linesOf(testApp, compared['carrier-file-id'])).filter(({ amount }) => amount === -41_235)
    const linked = { 'benefit-id': null }
    const line = `${filePath}/${compared['carrier-file-id']}/line/${credit?.['line-number']}`
    expectOk(await testApp.operator.post(`${line}/link`, linked))
    await repeat(testApp, compared['reconciliation-id'])
    expect(await read(claim)).toMatchObject({ status: 'refused', 'credited-total': 0 })
    expect(await discrepanciesOf(testApp, claim['reconciliation-id'], '&status=claimed')).toEqual([])
  })

  test('is of an invoice and exists: 404 otherwise', async () => {
    const codes = await Promise.all(
      [
        testApp.operator.get(`${claimPath}/${unknown}`),
        testApp.operator.get(`${claimPath}/${unknown}/export`),
        testApp.operator.delete(`${claimPath}/${unknown}`),
        testApp.operator.post(`${claimPath}/${unknown}/status`, { status: 'sent' }),
        testApp.operator.post(claimPath, { 'reconciliation-id': unknown, 'discrepancy-ids': [unknown] }),
      ].map(async (answer) => (await answer).body.code),
    )
    expect(codes).toEqual([...Array(4).fill('claim-not-found'), 'reconciliation-not-found'])
  })

  test('is listed with the sums of all that the filters select, whatever the page', async () => {
    const { one, claim } = await claimed('sent')
    const [notCredited] = await discrepanciesOf(testApp, claim['reconciliation-id'], '&class=amount-differs')
    const more = { 'reconciliation-id': claim['reconciliation-id'], 'discrepancy-ids': [notCredited['discrepancy-id']] }
    expectOk(await testApp.operator.post(claimPath, more))
    await invoice(
      one,
      '2026-12',
      december([{ certificate: '2', name: 'B', amount: -41_235, type: 'CR', period: '112026' }]),
    )
    const list = async (query: string) =>
      expectOk(await testApp.operator.get(`${claimPath}?items-per-page=1&company-tax-id=${one.company.taxId}${query}`))
        .body
    const all = await list('')
    expect(all.pagination['total-items']).toBe(2)
    expect(all.totals).toEqual({ total: 119_282, 'credited-total': 41_235, 'open-total': 70_631 })
    const carriers = expectOk(await testApp.operator.get('/operator/v1/carrier')).body.result
    const { 'carrier-id': carrierId } = carriers.find((each: Json) => each.name === one.contract['carrier-name'])
    expect((await list(`&status=draft&carrier-id=${carrierId}`)).totals).toEqual({
      total: 7416,
      'credited-total': 0,
      'open-total': 0,
    })
    const none = await list(`&carrier-id=${unknown}`)
    expect([none.result, none.totals]).toEqual([[], { total: 0, 'credited-total': 0, 'open-total': 0 }])
  })

  test('goes to the carrier as a workbook without CPFs; the lines of the invoice name their discrepancies', async () => {
    const { claim } = await claimed()
    const auditor = await testApp.operatorOf('auditor')
    const headers = { authorization: `Bearer ${auditor.token}`, 'accept-language': 'pt-BR' }
    const response = await fetch(`${testApp.url}${claimPath}/${claim['claim-id']}/export`, { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, xlsxType])
    const sheet = await partOf(Buffer.from(await response.arrayBuffer()), 'xl/worksheets/sheet1.xml')
    const rows = sheet
      .split('<row ')
      .slice(1)
      .map((row) => Array.from(row.matchAll(/<(?:t [^>]*|v)>([^<]*)</g), ([, text]) => text))
    expect(rows[0]).toEqual(expect.arrayContaining(['Certificado', 'Valor devido', 'Valor cobrado', 'Diferença']))
    expect(rows[0]).not.toContain('CPF')
    expect(rows[1]?.[3]).toMatch(/^[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}$/)
    expect(rows[1]?.[4]).toBe('11/2026')
    // Numbers in reais: a program sums them.
    expect(sheet.match(/<c r="P\d+" s="5"><v>[\d.]+<\/v>/g)).toHaveLength(2)
    expect(rows.slice(1).map((row) => row.slice(-4))).toEqual([
      ['Cobrado após o fim', '0.00', '412.35', '412.35'],
      ['Cobrado, desconhecido aqui', '0.00', '706.31', '706.31'],
    ])
    const compared = await testApp.operator.get(`${reconciliationPath}/${claim['reconciliation-id']}`)
    const lines = await linesOf(testApp, compared.body.result['carrier-file-id'])
    const classes = lines.map((line: Json) => line.discrepancies.map((found: Json) => [found.class, found.amount]))
    expect(classes).toEqual([
      [],
      [['charged-after-end', 41_235]],
      [],
      [],
      [['charged-unknown', 70_631]],
      [['amount-differs', 7416]],
    ])
  })
})
