import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateValue } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'

/** A day, and how far it is. @param props.days negative: it has passed; null: not known. */
export function DaysLeft({ day, days }: { readonly day: string | null; readonly days: number | null }) {
  const { t } = useTranslation('deadlines')
  const words = (value: number) => {
    const count = Math.abs(value)
    const key = value < 0 ? 'daysAgo' : 'inDays'
    return value === 0 ? t('today') : t(key, { count, formatted: formatNumber(count) })
  }
  return (
    <>
      <DateValue value={day} />{' '}
      {days !== null && (
        <Text
          span
          size="xs"
          fw={days <= 2 ? 700 : 400}
          {...(days < 0 ? { c: 'var(--mantine-color-error)' as const } : {})}
        >
          {words(days)}
        </Text>
      )}
    </>
  )
}
