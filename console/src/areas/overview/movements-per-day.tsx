import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Loading } from '../../components/state-view.tsx'
import { NumberValue, Value } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'
import type { QueueSearch } from '../queue/queue-search.ts'
import { type Day, linkOfDay } from './statistics.ts'

const DayTable = lazy(() => import('./day-table.tsx'))

const resolvedOf = ({ completed, rejected, cancelled }: Day) => completed + rejected + cancelled

/** Above this number of days a column has no room for its numbers and its date. */
const maxLabelledDays = 31

/** The end of the axis: at least the largest value, with a whole number in the middle. */
function axisEnd(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest)))
  return [2, 4, 10, 20].map((step) => step * power).find((end) => end >= largest) ?? largest
}

/**
 * Movements that were created (above the axis) and resolved (below it) each day. The bars are links for the pointer; the same numbers and links
 * are in a table for everybody else.
 */
export function MovementsPerDay({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTranslation('overview')
  const [hasTable, setHasTable] = useState(false)
  const end = axisEnd(Math.max(...days.map((day) => Math.max(day.created, resolvedOf(day)))))
  const isDense = days.length > maxLabelledDays
  return (
    <div>
      <Text component="h3" fw={600} mb="xs" id="movements-per-day">
        {t('perDay')}
      </Text>
      <Group gap="lg" mb={4}>
        <Text size="sm">
          <span className="swatch created" aria-hidden />
          {t('legend.created')}
        </Text>
        <Text size="sm">
          <span className="swatch resolved" aria-hidden />
          {t('legend.resolved')}
        </Text>
      </Group>
      <div
        className="scroll-box day-chart"
        tabIndex={0}
        role="region"
        aria-labelledby="movements-per-day"
        ref={(box) => {
          // The last days are those that one looks for.
          if (box !== null) box.scrollLeft = box.scrollWidth
        }}
      >
        <div className="scale" aria-hidden>
          {[end, end / 2, 0, end / 2, end].map((value, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the places of the axis
            <NumberValue key={index} value={value} />
          ))}
        </div>
        <div className={isDense ? 'days dense' : 'days'} aria-hidden>
          {days.map((day, index) => (
            <div key={day.date} className="day">
              <Bar kind="created" count={day.created} end={end} day={day.date} showsCount={!isDense} />
              <span className="date">
                {(!isDense || index % 7 === 0) && <Value>{formatDate(day.date).slice(0, 5)}</Value>}
              </span>
              <Bar kind="resolved" count={resolvedOf(day)} end={end} day={day.date} showsCount={!isDense} />
            </div>
          ))}
        </div>
      </div>
      <details onToggle={({ currentTarget }) => setHasTable(currentTarget.open)}>
        <summary>{t('asTable')}</summary>
        {hasTable && (
          <Suspense fallback={<Loading />}>
            <DayTable days={days} />
          </Suspense>
        )}
      </details>
    </div>
  )
}

function Bar(props: {
  readonly kind: 'created' | 'resolved'
  readonly count: number
  readonly end: number
  readonly day: string
  readonly showsCount: boolean
}) {
  const { t } = useTranslation('overview')
  const { kind, count, end, day, showsCount } = props
  if (count === 0) return <span className={`half ${kind}`} />
  const search: QueueSearch = linkOfDay(kind, day)
  return (
    <Link
      to="/queue"
      search={search}
      tabIndex={-1}
      className={`half ${kind}`}
      title={t(`bar.${kind}`, { count, formatted: formatNumber(count), day: formatDate(day) })}
    >
      {showsCount && <NumberValue value={count} />}
      <span className="bar" style={{ height: `${(100 * count) / end}%` }} />
    </Link>
  )
}
