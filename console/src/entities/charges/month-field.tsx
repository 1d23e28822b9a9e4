import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SearchField } from '../../components/search-field.tsx'
import { formatMonth, parseMonth } from '../../format/month.ts'

/** The month in the path of the page. */
export function MonthField({ month }: { readonly month: string }) {
  const { t } = useTranslation('charges')
  const navigate = useNavigate()
  return (
    <SearchField
      label={t('month')}
      placeholder={t('monthPlaceholder')}
      width="8rem"
      value={formatMonth(month)}
      errorOf={(text) => (parseMonth(text) === null ? t('invalidMonth') : null)}
      onChange={(text) => {
        const next = parseMonth(text ?? '')?.start.slice(0, 7)
        if (next === undefined || next === month) return
        void navigate({ to: '.', params: ((old: object) => ({ ...old, month: next })) as never, search: true as never })
      }}
    />
  )
}
