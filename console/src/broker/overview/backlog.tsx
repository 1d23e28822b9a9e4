import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { Value } from '../../components/value.tsx'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import type { Statistics } from './statistics.ts'
import { QueueLink } from './queue-link.tsx'
import { PlainTable, rowHeader, numeric } from '../../components/plain-table.tsx'
import { share, Swatch } from './share.tsx'

type Carrier = Statistics['backlog'][number]

const ages = ['under-1-day', '1-to-3-days', '4-to-7-days', 'over-7-days'] as const
type Age = (typeof ages)[number]

/** The days of the creation of what is so old. */
function createdOn(age: Age, today: string): QueueSearch {
  const before = (days: number) => addDays(today, -days)
  switch (age) {
    case 'under-1-day':
      return { 'from-dt': today }
    case '1-to-3-days':
      return { 'from-dt': before(3), 'until-dt': before(1) }
    case '4-to-7-days':
      return { 'from-dt': before(7), 'until-dt': before(4) }
    case 'over-7-days':
      return { 'until-dt': before(8) }
    default:
      return age satisfies never
  }
}

/** Open movements by carrier and age: a table, with a stacked bar in each row. */
export function Backlog({ statistics: { backlog, today } }: { readonly statistics: Statistics }) {
  const { t } = useTranslation('overview')
  if (backlog.length === 0) return <Text size="sm">{t('noBacklog')}</Text>
  const openOf = (carrier: Carrier) => ({ status: 'open', 'carrier-name': carrier['carrier-name'] }) as const
  const largest = Math.max(...backlog.map(({ total }) => total))
  const sum = (key: Age | 'total') => backlog.reduce((before, carrier) => before + carrier[key], 0)
  return (
    <div>
      <Text component="h3" fw={600} mb="xs">
        {t('backlog')}
      </Text>
      <PlainTable<Carrier>
        label={t('backlog')}
        className="backlog"
        items={backlog}
        idOf={(carrier) => carrier['carrier-name']}
        columns={[
          rowHeader(t('carrier'), (carrier) => <Value>{carrier['carrier-name']}</Value>, {}),
          numeric(t('total'), (carrier) => <QueueLink count={carrier.total} search={openOf(carrier)} />),
          ...ages.map((age) =>
            numeric<Carrier>(<Swatch name={`age-${age}`}>{t(`ages.${age}`)}</Swatch>, (carrier) => (
              <QueueLink count={carrier[age]} search={{ ...openOf(carrier), ...createdOn(age, today) }} />
            )),
          ),
          share(t('byAge'), largest, (carrier) => ages.map((age) => [`age-${age}`, carrier[age]])),
        ]}
        foot={
          backlog.length > 1 && (
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row">{t('allCarriers')}</Table.Th>
                <Table.Td ta="end">
                  <QueueLink count={sum('total')} search={{ status: 'open' }} />
                </Table.Td>
                {ages.map((age) => (
                  <Table.Td key={age} ta="end">
                    <QueueLink count={sum(age)} search={{ status: 'open', ...createdOn(age, today) }} />
                  </Table.Td>
                ))}
                <Table.Td />
              </Table.Tr>
            </Table.Tfoot>
          )
        }
      />
    </div>
  )
}
