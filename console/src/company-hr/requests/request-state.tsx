import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { formatNumber } from '../../format/number.ts'
import { RequestStatusBadge } from '../../entities/requests/request-status.tsx'

type Request = Pick<Item<'listRequests'>, 'status' | 'enrollment-summary'>

/** After these nothing is decided any more. */
const final = ['completed', 'rejected', 'cancelled']

/**
 * How far a request is for the company: what the service calls completed is received, and each of its movements is decided on. The service’s own
 * state where it has no movements.
 */
export function RequestState({ request }: { readonly request: Request }) {
  const { t } = useTranslation('hr')
  const counts = Object.entries(request['enrollment-summary'])
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  const decided = counts.reduce((sum, [status, count]) => sum + (final.includes(status) ? count : 0), 0)
  if (request.status === 'processing' || total === 0) return <RequestStatusBadge status={request.status} />
  if (decided === total) return <Badge color="green">{t('requestState.decided')}</Badge>
  const words = { decided: formatNumber(decided), total: formatNumber(total) }
  return <Badge color="blue">{decided === 0 ? t('requestState.received') : t('requestState.going', words)}</Badge>
}
