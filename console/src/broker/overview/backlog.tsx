import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { Value } from '../../components/value.tsx'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import type { Statistics } from './statistics.ts'
import { QueueLink } from './queue-link.tsx'

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
  const largest = Math.max(...backlog.map(({ total }) => total))
  const sum = (key: Age | 'total') => backlog.reduce((before, carrier) => before + carrier[key], 0)
  return (
    <div>
      <Text component="h3" fw={600} mb="xs" id="backlog">
        {t('backlog')}
      </Text>
      <div className="scroll-box" tabIndex={0} role="region" aria-labelledby="backlog">
        <Table className="backlog" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('carrier')}</Table.Th>
              <Table.Th scope="col" className="numeric">
                {t('total')}
              </Table.Th>
              {ages.map((age) => (
                <Table.Th key={age} scope="col" className="numeric">
                  <span className={`swatch age-${age}`} aria-hidden />
                  {t(`ages.${age}`)}
                </Table.Th>
              ))}
              <Table.Th scope="col" className="share">
                {t('byAge')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {backlog.map((carrier) => (
              <CarrierRow key={carrier['carrier-name']} carrier={carrier} today={today} largest={largest} />
            ))}
          </Table.Tbody>
          {backlog.length > 1 && (
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row">{t('allCarriers')}</Table.Th>
                <Table.Td className="numeric">
                  <QueueLink count={sum('total')} search={{ status: 'open' }} />
                </Table.Td>
                {ages.map((age) => (
                  <Table.Td key={age} className="numeric">
                    <QueueLink count={sum(age)} search={{ status: 'open', ...createdOn(age, today) }} />
                  </Table.Td>
                ))}
                <Table.Td />
              </Table.Tr>
            </Table.Tfoot>
          )}
        </Table>
      </div>
    </div>
  )
}

function CarrierRow(props: { readonly carrier: Carrier; readonly today: string; readonly largest: number }) {
  const { carrier, today, largest } = props
  const search = { status: 'open', 'carrier-name': carrier['carrier-name'] } as const
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Value>{carrier['carrier-name']}</Value>
      </Table.Th>
      <Table.Td className="numeric">
        <QueueLink count={carrier.total} search={search} />
      </Table.Td>
      {ages.map((age) => (
        <Table.Td key={age} className="numeric">
          <QueueLink count={carrier[age]} search={{ ...search, ...createdOn(age, today) }} />
        </Table.Td>
      ))}
      <Table.Td className="share">
        {/* The numbers of the row, drawn. */}
        <div className="stack" aria-hidden style={{ width: `${(100 * carrier.total) / largest}%` }}>
          {ages.map((age) => (
            <span key={age} className={`age-${age}`} style={{ flexGrow: carrier[age] }} />
          ))}
        </div>
      </Table.Td>
    </Table.Tr>
  )
}
