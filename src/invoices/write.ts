import { v7 as uuidv7 } from 'uuid'
import type { Origin } from '../http/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { Sql } from '../platform/database.ts'
import { insertOrphan, claimOrphan } from '../documents/queries.ts'
import { ApiError, unavailable } from '../platform/errors.ts'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'
import type { LocalDate } from '../domain/calendar.ts'
import type { EventType } from '../domain/events.ts'
import { type InvoiceStatus, invoiceStatus, type SlipStatus, unpaidDueDate } from '../domain/invoice.ts'
import { productNameKey } from '../domain/product-name.ts'
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
  readSlips,
  type StatusFacts,
  updateInvoiceTotals,
} from './write-queries.ts'

/** The actor and origin of a write, and the business day. */
export interface Writer {
  readonly actor: string
  readonly origin: Origin | null
  readonly today: LocalDate
}

/** An invoice without its files. Without a config id it gets the one of the company and carrier. */
export type InvoiceData = Omit<InvoiceRow, 'configId'> & { readonly configId: string | null }

/**
 * Inserts or replaces an invoice without its files.
 * @throws ApiError 409 when the id belongs to another company.
 */
export async function writeInvoice(sql: Sql, companyId: string, data: InvoiceData, writer: Writer): Promise<void> {
  const at = new Date()
  const owner = await claimInvoiceId(sql, companyId, data.id)
  if (owner !== companyId) throw new ApiError(409, 'Invoice belongs to another company')
  const before = await lockInvoice(sql, companyId, data.id)
  // The key of a name without letters and digits is empty.
  const carrierKey = productNameKey(data.carrierName) || data.carrierName
  const storedConfigId = await saveConfig(sql, companyId, carrierKey, data.configId ?? uuidv7())
  await putInvoiceRow(sql, companyId, { ...data, configId: data.configId ?? storedConfigId }, at)
  const invoice = { companyId, id: data.id }
  const status = await updateStatus(sql, invoice, before, data.dueDate, writer, at)
  if (before === null) await writeEvent(sql, invoice, 'invoice.issued', status, at)
  await audit(sql, invoice, before === null ? 'invoice.created' : 'invoice.replaced', data.id, writer)
}

/** A file that was uploaded to the storage and is still an orphan. */
export type FileData = Omit<FileRow, 'status'>

/**
 * Inserts or replaces a file of an invoice; the replaced upload becomes an orphan. A new payment slip is pending, a replaced one keeps
 * its status.
 * @throws ApiError 404, or 503 when the upload is so old that it is about to be deleted.
 */
export async function writeInvoiceFile(sql: Sql, invoice: InvoiceKey, file: FileData, writer: Writer): Promise<void> {
  const at = new Date()
  const { companyId, id } = invoice
  const before = await lockExisting(sql, invoice)
  const replaced = await readFile(sql, companyId, id, file.fileId)
  const status = file.type === 'payment-slip' ? (replaced?.status ?? 'pending') : null
  await putFileRow(sql, companyId, id, { ...file, status }, at)
  if (!(await claimOrphan(sql, file.key))) throw unavailable()
  // Deleted an hour later: a download may be reading it.
  if (replaced !== null) await insertOrphan(sql, replaced.key)
  await updateStatus(sql, invoice, before, before.dueDate, writer, at)
  await audit(sql, invoice, replaced === null ? 'invoice-file.created' : 'invoice-file.replaced', file.fileId, writer)
}

/** Updates the status of a payment slip. @throws ApiError 404, or 409 for any other file. */
export async function writeSlipStatus(
  sql: Sql,
  invoice: InvoiceKey,
  fileId: string,
  status: SlipStatus,
  writer: Writer,
): Promise<void> {
  const { companyId, id } = invoice
  const before = await lockExisting(sql, invoice)
  const file = await readFile(sql, companyId, id, fileId)
  if (file === null) throw new ApiError(404, 'Invoice file not found')
  if (file.status === null) throw new ApiError(409, 'Invoice file is not a payment slip')
  await updateSlipStatus(sql, companyId, id, fileId, status)
  await updateStatus(sql, invoice, before, before.dueDate, writer, new Date())
  await audit(sql, invoice, `invoice-file.${status}`, fileId, writer)
}

/** An event of an invoice. */
export function invoiceEvent(type: EventType, invoiceId: string, status: InvoiceStatus): DomainEvent {
  return { type, data: { 'invoice-id': invoiceId, status } }
}

async function lockExisting(sql: Sql, { companyId, id }: InvoiceKey): Promise<StatusFacts> {
  const facts = await lockInvoice(sql, companyId, id)
  if (facts === null) throw new ApiError(404, 'Invoice not found')
  return facts
}

/** Updates what is derived from the payment slips, and writes `invoice.paid` when the last one has been paid. @returns the status. */
async function updateStatus(
  sql: Sql,
  invoice: InvoiceKey,
  before: StatusFacts | null,
  dueDate: LocalDate,
  { today }: Writer,
  at: Date,
): Promise<InvoiceStatus> {
  const { companyId, id } = invoice
  const slips = await readSlips(sql, companyId, id)
  const unpaid = unpaidDueDate(dueDate, slips)
  // An invoice that is no longer overdue may become overdue again, with another event.
  const overdueEventWritten = before?.overdueEventWritten === true && unpaid !== null && unpaid < today
  await updateInvoiceTotals(sql, companyId, id, { unpaidDueDate: unpaid, overdueEventWritten }, at)
  const status = invoiceStatus(dueDate, slips, today)
  const wasPaid = before !== null && invoiceStatus(before.dueDate, before.slips, today) === 'all-paid'
  if (status === 'all-paid' && !wasPaid) await writeEvent(sql, invoice, 'invoice.paid', status, at)
  return status
}

async function writeEvent(
  sql: Sql,
  invoice: InvoiceKey,
  type: EventType,
  status: InvoiceStatus,
  at: Date,
): Promise<void> {
  await writeEvents(sql, invoice.companyId, at, [invoiceEvent(type, invoice.id, status)])
}

async function audit(sql: Sql, { companyId }: InvoiceKey, action: string, target: string, writer: Writer) {
  await writeAudit(sql, { actor: writer.actor, action, target, companyId, origin: writer.origin })
}
