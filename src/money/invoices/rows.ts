import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Slip, SlipStatus } from '../rules/invoice.ts'
import type { InvoiceFileType } from '#kernel/enums.ts'

export interface InvoiceKey {
  readonly companyId: string
  readonly id: string
}

/**
 * Makes the company the owner of the id, unless it has an owner, and locks the id until the transaction ends: it cannot be deleted meanwhile.
 * @returns whether the company is the owner.
 */
export async function claimInvoiceId(sql: Sql, { companyId, id }: InvoiceKey): Promise<boolean> {
  const [owner] = await sql.query<{ companyId: string }>(
    `insert into invoice_owner (id, company_id) values ($1, $2)
     on conflict (id) do update set company_id = invoice_owner.company_id returning company_id as "companyId"`,
    [id, companyId],
  )
  return owner?.companyId === companyId
}

/** Locks the id of an invoice, so that no PUT of it begins. */
export async function lockOwner(sql: Sql, id: string): Promise<void> {
  await sql.query('select from invoice_owner where id = $1 for update', [id])
}

/** The company of an invoice; null when there is no such invoice. */
export async function readOwner(sql: Sql, id: string): Promise<string | null> {
  const rows = await sql.query<{ companyId: string }>(
    'select company_id as "companyId" from invoice_owner where id = $1',
    [id],
  )
  return rows[0]?.companyId ?? null
}

/** The facts from which the status of an invoice is derived. */
export interface StatusFacts {
  readonly dueDate: LocalDate
  /** Whether `invoice.overdue` was written since the invoice became overdue. */
  readonly overdueEventWritten: boolean
  readonly slips: readonly Slip[]
}

/** Locks an invoice until the transaction ends; null when there is none. */
export async function lockInvoice(sql: Sql, invoice: InvoiceKey): Promise<StatusFacts | null> {
  const rows = await sql.query<{ dueDate: LocalDate; overdueEventWritten: boolean }>(
    `select due_date as "dueDate", overdue_event_written as "overdueEventWritten"
     from invoice where company_id = $1 and id = $2 for update`,
    [invoice.companyId, invoice.id],
  )
  // A second statement, after the lock, sees what the previous holder of the lock has written.
  return rows[0] === undefined ? null : { ...rows[0], slips: await readSlips(sql, invoice) }
}

/** The payment slips of an invoice. */
export async function readSlips(sql: Sql, { companyId, id }: InvoiceKey): Promise<Slip[]> {
  return sql.query<Slip>(
    `select status, payment_slip_due_date as "dueDate" from invoice_file
     where company_id = $1 and invoice_id = $2 and status is not null`,
    [companyId, id],
  )
}

/** The config of the company and carrier; inserts `newId` when there is none. */
export async function saveConfig(sql: Sql, companyId: string, carrierKey: string, newId: string): Promise<string> {
  const rows = await sql.query<{ id: string }>(
    `insert into invoice_config (company_id, carrier_key, id) values ($1, $2, $3)
     on conflict (company_id, carrier_key) do update set id = invoice_config.id returning id`,
    [companyId, carrierKey, newId],
  )
  return rows[0]?.id ?? newId
}

export interface InvoiceRow {
  readonly id: string
  readonly configId: string
  readonly carrierName: string
  readonly amount: number
  readonly dueDate: LocalDate
  readonly periodStart: LocalDate
  readonly periodEnd: LocalDate
}

/** Inserts or updates the invoice; `updateInvoiceTotals` sets what is derived from its payment slips. */
export async function putInvoiceRow(sql: Sql, companyId: string, row: InvoiceRow, at: Date): Promise<void> {
  await sql.execute(
    `insert into invoice (company_id, id, invoice_config_id, carrier_name, amount, due_date, reference_period_start,
       reference_period_end, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     on conflict (company_id, id) do update set invoice_config_id = excluded.invoice_config_id,
       carrier_name = excluded.carrier_name, amount = excluded.amount, due_date = excluded.due_date,
       reference_period_start = excluded.reference_period_start, reference_period_end = excluded.reference_period_end,
       updated_at = excluded.updated_at`,
    [companyId, row.id, row.configId, row.carrierName, row.amount, row.dueDate, row.periodStart, row.periodEnd, at],
  )
}

/** Updates what is derived from the payment slips. */
export async function updateInvoiceTotals(
  sql: Sql,
  { companyId, id }: InvoiceKey,
  totals: { unpaidDueDate: LocalDate | null; overdueEventWritten: boolean },
  at: Date,
): Promise<void> {
  await sql.execute(
    'update invoice set unpaid_due_date = $3, overdue_event_written = $4, updated_at = $5 where company_id = $1 and id = $2',
    [companyId, id, totals.unpaidDueDate, totals.overdueEventWritten, at],
  )
}

export interface FileRow {
  readonly fileId: string
  readonly name: string
  readonly type: InvoiceFileType
  readonly contentType: string
  readonly size: number
  readonly crc32: number
  readonly key: string
  /** null unless the file is a payment slip. */
  readonly status: SlipStatus | null
  readonly slipDueDate: LocalDate | null
}

/** The key and status of a file; null when the invoice has no file of that id. */
export async function readFile(
  sql: Sql,
  { companyId, id }: InvoiceKey,
  fileId: string,
): Promise<{ readonly key: string; readonly status: SlipStatus | null } | null> {
  const rows = await sql.query<{ key: string; status: SlipStatus | null }>(
    `select storage_key as key, status from invoice_file where company_id = $1 and invoice_id = $2 and file_id = $3`,
    [companyId, id, fileId],
  )
  return rows[0] ?? null
}

/** Inserts or replaces a file of a locked invoice. */
export async function putFileRow(sql: Sql, { companyId, id }: InvoiceKey, file: FileRow, at: Date): Promise<void> {
  await sql.execute(
    `insert into invoice_file (company_id, invoice_id, file_id, name, type, content_type, size, crc32, storage_key, status,
       payment_slip_due_date, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
     on conflict (company_id, invoice_id, file_id) do update set name = excluded.name, type = excluded.type,
       content_type = excluded.content_type, size = excluded.size, crc32 = excluded.crc32,
       storage_key = excluded.storage_key, status = excluded.status,
       payment_slip_due_date = excluded.payment_slip_due_date, updated_at = excluded.updated_at`,
    [
      companyId,
      id,
      file.fileId,
      file.name,
      file.type,
      file.contentType,
      file.size,
      file.crc32,
      file.key,
      file.status,
      file.slipDueDate,
      at,
    ],
  )
}

/** Updates the status of a payment slip. `updated_at` stays the time of the upload. */
export async function updateSlipStatus(
  sql: Sql,
  { companyId, id }: InvoiceKey,
  fileId: string,
  status: SlipStatus,
): Promise<void> {
  await sql.execute('update invoice_file set status = $4 where company_id = $1 and invoice_id = $2 and file_id = $3', [
    companyId,
    id,
    fileId,
    status,
  ])
}

/** Deletes the files of a locked invoice, or one of them. @returns their keys in the storage. */
export async function deleteFileRows(
  sql: Sql,
  { companyId, id }: InvoiceKey,
  fileId: string | null = null,
): Promise<string[]> {
  const rows = await sql.query<{ key: string }>(
    `delete from invoice_file where company_id = $1 and invoice_id = $2 and ($3::uuid is null or file_id = $3)
     returning storage_key as key`,
    [companyId, id, fileId],
  )
  return rows.map(({ key }) => key)
}

/** Deletes a locked invoice without files, and its owner. */
export async function deleteInvoiceRow(sql: Sql, { companyId, id }: InvoiceKey): Promise<void> {
  await sql.execute('delete from invoice where company_id = $1 and id = $2', [companyId, id])
  await sql.execute('delete from invoice_owner where company_id = $1 and id = $2', [companyId, id])
}

/** Overdue invoices without an `invoice.overdue` event. */
export async function readNewlyOverdue(
  sql: Sql,
  today: LocalDate,
  limit: number,
  without: readonly string[],
): Promise<InvoiceKey[]> {
  return sql.query<InvoiceKey>(
    `select company_id as "companyId", id from invoice
     where unpaid_due_date is not null and not overdue_event_written and unpaid_due_date < $1 and company_id <> all($3::uuid[])
     order by unpaid_due_date, company_id, id limit $2`,
    [today, limit, without],
  )
}

/** Marks those of a company's invoices that are overdue as reported. @returns the invoices that were not reported before. */
export async function claimOverdue(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: LocalDate,
): Promise<{ id: string; dueDate: LocalDate; slips: readonly Slip[] }[]> {
  const claimed = await sql.queryPlanned<{ id: string; dueDate: LocalDate }>(
    `update invoice set overdue_event_written = true
     where company_id = $1 and id = any($2::text[]) and not overdue_event_written and unpaid_due_date < $3
     returning id, due_date as "dueDate"`,
    [companyId, ids, today],
  )
  const slips = await sql.queryPlanned<Slip & { invoiceId: string }>(
    `select invoice_id as "invoiceId", status, payment_slip_due_date as "dueDate" from invoice_file
     where company_id = $1 and invoice_id = any($2::text[]) and status is not null`,
    [companyId, claimed.map((invoice) => invoice.id)],
  )
  const byInvoice = Map.groupBy(slips, (slip) => slip.invoiceId)
  return claimed.map((invoice) => ({ ...invoice, slips: byInvoice.get(invoice.id) ?? [] }))
}
