import { useTranslation } from 'react-i18next'
import { Badge, type BadgeColor } from '../../components/badge.tsx'
import type { BenefitStatus } from '../../../../src/kernel/enums.ts'
import { formatNumber } from '../../format/number.ts'

const colors: Readonly<Record<BenefitStatus, BadgeColor>> = { pending: 'orange', active: 'green', inactive: 'gray' }

/** The status of a benefit. @param props.count of how many, where it is of several. */
export function BenefitStatusBadge({ status, count }: { readonly status: BenefitStatus; readonly count?: number }) {
  const { t } = useTranslation(['members', 'terms'])
  return (
    <Badge color={colors[status]}>
      {count === undefined
        ? t(`terms:benefitStatus.${status}`)
        : t(`members:statusCount.${status}`, { count, formatted: formatNumber(count) })}
    </Badge>
  )
}
