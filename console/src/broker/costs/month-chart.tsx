import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { useNavigate } from '@tanstack/react-router'
import { ResponsiveContainer } from 'recharts'
import { formatMoney, formatNumber } from '../../format/number.ts'
import { invoicesOf, type Month, shortMonth, wholeReais } from './months.ts'
import type { CostsSearch } from './search.ts'

const height = 240

export interface Series {
  readonly name: Exclude<keyof Month, 'reference-month'>
  readonly label: string
  readonly color: string
}

/** Numbers by month; a bar leads to the invoices of its month. The table has the same numbers for all others. */
export default function MonthChart(props: {
  readonly months: readonly Month[]
  readonly series: readonly Series[]
  readonly search: CostsSearch
}) {
  const { months, series, search } = props
  const navigate = useNavigate()
  const isMoney = series.every(({ name }) => name !== 'covered-lives')
  return (
    <div aria-hidden>
      {/* That of the chart has no size at first, and says so in the log of the browser. */}
      <ResponsiveContainer height={height} initialDimension={{ width: 600, height }}>
        <BarChart
          h={height}
          data={[...months]}
          dataKey="reference-month"
          series={[...series]}
          withLegend={series.length > 1}
          legendProps={{ verticalAlign: 'top', align: 'left', itemSorter: null }}
          tickLine="none"
          valueFormatter={isMoney ? formatMoney : formatNumber}
          xAxisProps={{ tickFormatter: shortMonth, interval: 'equidistantPreserveStart', minTickGap: 8 }}
          yAxisProps={{
            allowDecimals: false,
            width: isMoney ? 88 : 56,
            tickFormatter: isMoney ? wholeReais : formatNumber,
          }}
          tooltipProps={{ labelFormatter: (month) => (typeof month === 'string' ? shortMonth(month) : '') }}
          barProps={{
            cursor: 'pointer',
            isAnimationActive: false,
            onClick: ({ payload }: { readonly payload?: Month }) => {
              if (payload !== undefined) void navigate({ to: '/reconciliations', search: invoicesOf(payload, search) })
            },
          }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </ResponsiveContainer>
    </div>
  )
}
