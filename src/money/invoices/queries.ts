import { type Page, mapPage } from '#platform/http/page.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { holdsText } from '#kernel/search.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { fileStatus, invoiceStatus, type Slip, type SlipStatus } from '../rules/invoice.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import { oneOf, Parameters } from '#platform/core/parameters.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { conditionsOf, type Where, pages } from '#platform/http/pages.ts'
import { pageBounds } from '#platform/http/schemas.ts'
import type { InvoiceFilter } from './schema.ts'

interface InvoiceFile {
  readonly 'file-id': string
  readonly name: string
  readonly type: string
  readonly 'payment-slip-due-date': LocalDate | null
  readonly status: SlipStatus | null
}

/** An invoice as `storedInvoice` selects it. */
interface StoredInvoice {
  readonly 'due-date': LocalDate
  readonly files: readonly InvoiceFile[]
}

/** SQL of an invoice as the API shows it, without the derived statuses, over `invoice` and `company`. */
const storedInvoice = `json_build_object('id', invoice.id, 'company-id', invoice.company_id,
  'invoice-config-id', invoice.invoice_config_id, 'company-name', company.name,
  'carrier-name', invoice.carrier_name, 'amount', invoice.amount, 'due-date', invoice.due_date,
  'reference-period-start', invoice.reference_period_start, 'reference-period-end', invoice.reference_period_end, 'files', (
    select coalesce(json_agg(json_build_object('file-id', file_id, 'name', name, 'type', type,
      'payment-slip-due-date', payment_slip_due_date, 'status', status) order by created_at, file_id), '[]')
    from invoice_file where company_id = invoice.company_id and invoice_id = invoice.id))`

/** The invoice as the API shows it, with its statuses as of today. */
function invoiceJson({ files, ...invoice }: StoredInvoice, today: LocalDate): unknown {
  const slips = files.flatMap((file) => slipOf(file) ?? [])
  return {
    ...invoice,
    'invoice-status': invoiceStatus(invoice['due-date'], slips, today),
    files: files.map((file) => ({ ...file, status: fileStatus(slipOf(file), today) })),
  }
}

function slipOf(file: InvoiceFile): Slip | null {
  const dueDate = file['payment-slip-due-date']
  return file.status === null || dueDate === null ? null : { status: file.status, dueDate }
}

/** One invoice as JSON of the API; null when there is none. */
export async function readInvoice(sql: Sql, companyId: string, id: string, today: LocalDate): Promise<string | null> {
  const [row] = await sql.query<{ invoice: StoredInvoice }>(
    `select ${storedInvoice} as invoice from invoice join company on company.id = invoice.company_id
     where invoice.company_id = $1 and invoice.id = $2`,
    [companyId, id],
  )
  return row === undefined ? null : JSON.stringify(invoiceJson(row.invoice, today))
}

/**
 * A page of the unpaid invoices of the caller's companies, by due date and id, with their total, from one snapshot. Planned for its
 * values: a client of few companies is read by company, one of many by due date.
 * @param due the first and the last due date.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listPendingInvoices(
  sql: Sql,
  caller: Client,
  due: { readonly from: LocalDate | null; readonly until: LocalDate | null },
  bounds: { readonly limit: number; readonly offset: number },
  today: LocalDate,
): Promise<Page> {
  const values = [caller.clientId, due.from ?? '-infinity', due.until ?? 'infinity', bounds.limit, bounds.offset]
  const { total, items } = rowOfActiveClient(
    await sql.queryPlanned<{ total: number; items: readonly StoredInvoice[] }>(pendingOfCaller, values),
  )
  return { total, items: JSON.stringify(items.map((invoice) => invoiceJson(invoice, today))) }
}

const pending = `from entitlement join invoice on invoice.company_id = entitlement.company_id
  where entitlement.client_id = $1 and entitlement.see_money and invoice.due_date between $2::date and $3::date and invoice.unpaid_due_date is not null`
const inOrder = `invoice.due_date, invoice.id collate "C"`

const pendingOfCaller = `
select (select count(*) ${pending}) as total, (
  select coalesce(json_agg(${storedInvoice} order by ${inOrder}), '[]')
  from (select invoice.company_id, invoice.id ${pending} order by ${inOrder} limit $4 offset $5) page
  join invoice on invoice.company_id = page.company_id and invoice.id = page.id
  join company on company.id = invoice.company_id) as items
from ${activePartner}`

/** A file of an invoice and its key in the storage. */
export interface StoredFile {
  readonly fileId: string
  readonly key: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly crc32: number
  /** Time of the upload in Sao Paulo: `YYYY-MM-DD HH:MM:SS`. */
  readonly at: string
}

/** SQL of the files of an invoice, as a list of `StoredFile`, over `invoice`. */
const storedFiles = `select coalesce(json_agg(json_build_object('fileId', file_id, 'key', storage_key, 'name', name,
         'contentType', content_type, 'size', size, 'crc32', crc32,
         'at', to_char(updated_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI:SS'))
         order by created_at, file_id), '[]')
       from invoice_file where company_id = invoice.company_id and invoice_id = invoice.id`

/** The files of an invoice of a company in their order; null when there is none. */
export async function listInvoiceFiles(sql: Sql, companyId: string, id: string): Promise<readonly StoredFile[] | null> {
  const [row] = await sql.query<{ files: StoredFile[] }>(
    `select (${storedFiles}) as files from invoice where invoice.company_id = $1 and invoice.id = $2`,
    [companyId, id],
  )
  return row?.files ?? null
}

/** The files of an invoice in their order; null when the caller is not entitled to it or there is none. @throws ApiError 401 when the client is revoked. */
export async function readInvoiceFiles(
  sql: Sql,
  caller: Client,
  id: string,
): Promise<{ readonly files: readonly StoredFile[] | null }> {
  const rows = await sql.query<{ files: StoredFile[] | null }>(
    `select found.files from ${activePartner} left join (
       select (${storedFiles}) as files
       from invoice_owner
       join entitlement on entitlement.company_id = invoice_owner.company_id and entitlement.client_id = $1 and entitlement.see_money
       join invoice on invoice.company_id = invoice_owner.company_id and invoice.id = invoice_owner.id
       where invoice_owner.id = $2
     ) found on true`,
    [caller.clientId, id],
  )
  return rowOfActiveClient(rows)
}

/** SQL of `invoiceStatus` (src/money/rules/invoice.ts) of an `invoice`. @param today SQL of the business day. */
export const statusOfInvoice = (today: string) => `(
  select case
    when count(*) = 0 then case when invoice.due_date < ${today} then 'all-overdue' else 'all-pending' end
    when count(*) filter (where status <> 'cancelled') = 0 then 'cancelled'
    when bool_and(status in ('paid', 'cancelled')) then 'all-paid'
    when bool_and(status = 'cancelled' or (status = 'pending' and payment_slip_due_date < ${today})) then 'all-overdue'
    when bool_or(status = 'pending' and payment_slip_due_date < ${today}) then 'partially-overdue'
    when bool_or(status = 'paid') then 'partially-paid'
    else 'all-pending' end
  from invoice_file where company_id = invoice.company_id and invoice_id = invoice.id and status is not null)`

/** SQL of the conditions over `invoice`. */
const invoiceConditions = (today: LocalDate): Where<InvoiceFilter> => ({
  'company-tax-id': (taxId) => `invoice.company_id = (select id from company where tax_id = ${taxId})`,
  'from-dt': (day) => `invoice.due_date >= ${day}::date`,
  'until-dt': (day) => `invoice.due_date <= ${day}::date`,
  status: oneOf(
    statusOfInvoice(`'${today}'::date`),
    `${statusOfInvoice(`'${today}'::date`)} not in ('all-paid', 'cancelled')`,
  ),
  q: (text) => holdsText('lower(invoice.id)', text),
})

/**
 * A page of the invoices of the caller's companies, by due date and id, with their total, from one snapshot. `entitled` is false when the
 * caller is not entitled to the company of the filter.
 * @throws ApiError 401 when the client is revoked, 400 for days in the wrong order.
 */
export async function listInvoices(
  sql: Sql,
  caller: Client,
  query: InvoiceFilter,
  today: LocalDate,
): Promise<Page & { readonly entitled: boolean }> {
  readDateRange(query)
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, limit, offset)
  const conditions = conditionsOf(invoiceConditions(today), query, parameters)
  const { 'company-tax-id': taxId } = query
  const company = taxId === undefined ? null : parameters.add(taxId)
  const selected = `from entitlement join invoice on invoice.company_id = entitlement.company_id
    where entitlement.client_id = $1 and entitlement.see_money ${conditions.map((condition) => `and ${condition}`).join(' ')}`
  const rows = await sql.queryPlanned<{ entitled: boolean; total: number; items: readonly StoredInvoice[] }>(
    `select ${isEntitledTo(company)} as entitled, (select count(*) ${selected}) as total, (
       select coalesce(json_agg(${storedInvoice} order by ${inOrder}), '[]')
       from (select invoice.company_id, invoice.id ${selected} order by ${inOrder} limit $2 offset $3) page
       join invoice on invoice.company_id = page.company_id and invoice.id = page.id
       join company on company.id = invoice.company_id) as items
     from ${activePartner}`,
    parameters.values,
  )
  const { entitled, total, items } = rowOfActiveClient(rows)
  return { entitled, total, items: JSON.stringify(items.map((invoice) => invoiceJson(invoice, today))) }
}

const invoiceOfCaller = `
select found.invoice
from ${activePartner} left join (
  select ${storedInvoice} as invoice
  from invoice_owner
  join entitlement on entitlement.company_id = invoice_owner.company_id and entitlement.client_id = $1 and entitlement.see_money
  join invoice on invoice.company_id = invoice_owner.company_id and invoice.id = invoice_owner.id
  join company on company.id = invoice.company_id
  where invoice_owner.id = $2
) found on true`

/** One invoice as JSON of the API; null when there is none or the caller is not entitled to it. @throws ApiError 401 when the client is revoked. */
export async function readInvoiceOfCaller(
  sql: Sql,
  caller: Client,
  id: string,
  today: LocalDate,
): Promise<string | null> {
  const rows = await sql.query<{ invoice: StoredInvoice | null }>(invoiceOfCaller, [caller.clientId, id])
  const { invoice } = rowOfActiveClient(rows)
  return invoice === null ? null : JSON.stringify(invoiceJson(invoice, today))
}

/** A page of the invoices of all companies, by due date and id. @throws ApiError 400 for days in the wrong order. */
export async function invoicePage(sql: Sql, query: InvoiceFilter, today: LocalDate): Promise<Page> {
  readDateRange(query)
  const page = pages<InvoiceFilter>({
    from: 'invoice join company on company.id = invoice.company_id',
    item: storedInvoice,
    order: inOrder,
    where: invoiceConditions(today),
    totals: `json_build_object('count', count(*), 'amount', coalesce(sum(invoice.amount), 0))`,
  })
  return mapPage(await page(sql, query), (invoice: StoredInvoice) => invoiceJson(invoice, today))
}
