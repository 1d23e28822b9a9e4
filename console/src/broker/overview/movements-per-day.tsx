import { Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Loading } from '../../components/state-view.tsx'
import type { Day } from './statistics.ts'

const DayChart = lazy(() => import('./day-chart.tsx'))
const DayTable = lazy(() => import('./day-table.tsx'))

/** Movements that were created and resolved each day: a chart, and a table of the same numbers, each a link. */
export function MovementsPerDay({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTranslation('overview')
  const [hasTable, setHasTable] = useState(false)
  return (
    <div>
      <Text component="h3" fw={600} mb="xs" id="movements-per-day">
        {t('perDay')}
      </Text>
      <div className="day-chart">
        <Suspense fallback={<Loading />}>
          <DayChart days={days} />
        </Suspense>
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
