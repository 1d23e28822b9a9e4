import { isEntitledTo } from '#registry/companies/queries.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { activePartner, rowOfActivePartner } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { conditionsOf, type Where } from '#platform/http/pages.ts'
import { pageBounds } from '#platform/http/schemas.ts'
import type { InvoiceFilter } from './schema.ts'
import { invoiceJson, storedInvoice, type StoredInvoice } from './queries.ts'

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

/** SQL of the order of invoices. */
export const inOrder = `invoice.due_date, invoice.id collate "C"`

/** SQL of the conditions over `invoice`. */
export const invoiceConditions = (today: LocalDate): Where<InvoiceFilter> => ({
  'company-tax-id': (taxId) => `invoice.company_id = (select id from company where tax_id = ${taxId})`,
  'from-dt': (day) => `invoice.due_date >= ${day}::date`,
  'until-dt': (day) => `invoice.due_date <= ${day}::date`,
  status: (status) => `${status} = ${statusOfInvoice(`'${today}'::date`)}`,
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
  const { entitled, total, items } = rowOfActivePartner(rows)
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
  const { invoice } = rowOfActivePartner(rows)
  return invoice === null ? null : JSON.stringify(invoiceJson(invoice, today))
}
