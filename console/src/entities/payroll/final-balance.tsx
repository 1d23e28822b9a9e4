import { Group, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/date-field.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { MoneyField } from '../../components/money-field.tsx'
import { numeric, plain, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { ProductTypeText } from '../../components/product-type.tsx'
import { DateValue, MoneyValue, Value } from '../../components/value.tsx'
import { formatMonth } from '../../format/month.ts'
import type { FinalBalance, LeaverValues } from './leaver.ts'

/** What is known of an employee who leaves beside what the service has. @param props.needsLastDay no exclusion says it. */
export function LeaverFields(props: {
  readonly values: LeaverValues
  readonly needsLastDay: boolean
  readonly onChange: (values: LeaverValues) => void
}) {
  const { values, needsLastDay, onChange } = props
  const { t } = useTranslation('payroll')
  return (
    <Group align="flex-start">
      {needsLastDay && (
        <DateField
          label={t('leaving.lastDay')}
          value={values['end-date']}
          onChange={(day) => onChange({ ...values, 'end-date': day })}
        />
      )}
      <MoneyField
        label={t('leaving.remuneration')}
        description={t('leaving.remunerationHelp')}
        value={values.remuneration}
        onChange={(cents) => onChange({ ...values, remuneration: cents })}
      />
      <MoneyField
        label={t('leaving.other')}
        value={values['other-compensation']}
        onChange={(cents) => onChange({ ...values, 'other-compensation': cents })}
      />
    </Group>
  )
}

/** What an employee still owes, month by month, and what of it the payroll takes. */
export function FinalBalanceView({ balance }: { readonly balance: FinalBalance }) {
  const { t } = useTranslation('payroll')
  const months = balance.months.toSorted((a, b) => a['origin-month'].localeCompare(b['origin-month']))
  const later = balance['later-until']
  return (
    <Stack gap="sm">
      <FactList
        facts={[
          fact(t('leaving.lastDay'), <DateValue value={balance['end-date']} />),
          fact(
            t('leaving.balance'),
            <Text span inherit fw={700}>
              <MoneyValue value={balance.balance} />
            </Text>,
          ),
          balance.limit !== null && fact(t('leaving.limit'), <MoneyValue value={balance.limit} />),
          fact(t('leaving.fits'), <MoneyValue value={balance.fits} />),
          fact(t('leaving.rest'), <MoneyValue value={balance.rest} />),
          fact(t('leaving.laterUntil'), later === null ? t('leaving.unknown') : <Value>{formatMonth(later)}</Value>),
        ]}
      />
      <Text size="sm">
        <Value>{balance.sentence}</Value>
      </Text>
      {months.length === 0 ? (
        <Text size="sm">{t('leaving.nothing')}</Text>
      ) : (
        <PlainTable<FinalBalance['months'][number]>
          label={t('leaving.byMonth')}
          miw="40rem"
          items={months}
          idOf={(line) => `${line['origin-month']} ${line.kind} ${line['product-type']}`}
          columns={[
            rowHeader(t('originMonth'), (line) => <Value>{formatMonth(line['origin-month'])}</Value>),
            plain(t('kind'), ({ kind }) => t(`kindOf.${kind}`)),
            plain(t('product'), (line) => <ProductTypeText value={line['product-type']} />),
            numeric(t('due'), ({ amount }) => <MoneyValue value={amount} />),
            numeric(t('exportedAmount'), ({ exported }) => <MoneyValue value={exported} />),
            numeric(t('held'), ({ held }) => <MoneyValue value={held} />),
            numeric(t('open'), ({ open }) => <MoneyValue value={open} />),
          ]}
          foot={
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row" colSpan={6}>
                  {t('leaving.balance')}
                </Table.Th>
                <Table.Th ta="end" className="nowrap">
                  <MoneyValue value={balance.balance} />
                </Table.Th>
              </Table.Tr>
            </Table.Tfoot>
          }
        />
      )}
    </Stack>
  )
}
