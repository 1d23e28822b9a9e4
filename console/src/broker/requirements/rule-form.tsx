import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ENFORCEMENTS } from '../../../../src/registry/rules/requirement.ts'
import { DateField } from '../../components/date-field.tsx'
import { required } from '../../forms/required.ts'
import { ConditionFields } from './condition-fields.tsx'
import { DocumentFields } from './document-fields.tsx'
import type { RuleFields } from './rule-fields.ts'
import type { RuleValues } from './rule-values.ts'
import { SectionTitle } from '../../components/section-title.tsx'
import { PageForm, type Saving } from '../../forms/page-form.tsx'

const inputs = [
  'name',
  'valid-from',
  'enforcement',
  'carrier-names',
  'product-types',
  'product-ids',
  'company-tax-ids',
  'movements',
  'beneficiary-types',
  'dependent-types',
  'work-contract-types',
  'exclusion-reasons',
  'lives',
  'age-from',
  'age-until',
  'days-since-admission-over',
  'late',
  'any-of',
  'message',
]

/** A rule of required documents. @param props.children beside the button that saves. */
export function RuleForm(props: {
  readonly initialValues: RuleValues
  readonly saving: Saving<RuleValues>
  readonly children?: ReactNode
}) {
  const { t } = useTranslation(['requirements', 'states'])
  const form: RuleFields = useForm<RuleValues>({
    initialValues: props.initialValues,
    validate: required(['name'], t('states:required')),
  })
  return (
    <PageForm form={form} saving={props.saving} fields={inputs} cancel={props.children}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('requirements:name')}
          description={t('requirements:nameDescription')}
          required
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Select
          label={t('requirements:without')}
          description={t('requirements:withoutDescription')}
          allowDeselect={false}
          data={ENFORCEMENTS.map((value) => ({ value, label: t(`requirements:enforcement.${value}`) }))}
          {...form.getInputProps('enforcement')}
        />
        <DateField
          label={t('requirements:validFrom')}
          value={form.values['valid-from']}
          onChange={(value) => form.setFieldValue('valid-from', value)}
          error={form.errors['valid-from'] as string | undefined}
        />
        <Switch
          label={t('requirements:active')}
          mt={{ sm: 30 }}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      </SimpleGrid>
      <SectionTitle mb={0}>{t('requirements:when')}</SectionTitle>
      <ConditionFields form={form} />
      <SectionTitle mb={0}>{t('requirements:documents')}</SectionTitle>
      <DocumentFields form={form} />
    </PageForm>
  )
}
