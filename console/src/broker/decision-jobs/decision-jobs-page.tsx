import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { DecisionJob } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { NumberValue, TimestampValue } from '../../components/value.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { DecisionJobStatus } from './decision-job-status.tsx'

const refreshMilliseconds = 5_000

const columnsOf = (t: TFunction<['decisions', 'imports']>): readonly Column<DecisionJob>[] => [
  {
    id: 'created-at',
    header: t('decisions:jobs.createdAt'),
    width: 'minmax(10rem, 1fr)',
    cell: (one) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/decision-jobs/$jobId" params={{ jobId: one['job-id'] }} {...props} />}
      >
        <span translate="no">{formatTimestamp(one['created-at'])}</span>
      </Anchor>
    ),
  },
  {
    id: 'kind',
    header: t('decisions:jobs.kind'),
    width: '9rem',
    cell: (one) => t(one['dry-run'] ? 'decisions:jobs.dryRun' : 'decisions:jobs.decisions'),
  },
  { id: 'status', header: t('decisions:jobs.status'), width: '11rem', cell: (one) => <DecisionJobStatus job={one} /> },
  ...(['lines', 'done', 'accepted', 'rejected'] as const).map((field) => ({
    id: field,
    header: t(`decisions:jobs.${field}`),
    width: '8rem',
    isNumeric: true,
    cell: (one: DecisionJob) => <NumberValue value={one[field]} />,
  })),
  {
    id: 'finished-at',
    header: t('decisions:jobs.finishedAt'),
    width: '10rem',
    cell: (one) => <TimestampValue value={one['finished-at']} />,
  },
]

/** The jobs of decisions, newest first: what runs, and what became of those of the last 30 days. */
export function DecisionJobsPage() {
  const { t } = useTranslation(['decisions', 'imports'])
  const list = usePagedList('listDecisionJobs', {}, { refetchInterval: refreshMilliseconds })
  return (
    <>
      <PageHeader title={t('decisions:jobs.title')} />
      <DataTable
        label={t('decisions:jobs.title')}
        columns={columnsOf(t)}
        list={list}
        idOf={(one) => one['job-id']}
        empty={t('decisions:jobs.empty')}
      />
    </>
  )
}
