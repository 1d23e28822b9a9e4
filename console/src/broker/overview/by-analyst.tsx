import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import { QueueLink } from './queue-link.tsx'
import type { Statistics } from './statistics.ts'

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
  if (rows.length === 0) return null
  const largest = Math.max(...rows.map(({ total }) => total))
  return (
    <div>
      <Text component="h3" fw={600} mb="xs" id="by-analyst">
        {t('byAnalyst')}
      </Text>
      <div className="scroll-box" tabIndex={0} role="region" aria-labelledby="by-analyst">
        <Table className="backlog" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('analyst')}</Table.Th>
              <Table.Th scope="col" className="numeric">
                {t('total')}
              </Table.Th>
              {dues.map((due) => (
                <Table.Th key={due} scope="col" className="numeric">
                  <span className={`swatch due-${due}`} aria-hidden />
                  {t(`due.${due}`)}
                </Table.Th>
              ))}
              <Table.Th scope="col" className="numeric">
                {t('answered')}
              </Table.Th>
              <Table.Th scope="col" className="share">
                {t('byDue')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <AnalystRow key={row.assignee} row={row} today={today} largest={largest} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  )
}

function AnalystRow({ row, today, largest }: { readonly row: Row; readonly today: string; readonly largest: number }) {
  const { t } = useTranslation('overview')
  const nameOf = useOperatorNames()
  const search = { status: 'open', assignee: row.assignee ?? 'none' } as const
  const rest = row.total - dues.reduce((sum, due) => sum + row[due], 0)
  return (
    <Table.Tr>
      <Table.Th scope="row">{row.assignee === null ? t('nobody') : <Value>{nameOf(row.assignee)}</Value>}</Table.Th>
      <Table.Td className="numeric">
        <QueueLink count={row.total} search={search} />
      </Table.Td>
      {dues.map((due) => (
        <Table.Td key={due} className="numeric">
          <QueueLink count={row[due]} search={{ ...search, ...dueOn(due, today) }} />
        </Table.Td>
      ))}
      <Table.Td className="numeric">
        <QueueLink count={row.answered} search={{ ...search, answered: true }} />
      </Table.Td>
      <Table.Td className="share">
        {/* The numbers of the row, drawn. */}
        <div className="stack" aria-hidden style={{ width: `${(100 * row.total) / largest}%` }}>
          {dues.map((due) => (
            <span key={due} className={`due-${due}`} style={{ flexGrow: row[due] }} />
          ))}
          <span className="due-later" style={{ flexGrow: rest }} />
        </div>
      </Table.Td>
    </Table.Tr>
  )
}
