import { useTranslation } from 'react-i18next'
import { isBusinessDay } from '../../../../src/kernel/business-days.ts'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { DateValue } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'

const national = { holidays: 'national', ownHolidays: [] } as const
/** Due in more business days than this: the day is shown. */
const maxBusinessDays = 5

/** The business days after one day up to another; null: too many to say. */
function businessDaysUntil(day: string, until: string): number | null {
  let count = 0
  for (let next = addDays(day, 1); next <= until; next = addDays(next, 1)) {
    if (isBusinessDay(next, national)) count += 1
    if (count > maxBusinessDays) return null
  }
  return count
}

/** By when something is due: in words while it is near. */
export function DueWords({
  due,
  isOpen,
  today,
}: {
  readonly due: string | null
  readonly isOpen: boolean
  readonly today: string
}) {
  const { t } = useTranslation('queue')
  if (due === null || !isOpen) return <DateValue value={due} />
  const time = (urgency: 'now' | 'soon', words: string) => (
    <time dateTime={due} className={`due-${urgency}`} title={formatDate(due)}>
      {words}
    </time>
  )
  if (due < today) return time('now', t('due.overdue'))
  if (due === today) return time('now', t('due.today'))
  if (due === addDays(today, 1)) return time('soon', t('due.tomorrow'))
  const days = businessDaysUntil(today, due)
  if (days === null) return <DateValue value={due} />
  // A weekend, or a holiday, and nothing else lies between.
  return time('soon', days === 0 ? t('due.beforeBusinessDay') : t('due.businessDays', { count: days }))
}
