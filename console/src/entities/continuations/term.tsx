import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../format/number.ts'

/** How long a plan is kept; — where a setting of the contract is missing. */
export function Term({ months, withoutEnd }: { readonly months: number | null; readonly withoutEnd: boolean }) {
  const { t } = useTranslation('continuations')
  if (withoutEnd) return <>{t('withoutEnd')}</>
  if (months === null) return <span translate="no">—</span>
  return <>{t('months', { count: months, formatted: formatNumber(months) })}</>
}
