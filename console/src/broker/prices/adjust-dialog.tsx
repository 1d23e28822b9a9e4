import { NumberInput, SimpleGrid, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { adjustPrices } from '../../../../src/money/rules/price-table.ts'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { numeric, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { DayInput } from '../../forms/fields.tsx'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import { formatDate } from '../../format/date.ts'
import { categoryName } from './category-name.ts'
import type { PriceTable } from './price-values.ts'

interface Values {
  readonly 'valid-from': string | null
  /** In percent. */
  readonly 'basis-points': number | string
}

/** `15.23` percent in hundredths of a percent; null: no number. */
const basisPoints = (percent: number | string) =>
  percent === '' || !Number.isFinite(Number(percent)) ? null : Math.round(Number(percent) * 100)

/** The yearly adjustment: a new table of the same plan, some percent above, with the prices as they will be. */
export function AdjustDialog({ table, onClose }: { readonly table: PriceTable; readonly onClose: () => void }) {
  const { t } = useTranslation(['prices', 'charges', 'states'])
  const queryClient = useQueryClient()
  const id = table['price-table-id']
  const dialog = useFormDialog<Values, unknown>({
    initialValues: { 'valid-from': null, 'basis-points': '' },
    validate: required(['valid-from', 'basis-points'], t('states:required')),
    send: (values) =>
      api.priceTables.adjust(id, {
        'valid-from': values['valid-from'] ?? '',
        'basis-points': basisPoints(values['basis-points']) ?? 0,
      }),
    onSent: (_result, close) => {
      notifyDone(t('prices:adjusted'))
      void queryClient.invalidateQueries()
      close()
    },
    onClose,
  })
  const { form } = dialog
  const points = basisPoints(form.values['basis-points'])
  const after = points === null ? null : adjustPrices(table.prices, points)
  return (
    <FormDialog dialog={dialog} title={t('prices:adjustTitle')} action={t('prices:adjust')} size="lg">
      <Text size="sm">
        {t('prices:adjustText', {
          plan: table['carrier-plan-code'] ?? t('prices:otherPlans'),
          date: formatDate(table['valid-from']),
        })}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={t('prices:percent')}
          description={t('prices:percentDescription')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          data-autofocus
          decimalScale={2}
          decimalSeparator={t('prices:decimalSeparator')}
          allowedDecimalSeparators={[',', '.']}
          suffix="%"
          hideControls
          {...form.getInputProps('basis-points')}
        />
        <DayInput form={form} name="valid-from" label={t('prices:validFrom')} required />
      </SimpleGrid>
      <PlainTable<PriceTable['prices'][number]>
        label={t('prices:preview')}
        items={table.prices}
        idOf={({ category }) => category}
        columns={[
          rowHeader(t('prices:bandOrRole'), ({ category }) => <Value>{categoryName(t, category)}</Value>),
          numeric(t('prices:before'), ({ amount }) => <MoneyValue value={amount} />),
          numeric(t('prices:after'), ({ category }) => (
            <MoneyValue value={after?.find((one) => one.category === category)?.amount ?? null} />
          )),
        ]}
      />
    </FormDialog>
  )
}
