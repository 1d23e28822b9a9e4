import { useTranslation } from 'react-i18next'
import { Badge, type BadgeColor } from '../../components/badge.tsx'
import { formatNumber } from '../../format/number.ts'
import { decidedOf, finalStatuses, type Requested } from './decided.ts'
import { RequestStatusBadge } from './request-status.tsx'

const colors: Readonly<Record<(typeof finalStatuses)[number], BadgeColor>> = {
  completed: 'green',
  rejected: 'red',
  cancelled: 'gray',
}

/**
 * How far a request is: what the service calls completed is received, and each of its movements is decided on. The service’s own state where it has no
 * movements.
 */
export function RequestState({ request }: { readonly request: Requested }) {
  const { t } = useTranslation('request')
  const { status, 'enrollment-summary': summary } = request
  const { decided, total } = decidedOf(request)
  if (status === 'processing' || total === 0) return <RequestStatusBadge status={status} />
  const countOf = (one: (typeof finalStatuses)[number]) => summary[one] ?? 0
  const failures = status === 'partial-failure' ? ` · ${t('state.failures')}` : ''
  if (decided < total) {
    const words = { decided: formatNumber(decided), total: formatNumber(total) }
    return (
      <Badge color="blue">
        {decided === 0 ? t('state.received') : t('state.going', words)}
        {failures}
      </Badge>
    )
  }
  const same = finalStatuses.find((one) => countOf(one) === total)
  const others = (['rejected', 'cancelled'] as const).filter((one) => countOf(one) > 0)
  const counts = others.map((one) =>
    t(`state.${one}Count`, { count: countOf(one), formatted: formatNumber(countOf(one)) }),
  )
  return (
    <Badge color={same === undefined || failures !== '' ? 'orange' : colors[same]}>
      {same === undefined ? `${t('state.completed')}: ${counts.join(', ')}` : t(`state.${same}`)}
      {failures}
    </Badge>
  )
}
