import { useTranslation } from 'react-i18next'
import type { SubjectRequestStatus } from '../../../../src/kernel/operator-enums.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'

const colors: Readonly<Record<SubjectRequestStatus, BadgeColor>> = {
  open: 'blue',
  planned: 'indigo',
  approved: 'indigo',
  'partly-fulfilled': 'orange',
  fulfilled: 'green',
  cancelled: 'gray',
}

/** The status of what a person asks. */
export function SubjectRequestStatusBadge({ status }: { readonly status: SubjectRequestStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={colors[status]}>{t(`subjectRequestStatus.${status}`)}</Badge>
}
