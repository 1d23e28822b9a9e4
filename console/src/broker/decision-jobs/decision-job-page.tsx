import { Alert, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { listOf } from '../../api/list-of.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Loading } from '../../components/state-view.tsx'
import { formatNumber } from '../../format/number.ts'
import { DecisionJobStatus } from './decision-job-status.tsx'
import { lineColumns } from '../../entities/decisions/line-columns.tsx'

const route = getRouteApi('/shell/decision-jobs/$jobId')
const refreshMilliseconds = 1_000

/** One job of decisions: how far it is, and what became of each line. */
export function DecisionJobPage() {
  const { t } = useTranslation('decisions')
  const { t: tLine } = useTranslation(['queue', 'states', 'terms'])
  const { jobId } = route.useParams()
  const { data, error } = useQuery({
    ...operationQuery('readDecisionJob', { path: [jobId] }),
    refetchInterval: ({ state }) => (state.data?.result['finished-at'] === null ? refreshMilliseconds : false),
  })
  const job = data?.result
  const isEnded = job !== undefined && job['finished-at'] !== null
  const result = useOperation('readDecisionJobResult', { path: [jobId] }, { enabled: isEnded })
  if (error !== null) return <ErrorMessage error={error} />
  if (job === undefined) return <Loading />
  const rows = result.data?.result.toSorted((a, b) => Number(a.error === undefined) - Number(b.error === undefined))
  return (
    <>
      <PageHeader title={t('jobs.one')}>
        <DecisionJobStatus job={job} />
      </PageHeader>
      <Stack gap="sm">
        {!isEnded && <Progress value={(100 * job.done) / job.lines} aria-label={t('jobs.one')} />}
        <Text role="status">
          {t('jobs.progress', {
            done: formatNumber(job.done),
            lines: formatNumber(job.lines),
            rejected: formatNumber(job.rejected),
          })}
        </Text>
        {job['broken-reason'] !== null && (
          <Alert color="red" variant="outline">
            {t(`jobs.broken.${job['broken-reason']}`)}
          </Alert>
        )}
        {result.error !== null && <ErrorMessage error={result.error} />}
        {isEnded && (
          <DataTable
            label={tLine('queue:file.outcome')}
            unit="lines"
            columns={lineColumns(tLine)}
            list={listOf(rows ?? [])}
            idOf={({ line }) => String(line)}
            maxHeight="70vh"
          />
        )}
      </Stack>
    </>
  )
}
