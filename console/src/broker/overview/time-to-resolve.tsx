import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { NumberValue, TextValue } from '../../components/value.tsx'
import { formatDuration } from '../../format/date.ts'
import type { Statistics } from './statistics.ts'

const outcomes = ['completed', 'rejected'] as const

const durationOf = (seconds: number | null) => (seconds === null ? null : formatDuration(seconds))

/** From the creation of a movement to its completion or rejection, by type. The queue has a list for each of the two. */
export function TimeToResolve({ statistics }: { readonly statistics: Statistics }) {
  const { t } = useTranslation(['overview', 'terms'])
  const range = { 'resolved-from-dt': statistics['from-date'], 'resolved-until-dt': statistics['until-date'] }
  return (
    <div>
      <Text component="h3" fw={600} mb="xs" id="time-to-resolve">
        {t('timeToResolve')}
      </Text>
      <div className="scroll-box" tabIndex={0} role="region" aria-labelledby="time-to-resolve">
        <Table className="times" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('type')}</Table.Th>
              <Table.Th scope="col" className="numeric">
                {t('median')}
              </Table.Th>
              <Table.Th scope="col" className="numeric">
                {t('p90')}
              </Table.Th>
              <Table.Th scope="col" className="numeric">
                {t('resolvedCount')}
              </Table.Th>
              <Table.Th scope="col">{t('lists')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {statistics['time-to-resolve'].map((row) => (
              <Table.Tr key={row['enrollment-type']}>
                <Table.Th scope="row">{t(`terms:type.${row['enrollment-type']}`)}</Table.Th>
                <Table.Td className="numeric">
                  <TextValue value={durationOf(row['median-seconds'])} />
                </Table.Td>
                <Table.Td className="numeric">
                  <TextValue value={durationOf(row['p90-seconds'])} />
                </Table.Td>
                <Table.Td className="numeric">
                  <NumberValue value={row.count} />
                </Table.Td>
                <Table.Td className="lists">
                  {outcomes.map((status) => (
                    <TextLink
                      to="/queue"
                      search={{ status, 'enrollment-type': row['enrollment-type'], ...range }}
                      key={status}
                    >
                      {t(`outcomes.${status}`)}
                    </TextLink>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  )
}
