import { Box, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { type Contract, writtenMonth } from './contract-values.ts'

type Calendar = NonNullable<Contract['calendar']>

/** The rule of a calendar in words, and the cut-off days of a year by it. */
export function CutOffTable({ contractId, calendar }: { readonly contractId: string; readonly calendar: Calendar }) {
  const { t } = useTranslation('carriers')
  const cutOffs = useOperation('readContractCalendar', { path: [contractId] })
  return (
    <>
      <Text size="sm" mb="xs">
        <Rule calendar={calendar} />
      </Text>
      <QueryView query={cutOffs}>
        {({ result }) => (
          <Box className="plain-table" maw="40rem" tabIndex={0} role="region" aria-label={t('cutOffs')}>
            <Table fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t('month')}</Table.Th>
                  <Table.Th scope="col">{t('cutOffDate')}</Table.Th>
                  <Table.Th scope="col">{t('coverageStart')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {result.map((one) => (
                  <Table.Tr key={one.month}>
                    <Table.Th scope="row" fw={400}>
                      <Value>{writtenMonth(one.month)}</Value>
                    </Table.Th>
                    <Table.Td>
                      <DateValue value={one['cut-off-date']} />{' '}
                      {one.exception && <Badge color="orange">{t('exception')}</Badge>}
                    </Table.Td>
                    <Table.Td>
                      <DateValue value={one['coverage-start']} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Box>
        )}
      </QueryView>
    </>
  )
}

function Rule({ calendar }: { readonly calendar: Calendar }) {
  const { t } = useTranslation('carriers')
  const { 'cut-off-day': day, 'cut-off-business-days-before-billing': before } = calendar
  const parts =
    day === null
      ? [t('ruleBefore', { count: before ?? 0 })]
      : [t('ruleDay', { day }), t(`notBusinessDay.${calendar['when-not-business-day']}`)]
  return [...parts, t(`holidays.${calendar.holidays}`)].join('; ')
}
