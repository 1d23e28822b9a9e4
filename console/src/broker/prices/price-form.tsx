import { Alert, List, Select, SimpleGrid } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PRICE_TABLE_KINDS, type PriceTableKind, priceWarnings } from '../../../../src/money/rules/price-table.ts'
import { MoneyField } from '../../components/money-field.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Value } from '../../components/value.tsx'
import { DayInput } from '../../forms/fields.tsx'
import { PageForm, type Saving } from '../../forms/page-form.tsx'
import { required } from '../../forms/required.ts'
import { categoryName } from './category-name.ts'
import { PastePrices } from './paste-prices.tsx'
import type { PriceFields } from './price-fields.ts'
import { type Contract, noPrices, priceInputs, type PriceValues } from './price-values.ts'
import { UnreadLines } from './unread-lines.tsx'

/** A table of prices. @param props.children beside the button that saves. */
export function PriceForm(props: {
  readonly contract: Contract
  readonly initialValues: PriceValues
  readonly saving: Saving<PriceValues>
  readonly children?: ReactNode
}) {
  const { t } = useTranslation(['prices', 'charges', 'states'])
  const form: PriceFields = useForm<PriceValues>({
    initialValues: props.initialValues,
    validate: {
      ...required(['valid-from'], t('states:required')),
      prices: {
        amount: (amount, values, path) => {
          if (amount !== null) return null
          const { read } = values.prices[Number(path.split('.')[1])] ?? {}
          return read === undefined ? t('states:required') : t('prices:notAnAmount', { text: read })
        },
      },
      unread: (lines) => (lines.length > 0 ? t('prices:unreadLeft') : null),
    },
  })
  // A field that was filled by a table forgets what was typed in it.
  const [reading, setReading] = useState(0)
  const { prices } = form.values
  return (
    <PageForm form={form} saving={props.saving} fields={priceInputs} cancel={props.children}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <PlanSelect contract={props.contract} form={form} />
        <DayInput
          form={form}
          name="valid-from"
          label={t('prices:validFrom')}
          description={t('prices:validFromDescription')}
          required
        />
        <Select
          label={t('prices:kind')}
          description={t('prices:kindDescription')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={PRICE_TABLE_KINDS.map((value) => ({ value, label: t(`prices:kinds.${value}`) }))}
          {...form.getInputProps('kind')}
          onChange={(value) =>
            form.setValues({ kind: value as PriceTableKind, prices: noPrices(value as PriceTableKind) })
          }
        />
      </SimpleGrid>
      <PastePrices form={form} onRead={() => setReading((before) => before + 1)} />
      <SectionTitle mb={0}>{t('prices:prices')}</SectionTitle>
      <SimpleGrid cols={{ base: 2, sm: 5 }} verticalSpacing="sm">
        {prices.map(({ category, amount }, index) => (
          <MoneyField
            key={`${reading} ${category}`}
            label={categoryName(t, category)}
            required
            value={amount}
            error={form.errors[`prices.${index}.amount`] as string | undefined}
            onChange={(cents) => form.setFieldValue(`prices.${index}.amount`, cents)}
          />
        ))}
      </SimpleGrid>
      <UnreadLines form={form} />
      <Warnings values={form.values} />
    </PageForm>
  )
}

/** The plans of the contract by the codes of the carrier, and the others. */
function PlanSelect({ contract, form }: { readonly contract: Contract; readonly form: PriceFields }) {
  const { t } = useTranslation('prices')
  const stored = form.values['carrier-plan-code']
  const codes = contract.plans.flatMap((plan) => plan['carrier-plan-code'] ?? [])
  return (
    <Select
      label={t('plan')}
      description={t('planDescription')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={[
        { value: '', label: t('otherPlans') },
        ...[...new Set([...codes, ...(stored === '' ? [] : [stored])])].map((value) => ({ value, label: value })),
      ]}
      renderOption={({ option }) => (option.value === '' ? option.label : <Value>{option.label}</Value>)}
      {...form.getInputProps('carrier-plan-code')}
    />
  )
}

/** What the norm says of the bands; the carrier answers for its table. */
function Warnings({ values: { kind, prices } }: { readonly values: PriceValues }) {
  const { t } = useTranslation('prices')
  if (prices.some(({ amount }) => amount === null)) return null
  const warnings = priceWarnings({ kind, prices: prices.map((one) => ({ ...one, amount: one.amount ?? 0 })) })
  if (warnings.length === 0) return null
  return (
    <Alert color="orange" title={t('warningTitle')} role="status">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning}>{t(`warnings.${warning}`)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
