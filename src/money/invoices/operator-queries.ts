import type { LocalDate } from '#kernel/calendar.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { mapPage, type Page } from '#platform/http/page.ts'
import { pages } from '#platform/http/pages.ts'
import type { Sql } from '#platform/core/database.ts'
import { inOrder, invoiceConditions } from './list-queries.ts'
import { invoiceJson, storedInvoice, type StoredInvoice } from './queries.ts'
import type { InvoiceFilter } from './schema.ts'

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
