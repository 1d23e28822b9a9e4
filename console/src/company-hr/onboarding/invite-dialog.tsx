import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import type { StartOption } from '../../../../src/kernel/enums.ts'
import { CopyField, ShownOnceDialog } from '../../entities/accounts/shown-once-dialog.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { fieldName } from '../../components/field-words.ts'
import { useIdempotencyKey } from '../../entities/movement-forms/use-idempotency-key.ts'
import { DayInput } from '../../forms/fields.tsx'
import { useSession } from '../../session/session.ts'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import { ProductChoice } from '../../entities/movement-forms/product-choice.tsx'

const nobody = {
  name: '',
  'tax-id': '',
  email: '',
  'date-of-birth': null as string | null,
  'admission-date': null as string | null,
  'employee-id': '',
  'cost-center': '',
  'job-title': '',
  products: {} as Readonly<Record<string, StartOption>>,
  'expires-in-days': 15 as number | string,
}
type Values = typeof nobody

const bodyOf = (company: Company, values: Values) => {
  const optional = (key: 'email' | 'admission-date' | 'employee-id' | 'cost-center' | 'job-title') => {
    const value = values[key]?.trim() ?? ''
    return value === '' ? {} : { [key]: value }
  }
  return {
    'company-tax-id': company['tax-id'],
    name: values.name.trim(),
    'tax-id': values['tax-id'].trim(),
    'date-of-birth': values['date-of-birth'] ?? '',
    ...optional('email'),
    ...optional('admission-date'),
    ...optional('employee-id'),
    ...optional('cost-center'),
    ...optional('job-title'),
    products: Object.entries(values.products).map(([id, option]) => ({ 'product-id': id, 'start-option': option })),
    'expires-in-days': Number(values['expires-in-days']),
  }
}

/** Asks who is invited to which products, and shows the link once. */
export function InviteDialog({ company, onClose }: { readonly company: Company; readonly onClose: () => void }) {
  const { t } = useTranslation(['onboarding', 'states'])
  const queryClient = useQueryClient()
  const keyOf = useIdempotencyKey()
  const sendsMail = useSession()?.mail === true
  const dialog = useFormDialog({
    initialValues: nobody,
    validate: {
      ...required(['name', 'tax-id', 'date-of-birth'], t('states:required')),
      products: (value) => (Object.keys(value).length === 0 ? t('states:required') : null),
    },
    send: (values) => {
      const body = bodyOf(company, values)
      return companyApi.onboarding.invite(body, { idempotencyKey: keyOf(body) })
    },
    isSecret: true,
    onSent: () => queryClient.invalidateQueries({ queryKey: ['listOnboardingInvitations'] }),
    onClose,
  })
  const { form, sending: invite, close } = dialog
  const link = invite.data?.link ?? null
  return (
    <>
      <FormDialog
        dialog={dialog}
        opened={link === null}
        title={t('onboarding:inviteTitle')}
        size="lg"
        action={t('onboarding:createLink')}
      >
        <TextInput
          label={t('onboarding:name')}
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
          <TextInput
            label={t('onboarding:cpf')}
            required
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('tax-id')}
          />
          <DayInput form={form} name="date-of-birth" label={fieldName('date-of-birth')} required />
          {sendsMail && (
            <TextInput
              label={t('onboarding:email')}
              description={t('onboarding:emailDescription')}
              type="email"
              autoComplete="off"
              {...form.getInputProps('email')}
            />
          )}
          <DayInput form={form} name="admission-date" label={fieldName('admission-date')} />
          <TextInput label={fieldName('job-title')} autoComplete="off" {...form.getInputProps('job-title')} />
          <TextInput label={fieldName('employee-id')} autoComplete="off" {...form.getInputProps('employee-id')} />
          <TextInput label={fieldName('cost-center')} autoComplete="off" {...form.getInputProps('cost-center')} />
        </SimpleGrid>
        <ProductChoice
          available={company.products}
          chosen={form.values.products}
          error={form.errors['products'] as string | undefined}
          onChange={(products) => form.setFieldValue('products', products)}
        />
        <NumberInput
          label={t('onboarding:expiresInDays')}
          min={1}
          max={30}
          maw="10rem"
          {...form.getInputProps('expires-in-days')}
        />
      </FormDialog>
      <ShownOnceDialog
        isLink
        opened={link !== null}
        title={t('onboarding:linkOf', { name: form.values.name.trim() })}
        explanation={t(invite.data?.mailed === true ? 'onboarding:linkMailed' : 'onboarding:linkExplanation')}
        onClose={close}
      >
        {link !== null && (
          <CopyField label={t('onboarding:link')} copy={t('onboarding:copyLink')} value={link} isFirst />
        )}
      </ShownOnceDialog>
    </>
  )
}
