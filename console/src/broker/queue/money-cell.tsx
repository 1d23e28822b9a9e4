import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Absent, MoneyValue } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'

/** What a movement costs if it misses the next cut-off: what is lost, else what is charged, else the days without cover. */
export default function MoneyCell({ money }: { readonly money: NonNullable<Item<'listEnrollmentQueue'>['money']> }) {
  const { t } = useTranslation('atRisk')
  const { 'lost-if-missed': lost, 'if-missed': charged, 'uncovered-days-if-missed': days } = money
  const until = money['window-until']
  const isLost = (lost ?? 0) > 0
  const amount = isLost ? lost : charged
  if (!amount && !days) return <Absent />
  const words = t(amount ? (isLost ? 'lostIfMissed' : 'ifMissed') : 'uncovered')
  return (
    <span className="two-lines" title={until === null ? words : `${words}; ${t('until', { date: formatDate(until) })}`}>
      <span className={isLost ? 'due-now' : undefined}>
        {amount ? <MoneyValue value={amount} /> : t('days', { count: days ?? 0 })}
      </span>
      <small>{isLost && until !== null ? t('until', { date: formatDate(until) }) : words}</small>
    </span>
  )
}
