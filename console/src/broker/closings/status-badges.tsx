import { useTranslation } from 'react-i18next'
import type { ClosingItemState } from '../../../../src/kernel/broker-enums.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'
import { termBadge } from '../../components/term-badge.tsx'

/** The status of the month of a company. */
export const ClosingStatusBadge = termBadge('closingStatus', {
  open: 'orange',
  closed: 'green',
  exported: 'indigo',
})

const stateColors: Readonly<Record<ClosingItemState, BadgeColor>> = { done: 'green', open: 'orange', missing: 'red' }

/** The state of something that is to be done in a month. */
export function ItemStateBadge({ state }: { readonly state: ClosingItemState }) {
  const { t } = useTranslation('terms')
  return <Badge color={stateColors[state]}>{t(`closingItemState.${state}`)}</Badge>
}
