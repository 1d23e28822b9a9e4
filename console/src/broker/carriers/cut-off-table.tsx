import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { type Contract, writtenMonth } from './contract-values.ts'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { date } from '../../lists/columns.tsx'

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
          <PlainTable<(typeof result)[number]>
            label={t('cutOffs')}
            box={{ style: { maxWidth: '40rem' } }}
            items={result}
            idOf={({ month }) => month}
            columns={[
              rowHeader(t('month'), ({ month }) => <Value>{writtenMonth(month)}</Value>),
              plain(t('cutOffDate'), ({ 'cut-off-date': date, exception }) => (
                <>
                  <DateValue value={date} /> {exception && <Badge color="orange">{t('exception')}</Badge>}
                </>
              )),
              date(t('coverageStart'), 'coverage-start'),
            ]}
          />
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
