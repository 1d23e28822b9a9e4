import type { LocalDate } from '#kernel/calendar.ts'
import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { inOrder, invoiceConditions, type InvoiceFilter } from './list-queries.ts'
import { invoiceJson, storedInvoice, type StoredInvoice } from './queries.ts'

/** A page of the invoices of all companies, by due date and id, with their total and the sum of all amounts in cents, from one snapshot. */
export async function listAllInvoices(
  sql: Sql,
  filter: InvoiceFilter,
  bounds: { readonly limit: number; readonly offset: number },
  today: LocalDate,
): Promise<Page & { readonly amount: string }> {
  const parameters = new Parameters(bounds.limit, bounds.offset)
  const conditions = invoiceConditions(filter, today, parameters)
  const selected = `from invoice where ${['true', ...conditions].join(' and ')}`
  const [row] = await sql.queryPlanned<{ total: number; amount: string; items: readonly StoredInvoice[] }>(
    `select totals.total, totals.amount, (
       select coalesce(json_agg(${storedInvoice} order by ${inOrder}), '[]')
       from (select invoice.company_id, invoice.id ${selected} order by ${inOrder} limit $1 offset $2) page
       join invoice on invoice.company_id = page.company_id and invoice.id = page.id
       join company on company.id = invoice.company_id) as items
     from (select count(*) as total, coalesce(sum(invoice.amount), 0)::text as amount ${selected}) totals`,
    parameters.values,
  )
  const { total, amount, items } = row ?? { total: 0, amount: '0', items: [] }
  return { total, amount, items: JSON.stringify(items.map((invoice) => invoiceJson(invoice, today))) }
}
