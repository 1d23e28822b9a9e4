import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  csv,
  discrepanciesOf,
  filePath,
  reconcile,
  repeat,
  sendFile,
  upload,
  type Upload,
} from '../../world/carrier-file.ts'
import { closeMonth } from '../../world/carrier-file-rows.ts'
import { insertPriced, planCode, pricedContract, putBands } from '../../world/price.ts'
import { type Company, expectOk, health, type Json, useTestApp } from '../../world/test-app.ts'

/* What earlier months of cover still owe, and how several invoices of a month add up. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })
const price = 74_163

interface Opened {
  readonly company: Company
  readonly contractId: string
  readonly cpf: string
}

/** A contract with one person, who costs 741.63. */
async function open(more: Json = {}): Promise<Opened> {
  const company = await testApp.company()
  const contractId = (await pricedContract(testApp, company, more))['contract-id']
  await putBands(testApp, contractId, { 'carrier-plan-code': planCode })
  const { memberId } = await insertPriced(testApp, company, { name: 'Helena Souza', born: '1988-03-03' })
  const [row] = await testApp.sql<{ cpf: string }>('select tax_id as cpf from member where id = $1', [memberId])
  return { company, contractId, cpf: row?.cpf ?? '' }
}

async function compare({ contractId }: Opened, month: string, lines: readonly Json[], more: Partial<Upload> = {}) {
  const file = await upload(testApp, { contractId, kind: 'invoice', month, ...more }, csv(lines))
  const result = await reconcile(testApp, file['file-id'])
  return { fileId: file['file-id'], ...(await shown(result)) }
}

async function shown(result: Json) {
  const id = result['reconciliation-id']
  const found = await discrepanciesOf(testApp, id)
  return {
    id,
    found,
    expected: result['expected-total'],
    classes: found.map((one): unknown[] => [one.class, one['cover-month'], one.amount, one.status, one.explanation]),
  }
}

const charge = ({ cpf }: Opened, amount = '741,63', more: Json = {}) => ({ 'tax-id': cpf, amount, ...more })

/** Ends the benefit by an exclusion, which the carrier accepts at once. */
async function exclude({ company, cpf }: Opened, endDate: string): Promise<void> {
  const partner = await testApp.partner(company.taxId)
  const details = { 'end-date': endDate, 'exclusion-reason': 'dismissal' }
  const path = `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}?resolution=approve`
  const { body } = expectOk(await partner.post(path, { 'exclusion-details': details }))
  await testApp.finished(partner, body['request-id'])
}

async function claim(id: string, discrepancy: Json): Promise<string> {
  const body = { 'reconciliation-id': id, 'discrepancy-ids': [discrepancy['discrepancy-id']] }
  const { result } = expectOk(await testApp.operator.post('/operator/v1/claim', body)).body
  expectOk(await testApp.operator.post(`/operator/v1/claim/${result['claim-id']}/status`, { status: 'sent' }))
  return result['claim-id']
}

test('the credit of an exclusion that was completed after its month was closed is expected, once, and can be claimed', async () => {
  const one = await open()
  expect((await compare(one, '2026-10', [charge(one)])).classes).toEqual([])
  await closeMonth(testApp, one.company, '2026-10')
  await exclude(one, '2026-09-30')
  const november = await compare(one, '2026-11', [{ name: 'Outra Pessoa', amount: '1,00' }])
  expect([november.expected, november.classes.toSorted()]).toEqual([
    -price,
    [
      ['charged-unknown', null, 100, 'open', null],
      ['credit-expected-missing', '2026-10', price, 'open', null],
    ],
  ])
  expect((await repeat(testApp, november.id))['expected-total']).toBe(-price)
  const missing = november.found.find((found) => found['class'] === 'credit-expected-missing')
  const claimId = await claim(november.id, missing ?? {})
  // The claim is what is expected now, and nothing beside it.
  const december = await compare(one, '2026-12', [
    charge(one, '-741,63', { 'entry-type': 'cancellation-retroactive', 'entry-month': '2026-10' }),
  ])
  expect([december.expected, december.classes]).toEqual([-price, []])
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/claim/${claimId}`)).body
  expect([result.status, result['credited-total']]).toEqual(['credited', price])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a credit that the carrier makes by itself is what is expected, to the cent', async () => {
  const one = await open({ proration: 'daily-30' })
  await compare(one, '2026-10', [charge(one)])
  await exclude(one, '2026-10-10')
  const credit = { 'entry-type': 'cancellation-retroactive', 'entry-month': '2026-10' }
  const november = await compare(one, '2026-11', [charge(one, '-494,42', credit)])
  expect([november.expected, november.classes]).toEqual([-49_442, []])
})

test('what was told of a month is not told again by the next one', async () => {
  const one = await open()
  const october = await compare(one, '2026-10', [charge(one, '800,00')])
  expect(october.classes).toEqual([['amount-differs', '2026-10', 80_000 - price, 'open', null]])
  const november = await compare(one, '2026-11', [charge(one)])
  expect([november.expected, november.classes]).toEqual([price, []])
})

test('whoever was included after a month was compared is owed for it, until an invoice charges it', async () => {
  const one = await open()
  await compare(one, '2026-10', [charge(one)])
  const { memberId } = await insertPriced(testApp, one.company, {
    name: 'Bento Vasques',
    born: '1988-03-03',
    benefit: { start_date: '2026-10-01' },
  })
  const [row] = await testApp.sql<{ cpf: string }>('select tax_id as cpf from member where id = $1', [memberId])
  const bento = { ...one, cpf: row?.cpf ?? '' }
  const november = await compare(one, '2026-11', [charge(one), charge(bento)])
  expect([november.expected, november.classes]).toEqual([3 * price, [['not-charged', '2026-10', -price, 'open', null]]])
  const late = charge(bento, '741,63', { 'entry-type': 'inclusion-retroactive', 'entry-month': '2026-10' })
  const december = await compare(one, '2026-12', [charge(one), charge(bento), late])
  expect([december.expected, december.classes]).toEqual([3 * price, []])
})

test('a supplementary invoice adds to the main one, and another main one replaces it', async () => {
  const one = await open()
  const first = await compare(one, '2026-11', [charge(one, '500,00')])
  expect(first.classes).toEqual([['amount-differs', '2026-11', 50_000 - price, 'open', null]])
  const more = await compare(one, '2026-11', [charge(one, '241,63')], { invoiceKind: 'supplementary' })
  expect([more.expected, more.classes]).toEqual([24_163, []])
  // What is missing in the main one is in the supplementary one.
  expect((await shown(await repeat(testApp, first.id))).classes).toEqual([])
  const cost = `/operator/v1/company/${one.company.taxId}/cost?reference-month=2026-11&group-by=person`
  expect(expectOk(await testApp.operator.get(cost)).body.totals).toMatchObject({ total: price })
  const checklist = `/operator/v1/closing/checklist?company-tax-id=${one.company.taxId}&reference-month=2026-11`
  const { result } = expectOk(await testApp.operator.get(checklist)).body
  expect(result.contracts).toMatchObject([{ 'carrier-total': price, 'expected-total': price, discrepancy: 0 }])
  const { fileId } = await compare(one, '2026-11', [charge(one, '500,00', { name: 'Helena' })])
  const files = expectOk(await testApp.operator.get(`${filePath}?contract-id=${one.contractId}`)).body.result
  expect(files.map((file: Json) => [file['invoice-kind'], file['replaced-by']])).toEqual([
    ['main', null],
    ['supplementary', null],
    ['main', fileId],
  ])
  expect(expectOk(await testApp.operator.get(cost)).body.totals).toMatchObject({ total: price })
  const counted = async () => expectOk(await testApp.operator.get(checklist)).body.result.contracts[0].invoices
  const invoices = [
    { 'file-id': fileId, 'invoice-kind': 'main' },
    { 'file-id': more.fileId, 'invoice-kind': 'supplementary' },
  ]
  expect(await counted()).toEqual(invoices)
  await closeMonth(testApp, one.company, '2026-11')
  expect(await counted()).toEqual(invoices)
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a month charged by the main invoice is charged twice by the supplementary one', async () => {
  const one = await open()
  await compare(one, '2026-11', [charge(one)])
  const more = await compare(one, '2026-11', [charge(one, '741,63', { name: 'Helena' })], {
    invoiceKind: 'supplementary',
  })
  expect([more.expected, more.classes]).toEqual([0, [['duplicate-charge', '2026-11', price, 'open', null]]])
})

test('only an invoice has a kind', async () => {
  const { contractId } = await open()
  const refused = await sendFile(testApp, { contractId, kind: 'roster', invoiceKind: 'main' }, 'name\nA\n')
  expect([refused.status, refused.body.details]).toMatchObject([
    400,
    [{ field: 'invoice-kind', code: 'not-applicable' }],
  ])
})

test('an invoice that is sent again has the credit of a claim that the former one had', async () => {
  const one = await open()
  const october = await compare(one, '2026-10', [charge(one), { name: 'Fulano de Tal', amount: '750,43' }])
  const unknown = october.found.find((found) => found['class'] === 'charged-unknown') ?? {}
  await claim(october.id, unknown)
  const lines = [charge(one), { name: 'Fulano de Tal', amount: '-750,43', 'entry-type': 'adjustment-credit' }]
  await testApp.sql(
    `update carrier_line set date_of_birth = '1980-01-01' where company_id = $1 and name = 'Fulano de Tal'`,
    [one.company.id],
  )
  const born = { 'date-of-birth': '1980-01-01' }
  const credited = [lines[0], { ...lines[1], ...born }].map((line) => ({ 'date-of-birth': '', ...line }))
  expect((await compare(one, '2026-11', credited)).classes).toEqual([])
  const corrected = await compare(one, '2026-11', [...credited].toReversed())
  expect(corrected.classes).toEqual([])
})

test('employees pay by month of cover: a fixed part stays while the net of the month is above it', async () => {
  const one = await open({ proration: 'daily-30' })
  const rule = {
    'contract-id': one.contractId,
    'valid-from': '2026-01-01',
    'primary-employee-share': { amount: 5000 },
    'dependent-employee-share': { amount: 5000 },
  }
  expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, rule))
  const employeeAmount = async (month: string) => {
    const path = `/operator/v1/company/${one.company.taxId}/cost?reference-month=${month}&group-by=person`
    return expectOk(await testApp.operator.get(path)).body.result.map((group: Json) => group['employee-amount'])
  }
  await compare(one, '2026-10', [charge(one)])
  await closeMonth(testApp, one.company, '2026-10')
  const credit = { 'entry-type': 'cancellation-retroactive', 'entry-month': '2026-10' }
  await compare(one, '2026-11', [charge(one, '-494,42', credit)])
  expect([await employeeAmount('2026-10'), await employeeAmount('2026-11')]).toEqual([[5000], [0]])
  // Two months that are charged late are two parts.
  const late = (period: string) =>
    charge(one, '741,63', { 'entry-type': 'inclusion-retroactive', 'entry-month': period })
  await compare(one, '2026-12', [late('2026-08'), late('2026-09')])
  expect(await employeeAmount('2026-12')).toEqual([10_000])
})

test.each([
  ['the first month first', ['2026-10', '2026-11', '2026-12']],
  ['the last month first', ['2026-12', '2026-11', '2026-10']],
  ['the middle one first', ['2026-11', '2026-12', '2026-10']],
])('the parts of employees are the same in every order of closings: %s', async (_name, order) => {
  const one = await open({ proration: 'daily-30' })
  const rule = {
    'contract-id': one.contractId,
    'valid-from': '2026-01-01',
    'primary-employee-share': { amount: 20_000 },
    'dependent-employee-share': { amount: 5000 },
  }
  expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, rule))
  const late = (amount: string) => charge(one, amount, { 'entry-type': 'adjustment-debit', 'entry-month': '2026-10' })
  await compare(one, '2026-10', [charge(one, '150,00')])
  await compare(one, '2026-11', [late('100,00')])
  await compare(one, '2026-12', [late('-70,00')])
  for (const month of order) await closeMonth(testApp, one.company, month)
  const parts: number[] = []
  for (const month of order.toSorted()) {
    const path = `/operator/v1/company/${one.company.taxId}/cost?reference-month=${month}&group-by=person`
    for (const group of expectOk(await testApp.operator.get(path)).body.result) parts.push(group['employee-amount'])
  }
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(18_000)
})
