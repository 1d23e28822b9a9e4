import { Anchor, Group, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/domain/calendar.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { NumberValue } from '../../components/value.tsx'
import type { Statistics } from './statistics.ts'
import { QueueLink } from './queue-link.tsx'

/** What is due, what is open by status, and the webhooks that fail. */
export function NowFigures({ statistics }: { readonly statistics: Statistics }) {
  const { t } = useTranslation('overview')
  const { due, today } = statistics
  return (
    <>
      <div className="figure-grid">
        <Figure label={t('due.overdue')}>
          <QueueLink size="xl" count={due.overdue} search={{ status: 'open', 'due-before': today }} />
        </Figure>
        <Figure label={t('due.today')}>
          <QueueLink
            size="xl"
            count={due.today}
            search={{ status: 'open', 'due-from': today, 'due-before': addDays(today, 1) }}
          />
        </Figure>
        <Figure label={t('due.week')}>
          <QueueLink
            size="xl"
            count={due['next-7-days']}
            search={{ status: 'open', 'due-from': addDays(today, 1), 'due-before': addDays(today, 8) }}
          />
        </Figure>
        <Figure label={t('failingWebhooks')}>
          <Anchor
            size="xl"
            renderRoot={(props) => <Link to="/webhooks" search={{ failing: true, status: 'enabled' }} {...props} />}
          >
            <NumberValue value={statistics['failing-webhooks']} />
          </Anchor>
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

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="sm" className="figure">
      <Text size="sm">{label}</Text>
      <Text component="div" fw={700}>
        {children}
      </Text>
    </Paper>
  )
}
