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
  type Basis,
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
  updateInvoiceTotals,
} from './write-queries.ts'

/** Who writes, where from, and on which business day. */
export interface Writer {
  readonly actor: string
  readonly origin: Origin | null
  readonly today: LocalDate
}

/** What an invoice says of itself; without a config id the company's for the carrier is kept. */
export type InvoiceData = Omit<InvoiceRow, 'configId'> & { readonly configId: string | null }

/**
 * Makes the invoice or replaces it, files aside, in the transaction given.
 * @throws ApiError 409 when the id is another company's.
 */
export async function writeInvoice(sql: Sql, companyId: string, data: InvoiceData, writer: Writer): Promise<void> {
  const at = new Date()
  const owner = await claimInvoiceId(sql, companyId, data.id)
  if (owner !== companyId) throw new ApiError(409, 'Invoice belongs to another company')
  const before = await lockInvoice(sql, companyId, data.id)
  // A name of marks alone has an empty key.
  const carrierKey = productNameKey(data.carrierName) || data.carrierName
  const kept = await saveConfig(sql, companyId, carrierKey, data.configId ?? uuidv7())
  await putInvoiceRow(sql, companyId, { ...data, configId: data.configId ?? kept }, at)
  const invoice = { companyId, id: data.id }
  const status = await collect(sql, invoice, before, data.dueDate, writer, at)
  if (before === null) await tell(sql, invoice, 'invoice.issued', status, at)
  await note(sql, invoice, before === null ? 'invoice.created' : 'invoice.replaced', data.id, writer)
}

/** A file whose bytes are in the storage, still noted as loose. */
export type FileData = Omit<FileRow, 'status'>

/**
 * Gives the invoice a file, or the file new bytes; the old ones become loose. A new slip is pending, a replaced one keeps its
 * status.
 * @throws ApiError 404, or 503 when the bytes lay about for so long that they are about to be removed.
 */
export async function writeInvoiceFile(sql: Sql, invoice: InvoiceKey, file: FileData, writer: Writer): Promise<void> {
  const at = new Date()
  const { companyId, id } = invoice
  const before = await hold(sql, invoice)
  const present = await readFile(sql, companyId, id, file.fileId)
  const status = file.type === 'payment-slip' ? (present?.status ?? 'pending') : null
  await putFileRow(sql, companyId, id, { ...file, status }, at)
  if (!(await claimOrphan(sql, file.key))) throw unavailable()
  // Kept for an hour more: a download may be at it.
  if (present !== null) await insertOrphan(sql, present.key)
  await collect(sql, invoice, before, before.dueDate, writer, at)
  await note(sql, invoice, present === null ? 'invoice-file.created' : 'invoice-file.replaced', file.fileId, writer)
}

/** Sets the status of a payment slip. @throws ApiError 404, or 409 for any other file. */
export async function writeSlipStatus(
  sql: Sql,
  invoice: InvoiceKey,
  fileId: string,
  status: SlipStatus,
  writer: Writer,
): Promise<void> {
  const { companyId, id } = invoice
  const before = await hold(sql, invoice)
  const present = await readFile(sql, companyId, id, fileId)
  if (present === null) throw new ApiError(404, 'Invoice file not found')
  if (present.status === null) throw new ApiError(409, 'Invoice file is not a payment slip')
  await updateSlipStatus(sql, companyId, id, fileId, status)
  await collect(sql, invoice, before, before.dueDate, writer, new Date())
  await note(sql, invoice, `invoice-file.${status}`, fileId, writer)
}

/** An event of an invoice. */
export function invoiceEvent(type: EventType, invoiceId: string, status: InvoiceStatus): DomainEvent {
  return { type, data: { 'invoice-id': invoiceId, status } }
}

async function hold(sql: Sql, { companyId, id }: InvoiceKey): Promise<Basis> {
  const basis = await lockInvoice(sql, companyId, id)
  if (basis === null) throw new ApiError(404, 'Invoice not found')
  return basis
}

/** Updates what follows from the slips: the day of the next payment, and the event when the last one was paid just now. */
async function collect(
  sql: Sql,
  invoice: InvoiceKey,
  before: Basis | null,
  dueDate: LocalDate,
  { today }: Writer,
  at: Date,
): Promise<InvoiceStatus> {
  const { companyId, id } = invoice
  const slips = await readSlips(sql, companyId, id)
  const unpaid = unpaidDueDate(dueDate, slips)
  // An invoice that is no longer overdue may fall overdue again, and is told again then.
  const overdueTold = before?.overdueTold === true && unpaid !== null && unpaid < today
  await updateInvoiceTotals(sql, companyId, id, { unpaidDueDate: unpaid, overdueTold }, at)
  const status = invoiceStatus(dueDate, slips, today)
  const wasPaid = before !== null && invoiceStatus(before.dueDate, before.slips, today) === 'all-paid'
  if (status === 'all-paid' && !wasPaid) await tell(sql, invoice, 'invoice.paid', status, at)
  return status
}

async function tell(sql: Sql, invoice: InvoiceKey, type: EventType, status: InvoiceStatus, at: Date): Promise<void> {
  await writeEvents(sql, invoice.companyId, at, [invoiceEvent(type, invoice.id, status)])
}

async function note(sql: Sql, { companyId }: InvoiceKey, action: string, target: string, writer: Writer) {
  await writeAudit(sql, { actor: writer.actor, action, target, companyId, origin: writer.origin })
}
