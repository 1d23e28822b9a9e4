import { insertOrphan } from '#registry/documents/queries.ts'
import type { Tx } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { ApiError } from '#platform/core/errors.ts'
import { deleteFileRows, deleteInvoiceRow, lockOwner, readFile } from './write-queries.ts'
import { lockExisting, updateStatus } from './write.ts'

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
