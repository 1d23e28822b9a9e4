import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ResponsiveContainer } from 'recharts'
import { formatDate } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'
import { type Day, linkOfDay } from './statistics.ts'

const kinds = ['created', 'resolved'] as const
const height = 260
const colors = { created: 'blue.6', resolved: 'teal.7' } as const

/** Movements that were created and resolved each day; a bar leads to its movements. The table below has the same numbers for all others. */
export default function DayChart({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTranslation('overview')
  const navigate = useNavigate()
  const data = days.map(({ date, created, completed, rejected, cancelled }) => ({
    date,
    created,
    resolved: completed + rejected + cancelled,
  }))
  return (
    <div aria-hidden>
      {/* That of the chart has no size at first, and says so in the log of the browser. */}
      <ResponsiveContainer height={height} initialDimension={{ width: 600, height }}>
        <BarChart
          h={height}
          data={data}
          dataKey="date"
          series={kinds.map((name) => ({ name, label: t(`legend.${name}`), color: colors[name] }))}
          withLegend
          legendProps={{ verticalAlign: 'top', align: 'left' }}
          tickLine="none"
          valueFormatter={formatNumber}
          xAxisProps={{
            tickFormatter: (day: string) => formatDate(day).slice(0, 5),
            interval: 'equidistantPreserveStart',
            minTickGap: 12,
          }}
          yAxisProps={{ allowDecimals: false, width: 56 }}
          tooltipProps={{ labelFormatter: (day) => (typeof day === 'string' ? formatDate(day) : '') }}
          barProps={({ name }) => ({
            cursor: 'pointer',
            isAnimationActive: false,
            onClick: ({ payload }: { readonly payload?: { readonly date?: string } }) => {
              const kind = kinds.find((one) => one === name)
              if (kind !== undefined && payload?.date !== undefined)
                void navigate({ to: '/queue', search: linkOfDay(kind, payload.date) })
            },
          })}
          barChartProps={{ accessibilityLayer: false }}
        />
      </ResponsiveContainer>
    </div>
  )
}
