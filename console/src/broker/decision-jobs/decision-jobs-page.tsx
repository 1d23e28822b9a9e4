import type { DecisionJob } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { column, number, timestamp } from '../../lists/columns.tsx'
import { DecisionJobStatus } from './decision-job-status.tsx'

const refreshMilliseconds = 5_000

const columnsOf = (t: TFunction<['decisions', 'imports']>): readonly Column<DecisionJob>[] => [
  column(t('decisions:jobs.createdAt'), 'minmax(10rem, 1fr)', (one) => (
    <TextLink to="/decision-jobs/$jobId" params={{ jobId: one['job-id'] }}>
      <span translate="no">{formatTimestamp(one['created-at'])}</span>
    </TextLink>
  )),
  column(t('decisions:jobs.kind'), '9rem', (one) =>
    t(one['dry-run'] ? 'decisions:jobs.dryRun' : 'decisions:jobs.decisions'),
  ),
  column(t('decisions:jobs.status'), '11rem', (one) => <DecisionJobStatus job={one} />),
  ...(['lines', 'done', 'accepted', 'rejected'] as const).map((field) =>
    number(t(`decisions:jobs.${field}`), (one: DecisionJob) => one[field], '8rem'),
  ),
  timestamp(t('decisions:jobs.finishedAt'), 'finished-at', '10rem'),
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
