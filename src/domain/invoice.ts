import type { LocalDate } from './calendar.ts'

export const INVOICE_STATUSES = [
  'all-pending',
  'all-overdue',
  'partially-overdue',
  'partially-paid',
  'all-paid',
  'cancelled',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** The states in which something is left to pay: those of the pending-payment list. */
export const UNPAID_STATUSES = INVOICE_STATUSES.slice(0, 4)

export const INVOICE_FILE_TYPES = [
  'payment-slip',
  'invoice',
  'service-invoice',
  'detailed-statement',
  'coparticipation-statement',
  'other',
] as const
export type InvoiceFileType = (typeof INVOICE_FILE_TYPES)[number]

/** What is kept of a payment slip, and what an operator may set. */
export const SLIP_STATUSES = ['pending', 'paid', 'cancelled'] as const
export type SlipStatus = (typeof SLIP_STATUSES)[number]

export const INVOICE_FILE_STATUSES = ['pending', 'overdue', 'paid', 'cancelled', 'available'] as const
export type InvoiceFileStatus = (typeof INVOICE_FILE_STATUSES)[number]

/** A payment slip as it is kept. */
export interface Slip {
  readonly status: SlipStatus
  readonly dueDate: LocalDate
}

/** The status of a file: a slip's is overdue when it is due before today and pending; any other file is available. */
export function fileStatus(slip: Slip | null, today: LocalDate): InvoiceFileStatus {
  if (slip === null) return 'available'
  return slip.status === 'pending' && slip.dueDate < today ? 'overdue' : slip.status
}

/** The status of an invoice, from its payment slips; without slips from its own due date. */
export function invoiceStatus(dueDate: LocalDate, slips: readonly Slip[], today: LocalDate): InvoiceStatus {
  if (slips.length === 0) return dueDate < today ? 'all-overdue' : 'all-pending'
  const states = slips.map((slip) => fileStatus(slip, today)).filter((state) => state !== 'cancelled')
  if (states.length === 0) return 'cancelled'
  if (states.every((state) => state === 'paid')) return 'all-paid'
  if (states.every((state) => state === 'overdue')) return 'all-overdue'
  if (states.includes('overdue')) return 'partially-overdue'
  if (states.includes('paid')) return 'partially-paid'
  return 'all-pending'
}

/**
 * The day on which the next payment is due; null when nothing is left to pay. An invoice is in one of `UNPAID_STATUSES` exactly
 * when there is such a day, and in an overdue one exactly when the day lies before today.
 */
export function unpaidDueDate(dueDate: LocalDate, slips: readonly Slip[]): LocalDate | null {
  if (slips.length === 0) return dueDate
  return (
    slips
      .filter((slip) => slip.status === 'pending')
      .map((slip) => slip.dueDate)
      .toSorted()[0] ?? null
  )
}
