import type { Page } from '../http/page.ts'
import { activePartner, rowOfActivePartner } from '../http/active-client.ts'
import type { Caller } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { storedInvoice, type StoredInvoice, invoiceJson } from './queries.ts'

/** Due dates, both included. */
export interface DueFilter {
  readonly from: LocalDate | null
  readonly until: LocalDate | null
}

interface PendingInvoices {
  readonly total: number
  readonly items: readonly StoredInvoice[]
}

/**
 * A page of the unpaid invoices of the caller's companies, by due date and id, with their total, from one snapshot. Planned for its
 * values: a client of few companies is read by company, one of many by due date.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listPendingInvoices(
  sql: Sql,
  caller: Caller,
  filter: DueFilter,
  bounds: { readonly limit: number; readonly offset: number },
  today: LocalDate,
): Promise<Page> {
  const values = [caller.clientId, filter.from ?? '-infinity', filter.until ?? 'infinity', bounds.limit, bounds.offset]
  const { total, items } = rowOfActivePartner(await sql.queryPlanned<PendingInvoices>(pendingOfCaller, values))
  return { total, items: JSON.stringify(items.map((invoice) => invoiceJson(invoice, today))) }
}

const pending = `from entitlement t join invoice i on i.company_id = t.company_id
  where t.client_id = $1 and i.due_date between $2::date and $3::date and i.unpaid_due_date is not null`
const inOrder = `i.due_date, i.id collate "C"`

const pendingOfCaller = `
select (select count(*) ${pending}) as total, (
  select coalesce(json_agg(${storedInvoice} order by ${inOrder}), '[]')
  from (select i.company_id, i.id ${pending} order by ${inOrder} limit $4 offset $5) l
  join invoice i on i.company_id = l.company_id and i.id = l.id
  join company c on c.id = i.company_id) as items
from ${activePartner}`
