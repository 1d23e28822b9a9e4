import { Checkbox, Group, List, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { RequestBody, ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { LEAVING_REASONS } from '../../../../src/coverage/rules/continuation.ts'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { DateField } from '../../components/date-field.tsx'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { Term } from '../../entities/continuations/term.tsx'
import { Dialog, DialogButton } from '../../components/dialog.tsx'

type Result = ResponseBody<'calculateAnyContinuation'>['result']

interface Values {
  readonly reason: RequestBody<'calculateAnyContinuation'>['exclusion-reason']
  readonly contributed: boolean
  readonly months: number | string
  readonly keepsWorking: boolean
  readonly notice: string | null
  readonly end: string | null
  readonly taxId: string | null
  readonly productId: string | null
}

const firstValues: Values = {
  reason: 'dismissal',
  contributed: true,
  months: '',
  keepsWorking: false,
  notice: null,
  end: null,
  taxId: null,
  productId: null,
}

function bodyOf(values: Values): RequestBody<'calculateAnyContinuation'> {
  const { notice, end, taxId, productId } = values
  return {
    'exclusion-reason': values.reason,
    contributed: values.contributed,
    'contribution-months': Number(values.months),
    'keeps-working-after-retirement': values.keepsWorking,
    ...(notice === null ? {} : { 'notice-date': notice }),
    ...(end === null ? {} : { 'end-date': end }),
    ...(taxId === null || productId === null ? {} : { 'company-tax-id': taxId, 'product-id': productId }),
  }
}

/** Calculates what a person who leaves may keep. Nothing is stored. */
export function Calculator() {
  const { t } = useTranslation('continuations')
  const title = t('calculator')
  return (
    <DialogButton
      variant="default"
      dialog={(close) => (
        <Dialog size="lg" onClose={close} title={title}>
          <CalculatorForm />
        </Dialog>
      )}
    >
      {title}
    </DialogButton>
  )
}

function CalculatorForm() {
  const { t } = useTranslation(['continuations', 'terms'])
  const form = useForm<Values>({ initialValues: firstValues })
  const { values } = form
  const company = useOperation('readAnyCompany', { path: [values.taxId ?? ''] }, { enabled: values.taxId !== null })
  const calculated = useMutation({ mutationFn: (sent: Values) => api.continuations.calculate(bodyOf(sent)) })
  return (
    <>
      <FormFrame
        onSubmit={form.onSubmit((sent) => calculated.mutate(sent))}
        error={calculated.error}
        errors={form.errors}
        action={t('continuations:calculate')}
        isPending={calculated.isPending}
      >
        <Text size="sm">{t('continuations:calculatorIntro')}</Text>
        <Select
          label={t('continuations:leavingReason')}
          allowDeselect={false}
          data={LEAVING_REASONS.map((value) => ({ value, label: t(`terms:exclusionReason.${value}`) }))}
          {...form.getInputProps('reason')}
        />
        <Checkbox
          label={t('continuations:contributed')}
          description={t('continuations:contributedDescription')}
          {...form.getInputProps('contributed', { type: 'checkbox' })}
        />
        <NumberInput
          label={t('continuations:contributionMonths')}
          min={0}
          max={720}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('months')}
        />
        <Checkbox
          label={t('continuations:keepsWorking')}
          {...form.getInputProps('keepsWorking', { type: 'checkbox' })}
        />
        <Group grow align="flex-end">
          <DateField
            label={t('continuations:dates.notice-date')}
            value={values.notice}
            onChange={(notice) => form.setFieldValue('notice', notice)}
          />
          <DateField
            label={t('continuations:dates.leaving-date')}
            value={values.end}
            onChange={(end) => form.setFieldValue('end', end)}
          />
        </Group>
        <CompanySelect
          label={t('continuations:companyOptional')}
          value={values.taxId}
          onChange={(taxId) => form.setValues({ taxId, productId: null })}
        />
        {values.taxId !== null && (
          <Select
            label={t('continuations:product')}
            attributes={{ option: { translate: 'no' } }}
            data={(company.data?.result.products ?? []).map((one) => ({
              value: one['product-id'],
              label: one['product-name'],
            }))}
            {...form.getInputProps('productId')}
          />
        )}
      </FormFrame>
      <div aria-live="polite" style={{ marginTop: 'var(--mantine-spacing-md)' }}>
        {calculated.data !== undefined && <Outcome result={calculated.data} />}
      </div>
    </>
  )
}

function Outcome({ result }: { readonly result: Result }) {
  const { t } = useTranslation('continuations')
  const refusal = result['not-eligible-reason']
  const dates = ['option-until', 'term-start', 'term-end'] as const
  const facts: Facts = [
    fact(t('term'), <Term months={result.months} withoutEnd={result['without-end']} />),
    ...dates.map((name) => fact(t(`dates.${name}`), <DateValue value={result[name]} />)),
  ]
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {result.eligible === null
          ? t('missingSetting')
          : refusal === null
            ? t('eligible')
            : t(`notEligible.${refusal}`)}
      </Text>
      {result.eligible === true && <FactList facts={facts} />}
      <List size="sm">
        {result.notes.map((note) => (
          <List.Item key={note}>{t(`notes.${note}`)}</List.Item>
        ))}
      </List>
      <Text size="sm">
        <Value>{result.norms.join('; ')}</Value>
      </Text>
      <Text size="xs" c="dimmed">
        {t('calculated')}
      </Text>
    </Stack>
  )
}
