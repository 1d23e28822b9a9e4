import { MultiSelect, NumberInput, Select, SimpleGrid, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CONTRACT_LIVES } from '../../../../src/kernel/broker-enums.ts'
import {
  BENEFICIARY_TYPES,
  DEPENDENT_TYPES,
  EXCLUSION_REASONS,
  MOVEMENT_KINDS,
  PRODUCT_TYPES,
  WORK_CONTRACT_TYPES,
} from '../../../../src/kernel/enums.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import type { RuleFields } from './rule-fields.ts'

const isData = { pill: { translate: 'no' }, option: { translate: 'no' } } as const

/** When a rule holds: what is left empty holds for every movement. */
export function ConditionFields({ form }: { readonly form: RuleFields }) {
  const { t } = useTranslation(['requirements', 'terms', 'states'])
  const { when } = form.values
  const isPossible = (list: readonly string[], value: string) => list.length === 0 || list.includes(value)
  const optional = (label: string) => ({
    label,
    clearable: true,
    clearButtonProps: { 'aria-label': t('requirements:clear', { field: label }) },
    placeholder: t('requirements:any'),
  })
  const whole = { allowDecimal: false, allowNegative: false, hideControls: true } as const
  return (
    <>
      <Text size="sm">{t('requirements:whenDescription')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <MultiSelect
          label={t('requirements:movement')}
          searchable
          data={MOVEMENT_KINDS.map((value) => ({ value, label: t(`terms:type.${value}`) }))}
          {...form.getInputProps('when.movements')}
        />
        <MultiSelect
          label={t('requirements:beneficiary')}
          searchable
          data={BENEFICIARY_TYPES.map((value) => ({ value, label: t(`terms:beneficiaryType.${value}`) }))}
          {...form.getInputProps('when.beneficiary-types')}
        />
        {isPossible(when['beneficiary-types'], 'dependent') && (
          <MultiSelect
            label={t('requirements:dependentType')}
            searchable
            data={DEPENDENT_TYPES.map((value) => ({ value, label: t(`terms:dependentType.${value}`) }))}
            {...form.getInputProps('when.dependent-types')}
          />
        )}
        <MultiSelect
          label={t('requirements:workContract')}
          searchable
          data={WORK_CONTRACT_TYPES.map((value) => ({ value, label: t(`terms:workContractType.${value}`) }))}
          {...form.getInputProps('when.work-contract-types')}
        />
        {isPossible(when.movements, 'exclusion') && (
          <MultiSelect
            label={t('requirements:exclusionReason')}
            searchable
            data={EXCLUSION_REASONS.map((value) => ({ value, label: t(`terms:exclusionReason.${value}`) }))}
            {...form.getInputProps('when.exclusion-reasons')}
          />
        )}
        {isPossible(when.movements, 'inclusion') && (
          <Select
            {...optional(t('requirements:late'))}
            data={(['yes', 'no'] as const).map((value) => ({ value, label: t(`states:${value}`) }))}
            {...form.getInputProps('when.late')}
          />
        )}
        <Select
          {...optional(t('requirements:lives'))}
          data={CONTRACT_LIVES.map((value) => ({ value, label: t(`terms:contractLives.${value}`) }))}
          {...form.getInputProps('when.lives')}
        />
        <NumberInput
          label={t('requirements:condition.days-since-admission-over')}
          {...whole}
          {...form.getInputProps('when.days-since-admission-over')}
        />
        <NumberInput label={t('requirements:condition.age-from')} {...whole} {...form.getInputProps('when.age-from')} />
        <NumberInput
          label={t('requirements:condition.age-until')}
          {...whole}
          {...form.getInputProps('when.age-until')}
        />
        <ProductConditions form={form} />
      </SimpleGrid>
    </>
  )
}

/** Which carriers, companies and products a rule is about. */
function ProductConditions({ form }: { readonly form: RuleFields }) {
  const { t } = useTranslation(['requirements', 'terms'])
  const { when } = form.values
  const carriers = useOperation('listCarriers')
  const names = [...new Set([...(carriers.data?.result ?? []).map(({ name }) => name), ...when['carrier-names']])]
  const companies = useQueries({
    queries: when['company-tax-ids'].map((taxId) => operationQuery('readAnyCompany', { path: [taxId] })),
  }).flatMap(({ data }) => data?.result ?? [])
  const products = new Map([
    // For a rule without companies only the ids are known.
    ...when['product-ids'].map((id) => [id, id] as const),
    ...companies.flatMap((company) => company.products.map((one) => [one['product-id'], one['product-name']] as const)),
  ])
  const companyName = new Map(companies.map((company) => [company['tax-id'], company.name]))
  return (
    <>
      <MultiSelect
        label={t('requirements:carrier')}
        searchable
        attributes={isData}
        data={names}
        {...form.getInputProps('when.carrier-names')}
      />
      <MultiSelect
        label={t('requirements:productType')}
        searchable
        data={[...new Set([...PRODUCT_TYPES, ...when['product-types']])].map((value) => ({
          value,
          label: t(`terms:productType.${value as 'other'}`, { defaultValue: value }),
        }))}
        {...form.getInputProps('when.product-types')}
      />
      <div>
        <CompanySelect
          label={t('requirements:addCompany')}
          value={null}
          onChange={(taxId) => {
            if (taxId === null || when['company-tax-ids'].includes(taxId)) return
            form.setFieldValue('when.company-tax-ids', [...when['company-tax-ids'], taxId])
          }}
        />
        {when['company-tax-ids'].length > 0 && (
          <MultiSelect
            label={t('requirements:companies')}
            mt="xs"
            searchable
            attributes={isData}
            data={when['company-tax-ids'].map((value) => ({
              value,
              label: [companyName.get(value), formatCnpj(value)].filter(Boolean).join(' · '),
            }))}
            {...form.getInputProps('when.company-tax-ids')}
          />
        )}
      </div>
      {products.size > 0 && (
        <MultiSelect
          label={t('requirements:product')}
          searchable
          attributes={isData}
          data={[...products].map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('when.product-ids')}
        />
      )}
    </>
  )
}
