import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateValue } from '../../components/value.tsx'
import { type Day, linkOfDay } from './statistics.ts'
import { QueueLink } from './queue-link.tsx'

const kinds = ['created', 'completed', 'rejected', 'cancelled'] as const

/** The numbers of each day, the last day first. */
export default function DayTable({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTranslation('overview')
  return (
    <div className="scroll-box" tabIndex={0} role="region" aria-label={t('daysAsTable')}>
      <Table className="per-day" verticalSpacing={6} aria-label={t('perDay')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('day')}</Table.Th>
            {kinds.map((kind) => (
              <Table.Th key={kind} scope="col" className="numeric">
                {t(`outcomes.${kind}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Th scope="row">
                <DateValue value={day.date} />
              </Table.Th>
              {kinds.map((kind) => (
                <Table.Td key={kind} className="numeric">
                  <QueueLink count={day[kind]} search={linkOfDay(kind, day.date)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
