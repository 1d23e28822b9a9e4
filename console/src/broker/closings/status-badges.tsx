import { useTranslation } from 'react-i18next'
import type { ClosingItemState, ClosingStatus } from '../../../../src/kernel/operator-enums.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'

const statusColors: Readonly<Record<ClosingStatus, BadgeColor>> = {
  open: 'orange',
  closed: 'green',
  exported: 'indigo',
}

/** The status of the month of a company. */
export function ClosingStatusBadge({ status }: { readonly status: ClosingStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={statusColors[status]}>{t(`closingStatus.${status}`)}</Badge>
}

const stateColors: Readonly<Record<ClosingItemState, BadgeColor>> = { done: 'green', open: 'orange', missing: 'red' }

/** The state of something that is to be done in a month. */
export function ItemStateBadge({ state }: { readonly state: ClosingItemState }) {
  const { t } = useTranslation('terms')
  return <Badge color={stateColors[state]}>{t(`closingItemState.${state}`)}</Badge>
}
