import { INVOICE_STATUSES, type InvoiceStatus, type InvoiceFileStatus } from '#kernel/enums.ts'
import type { LocalDate } from '#kernel/calendar.ts'

/** The statuses with something left to pay: those of the pending-payment list. */
export const UNPAID_STATUSES = INVOICE_STATUSES.slice(0, 4)

/** The stored statuses of a payment slip, which an operator may set. */
export const SLIP_STATUSES = ['pending', 'paid', 'cancelled'] as const
export type SlipStatus = (typeof SLIP_STATUSES)[number]

/** A stored payment slip. */
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
  const statuses = slips.map((slip) => fileStatus(slip, today)).filter((status) => status !== 'cancelled')
  if (statuses.length === 0) return 'cancelled'
  if (statuses.every((status) => status === 'paid')) return 'all-paid'
  if (statuses.every((status) => status === 'overdue')) return 'all-overdue'
  if (statuses.includes('overdue')) return 'partially-overdue'
  if (statuses.includes('paid')) return 'partially-paid'
  return 'all-pending'
}

/**
 * The day on which the next payment is due; null when nothing is left to pay. An invoice has one of `UNPAID_STATUSES` if and only if
 * there is such a day, and an overdue one if and only if the day is before today.
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
