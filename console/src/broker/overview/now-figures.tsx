import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { NumberValue } from '../../components/value.tsx'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import { dueOn } from './by-analyst.tsx'
import { QueueLink } from './queue-link.tsx'
import type { Statistics } from './statistics.ts'

/** How a number other than 0 is shown. */
type Tone = 'now' | 'soon' | 'plain'

/** What is to be done now, by why, what is open by status, and the webhooks that fail. */
export function NowFigures({ statistics }: { readonly statistics: Statistics }) {
  const { t } = useTranslation('overview')
  const { due, today } = statistics
  const unassigned = statistics['by-assignee'].find(({ assignee }) => assignee === null)?.total ?? 0
  const figures: readonly (readonly [string, number, QueueSearch, Tone])[] = [
    [t('due.overdue'), due.overdue, dueOn('overdue', today), 'now'],
    [t('due.today'), due.today, dueOn('today', today), 'soon'],
    [t('due.next-7-days'), due['next-7-days'], dueOn('next-7-days', today), 'plain'],
    [t('unassigned'), unassigned, { assignee: 'none' }, 'plain'],
    [t('answered'), statistics.answered, { answered: true }, 'soon'],
    [t('overdueAtCarrier'), statistics['overdue-at-carrier'], { overdue: true }, 'now'],
  ]
  return (
    <>
      <div className="figure-grid">
        {figures.map(([label, count, search, tone]) => (
          <Figure key={label} label={label} count={count} tone={tone}>
            <QueueLink size="xl" count={count} search={{ status: 'open', ...search }} />
          </Figure>
        ))}
        <Figure label={t('failingWebhooks')} count={statistics['failing-webhooks']} tone="now">
          <TextLink to="/webhooks" search={{ failing: true, status: 'enabled' }} size="xl">
            <NumberValue value={statistics['failing-webhooks']} />
          </TextLink>
        </Figure>
      </div>
      <div>
        <Text component="h3" fw={600} mb="xs">
          {t('openByStatus')}
        </Text>
        <Group component="ul" gap="md" className="status-list">
          {statistics['open-by-status'].map(({ status, count }) => (
            <Group component="li" key={status} gap={6} wrap="nowrap">
              <QueueLink size="lg" count={count} search={{ status }} />
              <StatusBadge status={status} />
            </Group>
          ))}
        </Group>
      </div>
    </>
  )
}

function Figure(props: {
  readonly label: string
  readonly count: number
  readonly tone: Tone
  readonly children: ReactNode
}) {
  return (
    <Paper withBorder px="sm" py="xs" className="figure" data-tone={props.count === 0 ? 'none' : props.tone}>
      <Text size="sm">{props.label}</Text>
      <Text component="div" fw={700}>
        {props.children}
      </Text>
    </Paper>
  )
}
