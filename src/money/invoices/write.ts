import { v7 as uuidv7 } from 'uuid'
import { invoiceEvent } from '#platform/core/events.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Actor } from '#platform/core/actor.ts'
import type { Context } from '#platform/http/context.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { invoiceIdOf, type InvoiceInput } from './schema.ts'
import type { Sql } from '#platform/core/database.ts'
import { insertOrphan, claimOrphan } from '#registry/documents/queries.ts'
import { ApiError, invalidBody, invalidParameter, unavailable } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { invoiceStatus, type SlipStatus, unpaidDueDate } from '../rules/invoice.ts'
import type { InvoiceStatus } from '#kernel/enums.ts'
import { productNameKey } from '#kernel/product-name.ts'
import {
  claimInvoiceId,
  type FileRow,
  lockInvoice,
  type InvoiceKey,
  type InvoiceRow,
  saveConfig,
  updateSlipStatus,
  putFileRow,
  putInvoiceRow,
  readFile,
  readOwner,
  readSlips,
  type StatusFacts,
  updateInvoiceTotals,
  deleteFileRows,
  deleteInvoiceRow,
  lockOwner,
} from './rows.ts'

/**
 * Creates or replaces an invoice of a company, without its files.
 * @throws ApiError 400, 404 for an unknown company, 409 when the id belongs to another one.
 */
export async function putInvoice(context: Context, actor: Actor, id: string, body: InvoiceInput): Promise<void> {
  // The last part of `GET /v1/invoices/pending-payment`.
  if (id === 'pending-payment') throw invalidParameter([], 'Invalid invoice-id')
  const data = {
    id: invoiceIdOf(id),
    configId: body['invoice-config-id'] ?? null,
    carrierName: body['carrier-name'].trim(),
    amount: body.amount,
    dueDate: body['due-date'],
    periodStart: body['reference-period-start'],
    periodEnd: body['reference-period-end'],
  }
  if (data.periodEnd < data.periodStart) {
    throw invalidBody([{ field: 'reference-period-end', code: 'before-reference-period-start' }])
  }
  await write(context, actor, { may: ['finance'] }, async (tx) =>
    writeInvoice(tx, await requireCompany(tx, body['company-tax-id']), data, context.today()),
  )
}

/** An invoice without its files. Without a config id it gets the one of the company and carrier. */
export type InvoiceData = Omit<InvoiceRow, 'configId'> & { readonly configId: string | null }

/**
 * Inserts or replaces an invoice without its files.
 * @throws ApiError 409 when the id belongs to another company.
 */
export async function writeInvoice(sql: Tx, companyId: string, data: InvoiceData, today: LocalDate): Promise<void> {
  const at = sql.at()
  const invoice = { companyId, id: data.id }
  if (!(await claimInvoiceId(sql, invoice))) throw new ApiError('invoice-of-another-company')
  const before = await lockInvoice(sql, invoice)
  // The key of a name without letters and digits is empty.
  const carrierKey = productNameKey(data.carrierName) || data.carrierName
  const storedConfigId = await saveConfig(sql, companyId, carrierKey, data.configId ?? uuidv7())
  await putInvoiceRow(sql, companyId, { ...data, configId: data.configId ?? storedConfigId }, at)
  const status = await updateStatus(sql, invoice, before, data.dueDate, today)
  if (before === null) sql.emit(companyId, invoiceEvent('invoice.issued', data.id, status))
  sql.audit({ action: before === null ? 'invoice.created' : 'invoice.replaced', target: data.id, companyId })
}

/** A file that was uploaded to the storage and is still an orphan. */
export type FileData = Omit<FileRow, 'status'>

/**
 * Inserts or replaces a file of an invoice; the replaced upload becomes an orphan. A new payment slip is pending, a replaced one keeps
 * its status.
 * @returns the company of the invoice.
 * @throws ApiError 404, or 503 when the upload is so old that it is about to be deleted.
 */
export async function writeInvoiceFile(sql: Tx, id: string, file: FileData, today: LocalDate): Promise<string> {
  const at = sql.at()
  const { companyId, ...before } = await lockExisting(sql, id)
  const invoice = { companyId, id }
  const replaced = await readFile(sql, invoice, file.fileId)
  const status = file.type === 'payment-slip' ? (replaced?.status ?? 'pending') : null
  await putFileRow(sql, invoice, { ...file, status }, at)
  if (!(await claimOrphan(sql, file.key))) throw unavailable()
  // Deleted an hour later: a download may be reading it.
  if (replaced !== null) await insertOrphan(sql, replaced.key)
  await updateStatus(sql, invoice, before, before.dueDate, today)
  sql.audit({
    action: replaced === null ? 'invoice-file.created' : 'invoice-file.replaced',
    target: file.fileId,
    companyId,
  })
  return companyId
}

/** Updates the status of a payment slip. @returns the company of the invoice. @throws ApiError 404, or 409 for any other file. */
export async function writeSlipStatus(
  sql: Tx,
  id: string,
  fileId: string,
  status: SlipStatus,
  today: LocalDate,
): Promise<string> {
  const { companyId, ...before } = await lockExisting(sql, id)
  const invoice = { companyId, id }
  const file = await readFile(sql, invoice, fileId)
  if (file === null) throw new ApiError('invoice-file-not-found')
  if (file.status === null) throw new ApiError('invoice-file-not-payment-slip')
  await updateSlipStatus(sql, invoice, fileId, status)
  await updateStatus(sql, invoice, before, before.dueDate, today)
  sql.audit({ action: `invoice-file.${status}`, target: fileId, companyId })
  return companyId
}

/** The company of an invoice. @throws ApiError 404 */
export async function requireOwner(sql: Sql, id: string): Promise<string> {
  const companyId = await readOwner(sql, id)
  if (companyId === null) throw new ApiError('invoice-not-found')
  return companyId
}

/** Locks an invoice until the transaction ends. @throws ApiError 404 */
async function lockExisting(sql: Sql, id: string): Promise<StatusFacts & { readonly companyId: string }> {
  const companyId = await requireOwner(sql, id)
  const facts = await lockInvoice(sql, { companyId, id })
  // It may have been deleted since its owner was read.
  if (facts === null) throw new ApiError('invoice-not-found')
  return { ...facts, companyId }
}

/** Updates what is derived from the payment slips, and writes `invoice.paid` when the last one has been paid. @returns the status. */
async function updateStatus(
  sql: Tx,
  invoice: InvoiceKey,
  before: StatusFacts | null,
  dueDate: LocalDate,
  today: LocalDate,
): Promise<InvoiceStatus> {
  const slips = await readSlips(sql, invoice)
  const unpaid = unpaidDueDate(dueDate, slips)
  // An invoice that is no longer overdue may become overdue again, with another event.
  const overdueEventWritten = before?.overdueEventWritten === true && unpaid !== null && unpaid < today
  await updateInvoiceTotals(sql, invoice, { unpaidDueDate: unpaid, overdueEventWritten }, sql.at())
  const status = invoiceStatus(dueDate, slips, today)
  const wasPaid = before !== null && invoiceStatus(before.dueDate, before.slips, today) === 'all-paid'
  if (status === 'all-paid' && !wasPaid) {
    sql.emit(invoice.companyId, invoiceEvent('invoice.paid', invoice.id, status))
  }
  return status
}

/*
 * Invoices and files that were a mistake. The stored files become orphans in the same transaction: the retention job deletes them an hour later, when
 * no download reads them any more, also after a crash. There is no event.
 */

/**
 * Deletes an invoice with its files. Its id is free again.
 * @throws ApiError 404, or 409 while a payment slip is paid.
 */
export async function deleteInvoice(sql: Tx, id: string): Promise<void> {
  // Before the invoice itself: a PUT locks both in this order.
  await lockOwner(sql, id)
  const { companyId, slips } = await lockExisting(sql, id)
  refusePaid(slips)
  const invoice = { companyId, id }
  for (const key of await deleteFileRows(sql, invoice)) await insertOrphan(sql, key)
  await deleteInvoiceRow(sql, invoice)
  sql.audit({ action: 'invoice.deleted', target: id, companyId })
}

/**
 * Deletes a file of an invoice.
 * @throws ApiError 404, or 409 while a payment slip of the invoice is paid.
 */
export async function deleteInvoiceFile(sql: Tx, id: string, fileId: string, today: LocalDate): Promise<void> {
  const { companyId, ...before } = await lockExisting(sql, id)
  const invoice = { companyId, id }
  const file = await readFile(sql, invoice, fileId)
  if (file === null) throw new ApiError('invoice-file-not-found')
  refusePaid(before.slips)
  for (const key of await deleteFileRows(sql, invoice, fileId)) await insertOrphan(sql, key)
  await updateStatus(sql, invoice, before, before.dueDate, today)
  sql.audit({ action: 'invoice-file.deleted', target: fileId, companyId })
}

function refusePaid(slips: readonly { readonly status: string }[]): void {
  if (slips.some(({ status }) => status === 'paid')) throw new ApiError('paid-payment-slip')
}
