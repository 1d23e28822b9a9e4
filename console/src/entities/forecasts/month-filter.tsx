import { useTranslation } from 'react-i18next'
import { SearchField } from '../../components/search-field.tsx'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { useFilters } from '../../lists/filters.tsx'

/** The month that is forecast. @param props.next that of the forecast where the address has none. */
export function ForecastMonth({ next }: { readonly next: string | undefined }) {
  const { t } = useTranslation('forecasts')
  const { search, change } = useFilters()
  const month = search['reference-month'] ?? next
  return (
    <SearchField
      label={t('month')}
      placeholder={t('monthPlaceholder')}
      width="8rem"
      value={month === undefined ? undefined : formatMonth(month)}
      errorOf={(text) => (parseMonth(text) === null ? t('invalidMonth') : null)}
      onChange={(text) => change({ 'reference-month': parseMonth(text ?? '')?.start.slice(0, 7) })}
    />
  )
}
