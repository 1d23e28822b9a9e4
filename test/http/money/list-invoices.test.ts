import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { invoiceStatus, type Slip, SLIP_STATUSES } from '#money/rules/invoice.ts'
import { INVOICE_STATUSES } from '#kernel/enums.ts'
import { statusOfInvoice } from '#money/invoices/queries.ts'
import { invoiceBody, invoicePath, mark, putFile, putInvoice } from '../../world/invoice.ts'
import { type Client, type Company, expectOk, type Json, monday, nextCnpj, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let companies: Company[]
let partner: Client
let [paid, overdue, cancelled, elsewhere]: string[] = []
const [past, ahead] = [addDays(monday, -1), addDays(monday, 1)]

beforeAll(async () => {
  companies = [await testApp.company(), await testApp.company()]
  partner = await testApp.partner(...companies.map(({ taxId }) => taxId))
  const [first, second] = companies as [Company, Company]
  const put = async (company: Company, id: string, due: string, slip?: string) => {
    await putInvoice(testApp, company, { id, 'due-date': due })
    if (slip !== undefined) expectOk(await mark(testApp, id, await putFile(testApp, id, { due }), slip))
    return id
  }
  paid = await put(first, 'B paid', past, 'paid')
  overdue = await put(first, 'A overdue', past)
  cancelled = await put(first, 'C cancelled/2026', ahead, 'cancelled')
  elsewhere = await put(second, 'D elsewhere', monday)
  await putInvoice(testApp, await testApp.company())
})

const list = async (query = '') => expectOk(await partner.get(`/v1/invoices${query}`)).body
const ids = async (query: string) => (await list(query)).result.map((one: Json) => one.id)

test('invoices in every status are listed by due date and id', async () => {
  const { result, pagination } = await list()
  expect(result.map((one: Json) => [one.id, one['invoice-status']])).toEqual([
    [overdue, 'all-overdue'],
    [paid, 'all-paid'],
    [elsewhere, 'all-pending'],
    [cancelled, 'cancelled'],
  ])
  expect(pagination['total-items']).toBe(4)
  expect(await ids('?page=2&items-per-page=3')).toEqual([cancelled])
})

test('filters are joined by AND', async () => {
  expect(await ids('?status=all-paid')).toEqual([paid])
  expect(await ids('?status=partially-paid')).toEqual([])
  expect(await ids(`?company-tax-id=${companies[1]?.taxId}`)).toEqual([elsewhere])
  expect(await ids(`?company-tax-id=${companies[1]?.taxId}&status=cancelled`)).toEqual([])
  expect(await ids(`?from-dt=${monday}`)).toEqual([elsewhere, cancelled])
  expect(await ids(`?from-dt=${past}&until-dt=${monday}`)).toEqual([overdue, paid, elsewhere])
  expect(await ids(`?from-dt=${monday}&until-dt=${monday}`)).toEqual([elsewhere])
})

test('an invoice is read as it is listed', async () => {
  const { result } = await list('?status=cancelled')
  expect(expectOk(await partner.get(`/v1/invoices/${encodeURIComponent(cancelled ?? '')}`)).body.result).toEqual(
    result[0],
  )
})

test('an invoice of another client’s company is 404 like an unknown one, a company 403', async () => {
  const foreign = await testApp.company()
  const id = await putInvoice(testApp, foreign)
  for (const unknown of [id, 'no such invoice']) {
    const { status, body } = await partner.get(`/v1/invoices/${encodeURIComponent(unknown)}`)
    expect([status, body.error]).toEqual([404, 'Invoice not found'])
  }
  for (const taxId of [foreign.taxId, nextCnpj()]) {
    const { status, body } = await partner.get(`/v1/invoices?company-tax-id=${taxId}`)
    expect([status, body.error]).toEqual([403, 'Not entitled to access this company'])
  }
  const range = await partner.get(`/v1/invoices?from-dt=${monday}&until-dt=${past}`)
  expect(range.body.error).toBe("Invalid date filter: 'until-dt' must be greater than 'from-dt'")
  expect((await partner.get('/v1/invoices?status=paid')).status).toBe(400)
})

test('no invoice has the id pending-payment', async () => {
  const [company] = companies as [Company]
  const { status, body } = await testApp.operator.put(invoicePath('pending-payment'), invoiceBody(company))
  expect([status, body.error]).toEqual([400, 'Invalid invoice-id'])
})

test('the filter by status selects what the status is derived from', async () => {
  const slip: fc.Arbitrary<Slip> = fc.record({
    status: fc.constantFrom(...SLIP_STATUSES),
    dueDate: fc.constantFrom(past, monday, ahead),
  })
  const invoices = fc.sample(
    fc.record({ dueDate: fc.constantFrom(past, monday), slips: fc.array(slip, { maxLength: 4 }) }),
    {
      numRuns: 500,
      seed: Number(process.env['VIGENCIA_SEED'] ?? 20261123),
    },
  )
  const rows = await testApp.sql<{ status: string }>(
    `with invoice as (
       select 0 as company_id, (place - 1)::int as id, (item->>'dueDate')::date as due_date, item->'slips' as slips
       from json_array_elements($1::json) with ordinality as made(item, place)
     ), invoice_file as (
       select invoice.company_id, invoice.id as invoice_id, item->>'status' as status, (item->>'dueDate')::date as payment_slip_due_date
       from invoice cross join json_array_elements(invoice.slips) as slip(item)
     )
     select ${statusOfInvoice('$2::date')} as status from invoice order by id`,
    [JSON.stringify(invoices), monday],
  )
  expect(rows.map(({ status }) => status)).toEqual(
    invoices.map(({ dueDate, slips }) => invoiceStatus(dueDate, slips, monday)),
  )
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(INVOICE_STATUSES))
})
