import './overview.css'
import { Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden, QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatDate, formatTime } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { Backlog } from './backlog.tsx'
import { ByAnalyst } from './by-analyst.tsx'
import { MoneyAtRisk } from './money-at-risk.tsx'
import { MovementsPerDay } from './movements-per-day.tsx'
import { NowFigures } from './now-figures.tsx'
import { RangeFilter } from './range-filter.tsx'
import { daysOf, statisticsQueryOf } from './search.ts'
import type { Statistics } from './statistics.ts'
import { TimeToResolve } from './time-to-resolve.tsx'

const route = getRouteApi('/shell/overview')
const refreshMilliseconds = 60_000

/** The figures of the movements of all companies: those of now, and those of a range of days. */
export function OverviewPage() {
  const { t } = useTranslation('overview')
  const mayRead = usePermission('readStatistics')
  const search = route.useSearch()
  const query = useQuery({
    ...operationQuery('readStatistics', { query: statisticsQueryOf(search) }),
    refetchInterval: refreshMilliseconds,
    placeholderData: keepPreviousData,
    enabled: mayRead,
  })
  return (
    <>
      <PageHeader title={t('title')}>{mayRead && <RangeFilter search={search} />}</PageHeader>
      {mayRead ? (
        <QueryView query={query}>
          {({ result }) => (
            <div aria-busy={query.isPlaceholderData}>
              <Text size="sm" c="dimmed" mb="md">
                {t('figuresOf')} <Value>{formatTime(new Date(query.dataUpdatedAt))}</Value>
              </Text>
              <Figures statistics={result} days={daysOf(search)} />
            </div>
          )}
        </QueryView>
      ) : (
        <Forbidden />
      )}
    </>
  )
}

function Figures({ statistics, days }: { readonly statistics: Statistics; readonly days: number | null }) {
  const { t } = useTranslation('overview')
  const [from, until] = [formatDate(statistics['from-date']), formatDate(statistics['until-date'])]
  const range = days === null ? t('inRange', { from, until }) : t('lastDays', { count: days })
  return (
    <Stack gap="xl">
      <section aria-label={t('now')}>
        <Title order={2} size="h3" mb="sm">
          {t('now')}
        </Title>
        <Stack gap="lg">
          <NowFigures statistics={statistics} />
          <ByAnalyst statistics={statistics} />
          <MoneyAtRisk />
          <Backlog statistics={statistics} />
        </Stack>
      </section>
      <section aria-label={range}>
        <Title order={2} size="h3" mb="sm">
          {range}
        </Title>
        <Stack gap="lg">
          <MovementsPerDay days={statistics.days} />
          <TimeToResolve statistics={statistics} />
        </Stack>
      </section>
    </Stack>
  )
}
