import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { type Continuation, statusColors } from './continuation.ts'

export function ContinuationStatusBadge({ status }: { readonly status: Continuation['status'] }) {
  const { t } = useTranslation('continuations')
  return <Badge color={statusColors[status]}>{t(`statuses.${status}`)}</Badge>
}
