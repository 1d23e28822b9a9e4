import { Checkbox, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import {
  CONTRACT_CHANNELS,
  CONTRACT_LIVES,
  CONTRACT_STATUSES,
  RETIREMENT_REMAINDERS,
} from '../../../../src/kernel/broker-enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { DateField } from '../../components/date-field.tsx'
import { required } from '../../forms/required.ts'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { CalendarFields } from './calendar-fields.tsx'
import { CodeMapFields } from './code-map-fields.tsx'
import { useContracts } from '../../entities/contracts/contract-options.ts'
import { ContactFields } from '../../entities/contacts/contact-fields.tsx'
import type { ContractFields } from './contract-fields.ts'
import { contractInputs, type ContractValues, newPlan } from './contract-values.ts'
import { FormSection, FormSections } from './form-sections.tsx'
import { LayoutFields } from './layout-fields.tsx'
import { MappingFields } from './mapping-fields.tsx'
import { MoneyFields } from './money-fields.tsx'
import { PlanFields } from './plan-fields.tsx'
import { PageForm, type Saving } from '../../forms/page-form.tsx'

const months = Array.from({ length: 12 }, (_, index) => String(index + 1))

/** A contract. @param props.isNew company and carrier of a contract stay. */
export function ContractForm(props: {
  readonly initialValues: ContractValues
  readonly isNew: boolean
  readonly saving: Saving<ContractValues>
}) {
  const { t } = useTranslation(['carriers', 'states'])
  const form: ContractFields = useForm<ContractValues>({
    initialValues: props.initialValues,
    validate: required(['company-tax-id', 'carrier-name', 'contract-number'], t('states:required')),
  })
  return (
    <FormSections>
      <PageForm form={form} saving={props.saving} fields={contractInputs}>
        <FormSection name="parties">
          <PartyFields form={form} isNew={props.isNew} />
        </FormSection>
        <FormSection name="conditions">
          <ConditionFields form={form} />
        </FormSection>
        <FormSection name="plans">
          <PlanFields form={form} />
        </FormSection>
        <FormSection name="calendar">
          <CalendarFields form={form} />
        </FormSection>
        <FormSection name="money">
          <MoneyFields form={form} />
        </FormSection>
        <FormSection name="files">
          <LayoutFields form={form} />
        </FormSection>
        <FormSection name="answers">
          <CodeMapFields form={form} />
          <MappingFields form={form} />
        </FormSection>
        <FormSection name="contacts">
          <ContactFields form={form} label={t('carriers:contacts')} />
        </FormSection>
      </PageForm>
    </FormSections>
  )
}

/** Who has the contract with whom, and its numbers. */
function PartyFields({ form, isNew }: { readonly form: ContractFields; readonly isNew: boolean }) {
  const { t } = useTranslation('carriers')
  const taxId = form.values['company-tax-id']
  const company = useOperation('readAnyCompany', { path: [taxId ?? ''] }, { enabled: taxId !== null })
  const products = company.data?.result.products ?? []
  const others = useContracts(isNew ? taxId : null).filter(({ status }) => status === 'active')
  // Without products nothing enters the shipments: those that no other contract has are taken out, not put in.
  const plansOf = (carrier: string | null) => {
    const taken = new Set(others.flatMap(({ plans }) => plans.map((plan) => plan['product-id'])))
    const own = products.filter((one) => one['carrier-name'] === carrier && !taken.has(one['product-id']))
    return own.map((one) => newPlan(one['product-id']))
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {isNew ? (
        <>
          <CompanySelect
            label={t('company')}
            required
            error={form.errors['company-tax-id'] as string | undefined}
            value={taxId}
            onChange={(value) => form.setValues({ 'company-tax-id': value, 'carrier-name': null, plans: [] })}
          />
          <Select
            label={t('carrier')}
            description={t(taxId === null ? 'form.chooseCompany' : 'form.carrierDescription')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            allowDeselect={false}
            disabled={taxId === null}
            attributes={{ option: { translate: 'no' } }}
            data={[...new Set(products.map((one) => one['carrier-name']))]}
            {...form.getInputProps('carrier-name')}
            onChange={(value) => form.setValues({ 'carrier-name': value, plans: plansOf(value) })}
          />
        </>
      ) : (
        <>
          <TextInput label={t('company')} readOnly value={company.data?.result.name ?? ''} />
          <TextInput label={t('carrier')} readOnly value={form.values['carrier-name'] ?? ''} />
        </>
      )}
      <TextInput label={t('form.number')} required autoComplete="off" {...form.getInputProps('contract-number')} />
      <TextInput
        label={t('form.subContract')}
        description={t('form.subContractDescription')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        {...form.getInputProps('sub-contract')}
      />
      <TextInput label={t('carrierCompanyCode')} autoComplete="off" {...form.getInputProps('carrier-company-code')} />
      <TextInput label={t('form.ownAns')} autoComplete="off" {...form.getInputProps('ans-registration')} />
      <TextInput label={t('form.ownTaxId')} autoComplete="off" {...form.getInputProps('carrier-tax-id')} />
    </SimpleGrid>
  )
}

/** How the carrier takes movements, and what the contract says. */
function ConditionFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation(['carriers', 'terms', 'states'])
  const optional = (label: string) => ({
    label,
    clearable: true,
    clearButtonProps: { 'aria-label': t('carriers:form.clear', { field: label }) },
    placeholder: t('carriers:form.unknown'),
  })
  const flags = (['yes', 'no'] as const).map((value) => ({ value, label: t(`states:${value}`) }))
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        {...optional(t('carriers:channel'))}
        data={CONTRACT_CHANNELS.map((value) => ({ value, label: t(`terms:contractChannel.${value}`) }))}
        {...form.getInputProps('channel')}
      />
      <Select
        label={t('carriers:status')}
        description={t('carriers:form.statusDescription')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={CONTRACT_STATUSES.map((value) => ({ value, label: t(`terms:contractStatus.${value}`) }))}
        {...form.getInputProps('status')}
      />
      <Select
        {...optional(t('carriers:lives'))}
        data={CONTRACT_LIVES.map((value) => ({ value, label: t(`terms:contractLives.${value}`) }))}
        {...form.getInputProps('lives')}
      />
      <DateField
        label={t('carriers:contractStart')}
        value={form.values['contract-start']}
        onChange={(value) => form.setFieldValue('contract-start', value)}
        error={form.errors['contract-start'] as string | undefined}
      />
      <Select
        {...optional(t('carriers:anniversaryMonth'))}
        attributes={{ option: { translate: 'no' } }}
        data={months}
        {...form.getInputProps('anniversary-month')}
      />
      <NumberInput
        label={t('carriers:form.answerWithin')}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        {...form.getInputProps('answer-within-business-days')}
      />
      <Select {...optional(t('carriers:contributory'))} data={flags} {...form.getInputProps('contributory')} />
      <Select {...optional(t('carriers:coparticipation'))} data={flags} {...form.getInputProps('coparticipation')} />
      <Select {...optional(t('carriers:postPaid'))} data={flags} {...form.getInputProps('post-paid')} />
      <Select
        {...optional(t('carriers:retirementRemainder'))}
        description={t('carriers:form.remainderDescription')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={RETIREMENT_REMAINDERS.map((value) => ({ value, label: t(`carriers:remainders.${value}`) }))}
        {...form.getInputProps('retirement-remainder')}
      />
      <Checkbox
        label={t('carriers:showDiscrepancies')}
        description={t('carriers:form.showDiscrepanciesDescription')}
        {...form.getInputProps('show-discrepancies', { type: 'checkbox' })}
      />
    </SimpleGrid>
  )
}
