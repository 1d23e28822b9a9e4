import type { InvoiceStatus } from '../../../../src/kernel/enums.ts'
import { termBadge } from '../../components/term-badge.tsx'

export const InvoiceStatusBadge = termBadge('invoiceStatus', {
  'all-pending': 'blue',
  'all-overdue': 'red',
  'partially-overdue': 'orange',
  'partially-paid': 'indigo',
  'all-paid': 'green',
  cancelled: 'gray',
})

/** Whether something of an invoice is still due. */
export const isUnpaid = ({ 'invoice-status': status }: { readonly 'invoice-status': InvoiceStatus }): boolean =>
  status !== 'all-paid' && status !== 'cancelled'

/** The status of a payment slip, or of another file. */
export const FileStatusBadge = termBadge('invoiceFileStatus', {
  pending: 'blue',
  overdue: 'red',
  paid: 'green',
  cancelled: 'gray',
  available: 'gray',
})
