import { useTranslation } from 'react-i18next'
import type { ClaimStatus } from '../../../../src/kernel/operator-enums.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'

const colors: Readonly<Record<ClaimStatus, BadgeColor>> = {
  draft: 'gray',
  sent: 'blue',
  accepted: 'indigo',
  refused: 'red',
  credited: 'green',
}

/** The status of a claim. */
export function ClaimStatusBadge({ status }: { readonly status: ClaimStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={colors[status]}>{t(`claimStatus.${status}`)}</Badge>
}
