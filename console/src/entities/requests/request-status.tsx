import { useTranslation } from 'react-i18next'
import { Badge, type BadgeColor } from '../../components/badge.tsx'
import type { PartStatus, RequestStatus } from '../../../../src/kernel/enums.ts'

const colors: Readonly<Record<RequestStatus, BadgeColor>> = {
  processing: 'blue',
  completed: 'green',
  'partial-failure': 'orange',
  failed: 'red',
}

const partColors: Readonly<Record<PartStatus, BadgeColor>> = {
  processing: 'blue',
  'enrollment-created': 'green',
  failed: 'red',
}

export function RequestStatusBadge({ status }: { readonly status: RequestStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={colors[status]}>{t(`requestStatus.${status}`)}</Badge>
}

/** The outcome of one part of a request. */
export function PartStatusBadge({ status }: { readonly status: PartStatus }) {
  const { t } = useTranslation('terms')
  return <Badge color={partColors[status]}>{t(`partStatus.${status}`)}</Badge>
}
