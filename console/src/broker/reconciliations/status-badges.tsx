import { useTranslation } from 'react-i18next'
import type {
  CarrierFileStatus,
  DiscrepancyStatus,
  ReconciliationStatus,
} from '../../../../src/kernel/reconciliation.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'

const fileColors: Readonly<Record<CarrierFileStatus, BadgeColor>> = { reading: 'blue', read: 'green', failed: 'red' }

/** The status of a carrier's file. */
export function FileStatusBadge({ status }: { readonly status: CarrierFileStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={fileColors[status]}>{t(`carrierFileStatus.${status}`)}</Badge>
}

const reconciliationColors: Readonly<Record<ReconciliationStatus, BadgeColor>> = {
  computing: 'blue',
  open: 'orange',
  closed: 'gray',
}

/** The status of a reconciliation. */
export function ReconciliationStatusBadge({ status }: { readonly status: ReconciliationStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={reconciliationColors[status]}>{t(`reconciliationStatus.${status}`)}</Badge>
}

const discrepancyColors: Readonly<Record<DiscrepancyStatus, BadgeColor>> = {
  open: 'orange',
  explained: 'blue',
  claimed: 'indigo',
  corrected: 'green',
  accepted: 'gray',
}

/** The status of a discrepancy. */
export function DiscrepancyStatusBadge({ status }: { readonly status: DiscrepancyStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={discrepancyColors[status]}>{t(`discrepancyStatus.${status}`)}</Badge>
}
