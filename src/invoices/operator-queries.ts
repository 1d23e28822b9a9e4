import type { LocalDate } from '../domain/calendar.ts'
import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { inOrder, invoiceConditions, type InvoiceFilter } from './list-queries.ts'
import { invoiceJson, storedInvoice, type StoredInvoice } from './queries.ts'

/** A page of the invoices of all companies, by due date and id, with their total and the sum of all amounts in cents, from one snapshot. */
export async function listAllInvoices(
  sql: Sql,
  filter: InvoiceFilter,
  bounds: { readonly limit: number; readonly offset: number },
  today: LocalDate,
): Promise<Page & { readonly amount: string }> {
  const values: unknown[] = [bounds.limit, bounds.offset]
  const conditions = invoiceConditions(filter, today, (value) => `$${values.push(value)}`)
  const selected = `from invoice i where ${['true', ...conditions].join(' and ')}`
  const [row] = await sql.queryPlanned<{ total: number; amount: string; items: readonly StoredInvoice[] }>(
    `select t.total, t.amount, (
       select coalesce(json_agg(${storedInvoice} order by ${inOrder}), '[]')
       from (select i.company_id, i.id ${selected} order by ${inOrder} limit $1 offset $2) l
       join invoice i on i.company_id = l.company_id and i.id = l.id
       join company c on c.id = i.company_id) as items
     from (select count(*) as total, coalesce(sum(i.amount), 0)::text as amount ${selected}) t`,
    values,
  )
  const { total, amount, items } = row ?? { total: 0, amount: '0', items: [] }
  return { total, amount, items: JSON.stringify(items.map((invoice) => invoiceJson(invoice, today))) }
}
