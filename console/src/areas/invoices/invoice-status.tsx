import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { InvoiceFileStatus, InvoiceStatus } from '../../../../src/domain/invoice.ts'

const colors: Readonly<Record<InvoiceStatus, string>> = {
  'all-pending': 'blue',
  'all-overdue': 'red',
  'partially-overdue': 'orange',
  'partially-paid': 'indigo',
  'all-paid': 'green',
  cancelled: 'gray',
}

const fileColors: Readonly<Record<InvoiceFileStatus, string>> = {
  pending: 'blue',
  overdue: 'red',
  paid: 'green',
  cancelled: 'gray',
  available: 'gray',
}

export function InvoiceStatusBadge({ status }: { readonly status: InvoiceStatus }) {
  const { t } = useTranslation('terms')
  return (
    <Badge variant="outline" color={colors[status]} tt="none" miw="max-content" className="status-badge">
      {t(`invoiceStatus.${status}`)}
    </Badge>
  )
}

/** The status of a payment slip, or of another file. */
export function FileStatusBadge({ status }: { readonly status: InvoiceFileStatus }) {
  const { t } = useTranslation('terms')
  return (
    <Badge variant="outline" color={fileColors[status]} tt="none" miw="max-content" className="status-badge">
      {t(`invoiceFileStatus.${status}`)}
    </Badge>
  )
}
