import { useTranslation } from 'react-i18next'
import { DateValue } from '../../components/value.tsx'
import { type Day, linkOfDay } from './statistics.ts'
import { QueueLink } from './queue-link.tsx'
import { PlainTable, rowHeader, numeric } from '../../components/plain-table.tsx'

const kinds = ['created', 'completed', 'rejected', 'cancelled'] as const

/** The numbers of each day, the last day first. */
export default function DayTable({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTranslation('overview')
  return (
    <PlainTable<Day>
      label={t('daysAsTable')}
      aria-label={t('perDay')}
      className="per-day"
      items={days.toReversed()}
      idOf={({ date }) => date}
      columns={[
        rowHeader(t('day'), ({ date }) => <DateValue value={date} />, {}),
        ...kinds.map((kind) =>
          numeric<Day>(t(`outcomes.${kind}`), (day) => (
            <QueueLink count={day[kind]} search={linkOfDay(kind, day.date)} />
          )),
        ),
      ]}
    />
  )
}
