import { Alert, Fieldset, NumberInput, Select, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shareOf as shareOfAmount } from '../../../../src/money/rules/contribution.ts'
import { useOperation } from '../../api/use-operation.ts'
import { dataPill } from '../../components/data-pill.tsx'
import { MoneyField } from '../../components/money-field.tsx'
import { Value } from '../../components/value.tsx'
import { DayInput } from '../../forms/fields.tsx'
import { PageForm, type Saving } from '../../forms/page-form.tsx'
import { required } from '../../forms/required.ts'
import { formatMoney } from '../../format/number.ts'
import {
  type ContributionFields,
  contributionInputs,
  type ContributionValues,
  bodyOf,
  type ShareName,
  shareOf,
  type ShareValues,
} from './contribution-values.ts'
import { contributionWords } from './contribution-words.ts'
import type { Contract } from './price-values.ts'

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** What employees pay of the prices of a contract. @param props.children beside the button that saves. */
export function ContributionForm(props: {
  readonly contract: Contract
  readonly initialValues: ContributionValues
  readonly saving: Saving<ContributionValues>
  readonly children?: ReactNode
}) {
  const { t } = useTranslation(['prices', 'states'])
  const { contract } = props
  const company = useOperation('readAnyCompany', { path: [contract['company-tax-id']] })
  const missing = t('states:required')
  const share = {
    'basis-points': (value: ShareValues['basis-points'], { kind }: ShareValues) =>
      kind === 'percent' && value === '' ? missing : null,
    amount: (value: number | null, { kind }: ShareValues) => (kind === 'amount' && value === null ? missing : null),
  }
  const rulesOf = (name: ShareName) => ({
    'basis-points': (value: ShareValues['basis-points'], values: ContributionValues) =>
      share['basis-points'](value, values[name]),
    amount: (value: number | null, values: ContributionValues) => share.amount(value, values[name]),
  })
  const form: ContributionFields = useForm<ContributionValues>({
    initialValues: props.initialValues,
    validate: {
      ...required(['valid-from'], missing),
      'primary-employee-share': rulesOf('primary-employee-share'),
      'dependent-employee-share': rulesOf('dependent-employee-share'),
      'coparticipation-employee-share': rulesOf('coparticipation-employee-share'),
    },
  })
  const products = contract.plans.map((plan) => ({
    value: plan['product-id'],
    label:
      company.data?.result.products.find((one) => one['product-id'] === plan['product-id'])?.['product-name'] ??
      t('prices:formerProduct'),
  }))
  const groups = { splitChars: [';'], renderPill: dataPill }
  return (
    <PageForm form={form} saving={props.saving} fields={contributionInputs} cancel={props.children}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('prices:product')}
          description={t('prices:productDescription')}
          inputWrapperOrder={order}
          allowDeselect={false}
          attributes={{ option: { translate: 'no' } }}
          data={[{ value: '', label: t('prices:everyProduct') }, ...products]}
          {...form.getInputProps('product-id')}
        />
        <DayInput
          form={form}
          name="valid-from"
          label={t('prices:validFrom')}
          description={t('prices:validFromDescription')}
          required
        />
      </SimpleGrid>
      <ShareField form={form} name="primary-employee-share" label={t('prices:primaryShare')} />
      <ShareField form={form} name="dependent-employee-share" label={t('prices:dependentShare')} />
      <ShareField
        form={form}
        name="coparticipation-employee-share"
        label={t('prices:coparticipationShare')}
        mayBeNone
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TagsInput
          label={t('prices:costCenters')}
          description={t('prices:groupsDescription')}
          inputWrapperOrder={order}
          {...groups}
          {...form.getInputProps('cost-centers')}
        />
        <TagsInput
          label={t('prices:jobTitles')}
          description={t('prices:groupsDescription')}
          inputWrapperOrder={order}
          {...groups}
          {...form.getInputProps('job-titles')}
        />
      </SimpleGrid>
      <Example
        values={form.values}
        words={
          form.values['valid-from'] === null
            ? null
            : contributionWords(
                t,
                bodyOfRule(contract['contract-id'], form.values),
                products.find(({ value }) => value === form.values['product-id'])?.label ?? null,
              )
        }
      />
    </PageForm>
  )
}

/** The rule as it would be stored. */
function bodyOfRule(contractId: string, values: ContributionValues) {
  return { 'coparticipation-employee-share': null, 'cost-centers': [], 'job-titles': [], ...bodyOf(contractId, values) }
}

/** A part of a premium: percent or a fixed amount. */
function ShareField(props: {
  readonly form: ContributionFields
  readonly name: ShareName
  readonly label: string
  readonly mayBeNone?: boolean
}) {
  const { form, name, label, mayBeNone = false } = props
  const { t } = useTranslation('prices')
  const value = form.values[name]
  const kinds = [...(mayBeNone ? (['none'] as const) : []), 'percent' as const, 'amount' as const]
  return (
    <Fieldset legend={label} p="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('shareKind')}
          allowDeselect={false}
          data={kinds.map((kind) => ({ value: kind, label: t(`shareKinds.${kind}`) }))}
          {...form.getInputProps(`${name}.kind`)}
        />
        {value.kind === 'percent' && (
          <NumberInput
            label={t('sharePart')}
            required
            min={0}
            max={100}
            clampBehavior="none"
            decimalScale={2}
            decimalSeparator={t('decimalSeparator')}
            allowedDecimalSeparators={[',', '.']}
            suffix="%"
            hideControls
            {...form.getInputProps(`${name}.basis-points`)}
          />
        )}
        {value.kind === 'amount' && (
          <MoneyField
            label={t('shareValue')}
            required
            value={value.amount}
            error={form.errors[`${name}.amount`] as string | undefined}
            onChange={(cents) => form.setFieldValue(`${name}.amount`, cents)}
          />
        )}
      </SimpleGrid>
    </Fieldset>
  )
}

/** What an amount of a usual price is where nobody wrote another. */
const usualPrice = 50_000

/** What the rule does: in words, and with an amount. */
function Example({ values, words }: { readonly values: ContributionValues; readonly words: string | null }) {
  const { t } = useTranslation('prices')
  const [price, setPrice] = useState<number | null>(usualPrice)
  const shares = (['primary', 'dependent'] as const).map(
    (role) => [role, shareOf(values[`${role}-employee-share`])] as const,
  )
  if (words === null || shares.some(([, share]) => share === null)) return null
  return (
    <Alert variant="default" title={t('whatItDoes')}>
      <Stack gap="xs">
        <Text size="sm">
          <Value>{words}</Value>
        </Text>
        <MoneyField label={t('examplePrice')} value={price} onChange={setPrice} />
        {price !== null &&
          shares.map(([role, share]) => {
            const employee = share === null ? 0 : shareOfAmount(price, share)
            return (
              <Text key={role} size="sm">
                {t(`example.${role}`, {
                  price: formatMoney(price),
                  employee: formatMoney(employee),
                  company: formatMoney(price - employee),
                })}
              </Text>
            )
          })}
      </Stack>
    </Alert>
  )
}
