import { useTranslation } from 'react-i18next'
import { isBusinessDay } from '../../../src/kernel/business-days.ts'
import { addDays, daysBetween } from '../../../src/kernel/calendar.ts'
import { formatDate, businessDate } from '../format/date.ts'
import { DateValue, Value } from './value.tsx'

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

/**
 * By when something is due: in words while it is near.
 * @param props.isOpen whether it is still due.
 * @param props.hasDay the words do not replace the day.
 */
export function DueDate(props: {
  readonly day: string | null
  readonly isOpen?: boolean
  readonly hasDay?: boolean
  readonly today?: string
}) {
  const { day, isOpen = true, hasDay = false, today = businessDate() } = props
  const { t } = useTranslation('states')
  if (day === null || !isOpen) return <DateValue value={day} />
  const due = (urgency: 'now' | 'soon', words: string) => (
    <>
      <time dateTime={day} className={`due-${urgency}`} title={formatDate(day)}>
        {words}
      </time>
      {hasDay && (
        <span className="due-day">
          <Value>{' · '}</Value>
          <DateValue value={day} />
        </span>
      )}
    </>
  )
  if (day < today) {
    return due('now', t('due.overdue', { count: daysBetween(day, today) }))
  }
  if (day === today) return due('now', t('due.today'))
  if (day === addDays(today, 1)) return due('soon', t('due.tomorrow'))
  const days = businessDaysUntil(today, day)
  if (days === null) return <DateValue value={day} />
  // A weekend, or a holiday, and nothing else lies between.
  return due('soon', days === 0 ? t('due.beforeBusinessDay') : t('due.businessDays', { count: days }))
}
