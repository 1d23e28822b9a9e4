import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden, Loading, QueryView } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CostsFilter } from './costs-filter.tsx'
import type { Series } from './month-chart.tsx'
import { MonthTable } from './month-table.tsx'
import type { Month } from './months.ts'
import { type CostsSearch, RANGES } from './search.ts'
import { SectionTitle } from '../../components/section-title.tsx'

const MonthChart = lazy(() => import('./month-chart.tsx'))
const route = getRouteApi('/shell/costs')

/** Lives, costs and differences of invoices by month: charts, and a table of the same numbers. */
export function CostsPage() {
  const { t } = useTranslation('costs')
  const mayRead = usePermission('readInvoiceStatistics')
  const search = route.useSearch()
  const { months = RANGES[0], ...filter } = search
  const query = useQuery({
    ...operationQuery('readInvoiceStatistics', {
      query: { ...filter, 'month-count': months },
    }),
    placeholderData: keepPreviousData,
    enabled: mayRead,
  })
  if (!mayRead) return <Forbidden />
  return (
    <>
      <PageHeader title={t('title')} />
      <CostsFilter search={search} />
      <QueryView query={query}>
        {({ result }) => (
          <div aria-busy={query.isPlaceholderData}>
            <Figures months={result} search={filter} />
          </div>
        )}
      </QueryView>
    </>
  )
}

const charts = {
  lives: { 'covered-lives': 'blue.6' },
  cost: { 'carrier-total': 'blue.6', 'expected-total': 'gray.5' },
  differences: { 'overcharged-total': 'orange.6', 'claimed-total': 'blue.6', 'credited-total': 'teal.7' },
} as const

function Figures({ months, search }: { readonly months: readonly Month[]; readonly search: CostsSearch }) {
  const { t } = useTranslation('costs')
  return (
    <Stack gap="xl" mt="md">
      {Object.entries(charts).map(([chart, colors]) => (
        <section key={chart}>
          <SectionTitle mb={0}>{t(`charts.${chart as keyof typeof charts}`)}</SectionTitle>
          <Text size="sm" c="dimmed" mb="xs">
            {t(`meanings.${chart as keyof typeof charts}`)}
          </Text>
          <Suspense fallback={<Loading />}>
            <MonthChart
              months={months}
              search={search}
              series={Object.entries(colors).map(([key, color]) => {
                const name = key as Series['name']
                return { name, color, label: t(`series.${name}`) }
              })}
            />
          </Suspense>
        </section>
      ))}
      <MonthTable months={months} search={search} />
    </Stack>
  )
}
