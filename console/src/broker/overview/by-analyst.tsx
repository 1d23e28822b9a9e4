import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import { QueueLink } from './queue-link.tsx'
import type { Statistics } from './statistics.ts'
import { PlainTable, rowHeader, numeric } from '../../components/plain-table.tsx'
import { share, Swatch } from './share.tsx'

type Row = Statistics['by-assignee'][number]

const dues = ['overdue', 'today', 'next-7-days'] as const

/** The filter of the queue of what is due. */
export function dueOn(due: (typeof dues)[number], today: string): QueueSearch {
  switch (due) {
    case 'overdue':
      return { 'due-before': today }
    case 'today':
      return { 'due-from': today, 'due-before': addDays(today, 1) }
    case 'next-7-days':
      return { 'due-from': addDays(today, 1), 'due-before': addDays(today, 8) }
    default:
      return due satisfies never
  }
}

/** Open movements by who works on them, and how urgent they are. */
export function ByAnalyst({ statistics: { 'by-assignee': rows, today } }: { readonly statistics: Statistics }) {
  const { t } = useTranslation('overview')
  const nameOf = useOperatorNames()
  const openOf = ({ assignee }: Row) => ({ status: 'open', assignee: assignee ?? 'none' }) as const
  if (rows.length === 0) return null
  const largest = Math.max(...rows.map(({ total }) => total))
  return (
    <div>
      <Text component="h3" fw={600} mb="xs">
        {t('byAnalyst')}
      </Text>
      <PlainTable<Row>
        label={t('byAnalyst')}
        className="backlog"
        verticalSpacing={4}
        items={rows}
        idOf={({ assignee }) => String(assignee)}
        columns={[
          rowHeader(
            t('analyst'),
            ({ assignee }) => (assignee === null ? t('nobody') : <Value>{nameOf(assignee)}</Value>),
            {},
          ),
          numeric(t('total'), (row) => <QueueLink count={row.total} search={openOf(row)} />),
          ...dues.map((due) =>
            numeric<Row>(<Swatch name={`due-${due}`}>{t(`due.${due}`)}</Swatch>, (row) => (
              <QueueLink count={row[due]} search={{ ...openOf(row), ...dueOn(due, today) }} />
            )),
          ),
          numeric(t('answered'), (row) => (
            <QueueLink count={row.answered} search={{ ...openOf(row), answered: true }} />
          )),
          share(t('byDue'), largest, (row) => [
            ...dues.map((due) => [`due-${due}`, row[due]] as const),
            ['due-later', row.total - dues.reduce((sum, due) => sum + row[due], 0)],
          ]),
        ]}
      />
    </div>
  )
}
