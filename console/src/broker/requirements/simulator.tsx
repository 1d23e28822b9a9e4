import { Button, List, MultiSelect, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { RequestBody, ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import {
  BENEFICIARY_TYPES,
  DEPENDENT_TYPES,
  DOCUMENT_TYPES,
  EXCLUSION_REASONS,
  MOVEMENT_KINDS,
  WORK_CONTRACT_TYPES,
} from '../../../../src/kernel/enums.ts'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { DocumentWords } from './document-words.tsx'
import { EnforcementBadge } from './enforcement-badge.tsx'

type Body = RequestBody<'simulateRequirements'>
type Optional<Name extends keyof Body> = Exclude<Body[Name], undefined>
type Result = ResponseBody<'simulateRequirements'>['result']

interface Values {
  readonly taxId: string | null
  readonly productId: string | null
  readonly movement: Body['movement']
  readonly beneficiaryType: Body['beneficiary-type']
  readonly dependentType: Optional<'dependent-type'>
  readonly workContractType: Optional<'work-contract-type'>
  readonly exclusionReason: Optional<'exclusion-reason'>
  readonly age: number | string
  readonly days: number | string
  readonly late: 'yes' | 'no' | null
  readonly documents: NonNullable<Body['document-types']>
}

const firstValues: Values = {
  taxId: null,
  productId: null,
  movement: 'inclusion',
  beneficiaryType: 'dependent',
  dependentType: 'partner',
  workContractType: null,
  exclusionReason: null,
  age: '',
  days: '',
  late: null,
  documents: [],
}

/** A condition that the form does not show is not known of the person. */
function bodyOf(values: Values): Body {
  const { movement, beneficiaryType } = values
  return {
    'company-tax-id': values.taxId ?? '',
    'product-id': values.productId ?? '',
    movement,
    'beneficiary-type': beneficiaryType,
    'dependent-type': beneficiaryType === 'dependent' ? values.dependentType : null,
    'work-contract-type': values.workContractType,
    'exclusion-reason': movement === 'exclusion' ? values.exclusionReason : null,
    age: values.age === '' ? null : Number(values.age),
    'days-since-admission': values.days === '' ? null : Number(values.days),
    late: values.late === null || movement !== 'inclusion' ? null : values.late === 'yes',
    'document-types': values.documents,
  }
}

/** What the stored rules ask of a person who does not exist. */
export function Simulator() {
  const { t } = useTranslation(['requirements', 'terms', 'states'])
  const form = useForm<Values>({
    initialValues: firstValues,
    validate: {
      taxId: (value) => (value === null ? t('states:required') : null),
      productId: (value) => (value === null ? t('states:required') : null),
    },
  })
  const { values } = form
  const company = useOperation('readAnyCompany', { path: [values.taxId ?? ''] }, { enabled: values.taxId !== null })
  const simulated = useMutation({
    mutationFn: (sent: Values) => api.requirementRules.simulate(bodyOf(sent)),
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['age'])),
  })
  const optional = (label: string) => ({
    label,
    clearable: true,
    clearButtonProps: { 'aria-label': t('requirements:clear', { field: label }) },
    placeholder: t('requirements:unknown'),
  })
  const days = { allowDecimal: false, hideControls: true } as const
  return (
    <>
      <form onSubmit={form.onSubmit((sent) => simulated.mutate(sent))} noValidate>
        <Stack gap="xs">
          <Text size="sm">{t('requirements:simulatorIntro')}</Text>
          <CompanySelect
            label={t('requirements:company')}
            required
            value={values.taxId}
            onChange={(taxId) => form.setValues({ taxId, productId: null })}
          />
          <Select
            label={t('requirements:product')}
            required
            disabled={values.taxId === null}
            attributes={{ option: { translate: 'no' } }}
            data={(company.data?.result.products ?? []).map((one) => ({
              value: one['product-id'],
              label: one['product-name'],
            }))}
            {...form.getInputProps('productId')}
          />
          <Select
            label={t('requirements:movement')}
            allowDeselect={false}
            data={MOVEMENT_KINDS.map((value) => ({ value, label: t(`terms:type.${value}`) }))}
            {...form.getInputProps('movement')}
          />
          <Select
            label={t('requirements:beneficiary')}
            allowDeselect={false}
            data={BENEFICIARY_TYPES.map((value) => ({ value, label: t(`terms:beneficiaryType.${value}`) }))}
            {...form.getInputProps('beneficiaryType')}
          />
          {values.beneficiaryType === 'dependent' && (
            <Select
              {...optional(t('requirements:dependentType'))}
              data={DEPENDENT_TYPES.map((value) => ({ value, label: t(`terms:dependentType.${value}`) }))}
              {...form.getInputProps('dependentType')}
            />
          )}
          <Select
            {...optional(t('requirements:workContract'))}
            data={WORK_CONTRACT_TYPES.map((value) => ({ value, label: t(`terms:workContractType.${value}`) }))}
            {...form.getInputProps('workContractType')}
          />
          {values.movement === 'exclusion' && (
            <Select
              {...optional(t('requirements:exclusionReason'))}
              data={EXCLUSION_REASONS.map((value) => ({ value, label: t(`terms:exclusionReason.${value}`) }))}
              {...form.getInputProps('exclusionReason')}
            />
          )}
          <NumberInput label={t('requirements:age')} min={0} {...days} {...form.getInputProps('age')} />
          <NumberInput label={t('requirements:daysSinceAdmission')} {...days} {...form.getInputProps('days')} />
          {values.movement === 'inclusion' && (
            <Select
              {...optional(t('requirements:late'))}
              data={(['yes', 'no'] as const).map((value) => ({ value, label: t(`states:${value}`) }))}
              {...form.getInputProps('late')}
            />
          )}
          <MultiSelect
            label={t('requirements:documentsSent')}
            searchable
            data={DOCUMENT_TYPES.map((value) => ({ value, label: t(`terms:documentType.${value}`) }))}
            {...form.getInputProps('documents')}
          />
          <Button type="submit" variant="default" loading={simulated.isPending}>
            {t('requirements:simulate')}
          </Button>
        </Stack>
      </form>
      <div aria-live="polite">
        {simulated.error !== null && <ErrorMessage error={simulated.error} />}
        {simulated.data !== undefined && <Outcome result={simulated.data} />}
      </div>
    </>
  )
}

function Outcome({ result }: { readonly result: Result }) {
  const { t } = useTranslation('requirements')
  const { 'missing-documents': missing, enforcement } = result
  const matching = result.rules.filter(({ matches }) => matches)
  const others = result.rules.filter(({ matches }) => !matches)
  return (
    <Stack gap="xs" mt="md">
      <Text fw={600}>
        {enforcement === null ? t('nothingMissing') : t('missing')}{' '}
        {enforcement !== null && <EnforcementBadge value={enforcement} />}
      </Text>
      <List size="sm">
        {missing.map((one) => (
          <List.Item key={one['any-of'].join()}>
            <DocumentWords types={one['any-of']} />: <Value>{one.message}</Value>
          </List.Item>
        ))}
      </List>
      <Text size="sm" fw={600}>
        {t('matching', { count: matching.length })}
      </Text>
      <List size="sm">
        {matching.map((rule) => (
          <List.Item key={rule['rule-id']}>
            <Value>{rule.name}</Value>
          </List.Item>
        ))}
      </List>
      {others.length > 0 && (
        <details>
          <summary>{t('others', { count: others.length })}</summary>
          <List size="sm" mt={4}>
            {others.map((rule) => (
              <List.Item key={rule['rule-id']}>
                <Value>{rule.name}</Value>:{' '}
                {rule['failed-conditions'].map((condition) => t(`condition.${condition}`)).join(', ')}
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </Stack>
  )
}
