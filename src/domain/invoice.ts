import type { LocalDate } from './calendar.ts'

export const INVOICE_STATES = [
  'all-pending',
  'all-overdue',
  'partially-overdue',
  'partially-paid',
  'all-paid',
  'cancelled',
] as const
export type InvoiceState = (typeof INVOICE_STATES)[number]

/** The states in which something is left to pay: those of the pending-payment list. */
export const UNPAID_STATES = INVOICE_STATES.slice(0, 4)

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
export const SLIP_STATES = ['pending', 'paid', 'cancelled'] as const
export type SlipState = (typeof SLIP_STATES)[number]

export const INVOICE_FILE_STATES = ['pending', 'overdue', 'paid', 'cancelled', 'available'] as const
export type InvoiceFileState = (typeof INVOICE_FILE_STATES)[number]

/** A payment slip as it is kept. */
export interface Slip {
  readonly status: SlipState
  readonly dueDate: LocalDate
}

/** The status of a file: a slip's is overdue when it is due before today and pending; any other file is available. */
export function fileStatus(slip: Slip | null, today: LocalDate): InvoiceFileState {
  if (slip === null) return 'available'
  return slip.status === 'pending' && slip.dueDate < today ? 'overdue' : slip.status
}

/** The status of an invoice, from its payment slips; without slips from its own due date (contract, value sets). */
export function invoiceStatus(dueDate: LocalDate, slips: readonly Slip[], today: LocalDate): InvoiceState {
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
 * The day on which the next payment is due; null when nothing is left to pay. An invoice is in one of `UNPAID_STATES` exactly
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
