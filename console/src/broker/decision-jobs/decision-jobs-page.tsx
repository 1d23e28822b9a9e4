import type { DecisionJob } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { column, number, side, text, timestamp } from '../../lists/columns.tsx'
import { DecisionJobStatus } from './decision-job-status.tsx'
import { listPage } from '../../lists/list-page.tsx'

const List = listPage('listDecisionJobs')

/** The jobs of decisions, newest first: what runs, and what became of those of the last 30 days. */
export function DecisionJobsPage() {
  const { t } = useTranslation(['decisions', 'imports'])
  const nameOf = useOperatorNames()
  return (
    <List
      title={t('decisions:jobs.title')}
      options={{ refetchInterval: 5_000 }}
      columns={[
        column(t('decisions:jobs.createdAt'), 'minmax(10rem, 1fr)', (one) => (
          <TextLink to="/decision-jobs/$jobId" params={{ jobId: one['job-id'] }}>
            <span translate="no">{formatTimestamp(one['created-at'])}</span>
          </TextLink>
        )),
        text(t('decisions:jobs.author'), ({ author }) => nameOf(author), 'minmax(9rem, 1fr)'),
        column(t('decisions:jobs.kind'), '9rem', (one) =>
          t(one['dry-run'] ? 'decisions:jobs.dryRun' : 'decisions:jobs.decisions'),
        ),
        side(t('decisions:jobs.status'), '11rem', (one) => <DecisionJobStatus job={one} />),
        ...(['lines', 'done', 'accepted', 'rejected'] as const).map((field) =>
          number(t(`decisions:jobs.${field}`), (one: DecisionJob) => one[field], '8rem'),
        ),
        timestamp(t('decisions:jobs.finishedAt'), 'finished-at', '10rem'),
      ]}
      idOf={(one) => one['job-id']}
      empty={t('decisions:jobs.empty')}
    />
  )
}
