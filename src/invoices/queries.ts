import type { Page } from '../http/page.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { fileStatus, invoiceStatus, type Slip, type SlipStatus } from '../domain/invoice.ts'

interface InvoiceFile {
  readonly 'file-id': string
  readonly name: string
  readonly type: string
  readonly 'payment-slip-due-date': LocalDate | null
  readonly status: SlipStatus | null
}

/** An invoice as `storedInvoice` selects it. */
export interface StoredInvoice {
  readonly 'due-date': LocalDate
  readonly files: readonly InvoiceFile[]
}

/** SQL of an invoice as the API shows it, without the derived statuses, over the aliases i (invoice) and c (company). */
export const storedInvoice = `json_build_object('id', i.id, 'company-id', i.company_id, 'invoice-config-id', i.invoice_config_id,
  'company-name', c.name, 'carrier-name', i.carrier_name, 'amount', i.amount, 'due-date', i.due_date,
  'reference-period-start', i.reference_period_start, 'reference-period-end', i.reference_period_end, 'files', (
    select coalesce(json_agg(json_build_object('file-id', f.file_id, 'name', f.name, 'type', f.type,
      'payment-slip-due-date', f.payment_slip_due_date, 'status', f.status) order by f.created_at, f.file_id), '[]')
    from invoice_file f where f.company_id = i.company_id and f.invoice_id = i.id))`

/** The invoice as the API shows it, with its statuses as of today. */
export function invoiceJson({ files, ...invoice }: StoredInvoice, today: LocalDate): unknown {
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
    `select ${storedInvoice} as invoice from invoice i join company c on c.id = i.company_id
     where i.company_id = $1 and i.id = $2`,
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
  const { total, items } = rowOfActivePartner(
    await sql.queryPlanned<{ total: number; items: readonly StoredInvoice[] }>(pendingOfCaller, values),
  )
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

/** SQL of the files of an invoice, as a list of `StoredFile`, over the alias i (invoice). */
const storedFiles = `select coalesce(json_agg(json_build_object('fileId', f.file_id, 'key', f.storage_key, 'name', f.name,
         'contentType', f.content_type, 'size', f.size, 'crc32', f.crc32,
         'at', to_char(f.updated_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI:SS'))
         order by f.created_at, f.file_id), '[]')
       from invoice_file f where f.company_id = i.company_id and f.invoice_id = i.id`

/** The files of an invoice of a company in their order; null when there is none. */
export async function listInvoiceFiles(sql: Sql, companyId: string, id: string): Promise<readonly StoredFile[] | null> {
  const [row] = await sql.query<{ files: StoredFile[] }>(
    `select (${storedFiles}) as files from invoice i where i.company_id = $1 and i.id = $2`,
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
    `select f.files from ${activePartner} left join (
       select (${storedFiles}) as files
       from invoice_owner o
       join entitlement t on t.company_id = o.company_id and t.client_id = $1
       join invoice i on i.company_id = o.company_id and i.id = o.id
       where o.id = $2
     ) f on true`,
    [caller.clientId, id],
  )
  return rowOfActivePartner(rows)
}
