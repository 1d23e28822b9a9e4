import { useTranslation } from 'react-i18next'
import { Badge, type BadgeColor } from '../../components/badge.tsx'
import type { InvoiceFileStatus, InvoiceStatus } from '../../../../src/kernel/enums.ts'

const colors: Readonly<Record<InvoiceStatus, BadgeColor>> = {
  'all-pending': 'blue',
  'all-overdue': 'red',
  'partially-overdue': 'orange',
  'partially-paid': 'indigo',
  'all-paid': 'green',
  cancelled: 'gray',
}

const fileColors: Readonly<Record<InvoiceFileStatus, BadgeColor>> = {
  pending: 'blue',
  overdue: 'red',
  paid: 'green',
  cancelled: 'gray',
  available: 'gray',
}

export function InvoiceStatusBadge({ status }: { readonly status: InvoiceStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={colors[status]}>{t(`invoiceStatus.${status}`)}</Badge>
}

/** The status of a payment slip, or of another file. */
export function FileStatusBadge({ status }: { readonly status: InvoiceFileStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={fileColors[status]}>{t(`invoiceFileStatus.${status}`)}</Badge>
}
