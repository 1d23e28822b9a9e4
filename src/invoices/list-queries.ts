import { isEntitledTo } from '../companies/queries.ts'
import type { LocalDate } from '../domain/calendar.ts'
import type { InvoiceStatus } from '../domain/invoice.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { invoiceJson, storedInvoice, type StoredInvoice } from './queries.ts'

/** Conditions joined by AND; null: no condition. */
export interface InvoiceFilter {
  readonly status: InvoiceStatus | null
  readonly companyTaxId: string | null
  /** The first and the last due date. */
  readonly from: LocalDate | null
  readonly until: LocalDate | null
}

/** SQL of `invoiceStatus` (src/domain/invoice.ts) of the row i (invoice). @param today SQL of the business day. */
export const statusOfInvoice = (today: string) => `(
  select case
    when count(*) = 0 then case when i.due_date < ${today} then 'all-overdue' else 'all-pending' end
    when count(*) filter (where f.status <> 'cancelled') = 0 then 'cancelled'
    when bool_and(f.status in ('paid', 'cancelled')) then 'all-paid'
    when bool_and(f.status = 'cancelled' or (f.status = 'pending' and f.payment_slip_due_date < ${today})) then 'all-overdue'
    when bool_or(f.status = 'pending' and f.payment_slip_due_date < ${today}) then 'partially-overdue'
    when bool_or(f.status = 'paid') then 'partially-paid'
    else 'all-pending' end
  from invoice_file f where f.company_id = i.company_id and f.invoice_id = i.id and f.status is not null)`

/** SQL of the order of invoices. */
export const inOrder = `i.due_date, i.id collate "C"`

/** SQL of the conditions of a filter over i (invoice). @param parameter adds a value and returns its placeholder. */
export function invoiceConditions(
  { companyTaxId, from, until, status }: InvoiceFilter,
  today: LocalDate,
  parameter: (value: string) => string,
): string[] {
  return [
    ...(companyTaxId === null
      ? []
      : [`i.company_id = (select id from company where tax_id = ${parameter(companyTaxId)})`]),
    ...(from === null ? [] : [`i.due_date >= ${parameter(from)}::date`]),
    ...(until === null ? [] : [`i.due_date <= ${parameter(until)}::date`]),
    ...(status === null ? [] : [`${parameter(status)} = ${statusOfInvoice(`${parameter(today)}::date`)}`]),
  ]
}

/**
 * A page of the invoices of the caller's companies, by due date and id, with their total, from one snapshot. `entitled` is false when the
 * caller is not entitled to the company of the filter.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listInvoices(
  sql: Sql,
  caller: Client,
  filter: InvoiceFilter,
  bounds: { readonly limit: number; readonly offset: number },
  today: LocalDate,
): Promise<Page & { readonly entitled: boolean }> {
  const values: unknown[] = [caller.clientId, bounds.limit, bounds.offset]
  const parameter = (value: string) => `$${values.push(value)}`
  const conditions = invoiceConditions(filter, today, parameter)
  const selected = `from entitlement t join invoice i on i.company_id = t.company_id
    where t.client_id = $1 ${conditions.map((condition) => `and ${condition}`).join(' ')}`
  const rows = await sql.queryPlanned<{ entitled: boolean; total: number; items: readonly StoredInvoice[] }>(
    `select ${isEntitledTo(filter.companyTaxId === null ? null : parameter(filter.companyTaxId))} as entitled, (select count(*) ${selected}) as total, (
       select coalesce(json_agg(${storedInvoice} order by ${inOrder}), '[]')
       from (select i.company_id, i.id ${selected} order by ${inOrder} limit $2 offset $3) l
       join invoice i on i.company_id = l.company_id and i.id = l.id
       join company c on c.id = i.company_id) as items
     from ${activePartner}`,
    values,
  )
  const { entitled, total, items } = rowOfActivePartner(rows)
  return { entitled, total, items: JSON.stringify(items.map((invoice) => invoiceJson(invoice, today))) }
}

const invoiceOfCaller = `
select f.invoice
from ${activePartner} left join (
  select ${storedInvoice} as invoice
  from invoice_owner o
  join entitlement t on t.company_id = o.company_id and t.client_id = $1
  join invoice i on i.company_id = o.company_id and i.id = o.id
  join company c on c.id = i.company_id
  where o.id = $2
) f on true`

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
