import { Fieldset, Group, NumberInput, Select, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AGE_ON, PRORATIONS, RETROACTIVE_UNITS } from '../../../../src/kernel/broker-enums.ts'
import { MoneyField } from '../../components/money-field.tsx'
import type { ContractFields } from './contract-fields.ts'

const whole = { allowDecimal: false, allowNegative: false, clampBehavior: 'none', hideControls: true } as const
// Between the label and the field descriptions of one and of two lines would put fields of a row at two heights.
const order = ['label', 'input', 'description', 'error'] as 'label'[]

/** What the contract says of prices, and of how late a movement may be. */
export function MoneyFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation('carriers')
  const described = (name: 'ageOn' | 'proration' | 'prorationDay' | 'tolerance' | 'delay') => ({
    label: t(`money.${name}`),
    description: t(`money.${name}Help`),
    inputWrapperOrder: order,
  })
  const optional = (label: string) => ({
    clearable: true,
    clearButtonProps: { 'aria-label': t('form.clear', { field: label }) },
    placeholder: t('form.unknown'),
  })
  return (
    <>
      <Text size="sm">{t('money.noDefault')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          {...described('ageOn')}
          {...optional(t('money.ageOn'))}
          data={AGE_ON.map((value) => ({ value, label: t(`money.ageOnOf.${value}`) }))}
          {...form.getInputProps('age-on')}
        />
        <Select
          {...described('proration')}
          {...optional(t('money.proration'))}
          data={PRORATIONS.map((value) => ({ value, label: t(`money.prorationOf.${value}`) }))}
          {...form.getInputProps('proration')}
          onChange={(value) => form.setValues({ proration: value as (typeof PRORATIONS)[number], 'proration-day': '' })}
        />
        {form.values.proration === 'full-if-started-until-day' && (
          <NumberInput {...described('prorationDay')} required {...whole} {...form.getInputProps('proration-day')} />
        )}
        <MoneyField
          label={t('money.tolerance')}
          description={t('money.toleranceHelp')}
          value={form.values.tolerance}
          error={form.errors['tolerance'] as string | undefined}
          onChange={(value) => form.setFieldValue('tolerance', value)}
        />
        <NumberInput
          {...described('delay')}
          placeholder={t('form.unknown')}
          {...whole}
          {...form.getInputProps('coparticipation-delay-months')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LimitField form={form} name="retroactive-exclusion" label={t('money.exclusion')}>
          {t('money.exclusionHelp')}
        </LimitField>
        <LimitField form={form} name="retroactive-inclusion" label={t('money.inclusion')}>
          {t('money.inclusionHelp')}
        </LimitField>
      </SimpleGrid>
    </>
  )
}

/** How far back the carrier recognizes a movement: so many days or months. */
function LimitField(props: {
  readonly form: ContractFields
  readonly name: 'retroactive-exclusion' | 'retroactive-inclusion'
  readonly label: string
  readonly children: string
}) {
  const { form, name, label, children } = props
  const { t } = useTranslation('carriers')
  return (
    <Fieldset legend={label}>
      <Group align="flex-start" grow>
        <NumberInput
          label={t('money.count')}
          placeholder={t('form.unknown')}
          {...whole}
          {...form.getInputProps(`${name}.count`)}
        />
        <Select
          label={t('money.unit')}
          clearable
          clearButtonProps={{ 'aria-label': t('form.clear', { field: label }) }}
          data={RETROACTIVE_UNITS.map((value) => ({ value, label: t(`money.unitOf.${value}`) }))}
          {...form.getInputProps(`${name}.unit`)}
        />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {children}
      </Text>
    </Fieldset>
  )
}
