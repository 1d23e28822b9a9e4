import { Autocomplete, Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, type Invoice, type RequestBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { notifyDone } from '../../components/notify.ts'
import { CompanyInput, DayInput, MoneyInput } from '../../forms/fields.tsx'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import { monthOf, parseMonth } from '../../format/month.ts'
import { useCompanyTaxId } from './use-company-tax-id.ts'

const maxIdCharacters = 100

/** Whether there is an invoice with the id. */
async function exists(id: string): Promise<boolean> {
  try {
    await api.invoices.get(id)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

interface Values {
  readonly id: string
  readonly 'company-tax-id': string | null
  readonly 'carrier-name': string
  readonly amount: number | null
  readonly 'due-date': string | null
  /** As written. */
  readonly month: string
  /** Whether the period is no whole month. */
  readonly hasDays: boolean
  readonly 'reference-period-start': string | null
  readonly 'reference-period-end': string | null
}

function valuesOf(invoice: Invoice | null): Values {
  const { 'reference-period-start': start, 'reference-period-end': end } = invoice ?? {}
  const month = start === undefined || end === undefined ? '' : monthOf(start, end)
  return {
    id: invoice?.id ?? '',
    'company-tax-id': null,
    'carrier-name': invoice?.['carrier-name'] ?? '',
    amount: invoice?.amount ?? null,
    'due-date': invoice?.['due-date'] ?? null,
    month: month ?? '',
    hasDays: month === null,
    'reference-period-start': start ?? null,
    'reference-period-end': end ?? null,
  }
}

/** What is sent of values without errors. */
function bodyOf(values: Values, taxId: string, invoice: Invoice | null): RequestBody<'putInvoice'> {
  const month = values.hasDays ? null : parseMonth(values.month)
  return {
    'company-tax-id': taxId,
    'carrier-name': values['carrier-name'],
    amount: values.amount ?? 0,
    'due-date': values['due-date'] ?? '',
    'reference-period-start': month?.start ?? values['reference-period-start'] ?? '',
    'reference-period-end': month?.end ?? values['reference-period-end'] ?? '',
    ...(invoice === null ? {} : { 'invoice-config-id': invoice['invoice-config-id'] }),
  }
}

/** The dialog that creates an invoice, or changes one. @param props.invoice null: a new one. */
export function InvoiceForm({ invoice, onClose }: { readonly invoice: Invoice | null; readonly onClose: () => void }) {
  const { t } = useTranslation(['invoices', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const carriers = useOperation('listCarriers')
  const stored = useCompanyTaxId(invoice)
  const missing = t('states:required')
  const day = (value: string | null, values: Values) => (values.hasDays && value === null ? missing : null)
  const dialog = useFormDialog<Values, Invoice | null>({
    initialValues: valuesOf(invoice),
    validate: {
      ...required(['id', 'carrier-name', 'amount', 'due-date'], missing),
      'company-tax-id': (value) => (invoice === null && value === null ? missing : null),
      month: (value, { hasDays }) => (hasDays || parseMonth(value) !== null ? null : t('invoices:invalidMonth')),
      'reference-period-start': day,
      'reference-period-end': (value, values) => {
        const start = values['reference-period-start']
        const isBackwards = values.hasDays && value !== null && start !== null && value < start
        return isBackwards ? t('invoices:periodBackwards') : day(value, values)
      },
    },
    send: async (sent) => {
      const taxId = invoice === null ? sent['company-tax-id'] : stored
      // A PUT would replace the invoice that has the id already.
      if (invoice === null && (await exists(sent.id))) return null
      return api.invoices.put(sent.id, bodyOf(sent, taxId ?? '', invoice))
    },
    onSent: async (saved, close): Promise<unknown> => {
      if (saved === null) return form.setFieldError('id', t('invoices:idTaken'))
      queryClient.setQueryData(operationQuery('readAnyInvoice', { path: [saved.id] }).queryKey, { result: saved })
      void queryClient.invalidateQueries({ queryKey: ['listAllInvoices'] })
      notifyDone(t(invoice === null ? 'invoices:created' : 'invoices:changed'))
      close()
      return navigate({ to: '/invoices/$invoiceId', params: { invoiceId: saved.id } })
    },
    onClose,
  })
  const { form } = dialog
  const { values } = form
  return (
    <FormDialog
      dialog={dialog}
      title={t(invoice === null ? 'invoices:create' : 'invoices:editTitle')}
      size="lg"
      action={t('states:save')}
      isDisabled={invoice !== null && stored === null}
    >
      {invoice === null && (
        <>
          <TextInput
            label={t('invoices:id')}
            description={t('invoices:idDescription')}
            required
            maxLength={maxIdCharacters}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('id')}
          />
          <CompanyInput form={form} name="company-tax-id" label={t('invoices:company')} required />
        </>
      )}
      <Autocomplete
        label={t('invoices:carrier')}
        required
        attributes={{ option: { translate: 'no' } }}
        data={[...new Set(carriers.data?.result.map((one) => one.name))]}
        {...form.getInputProps('carrier-name')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MoneyInput form={form} name="amount" label={t('invoices:amount')} required />
        <DayInput form={form} name="due-date" label={t('invoices:dueDate')} required />
        {values.hasDays ? (
          <>
            <DayInput form={form} name="reference-period-start" label={t('invoices:periodStart')} required />
            <DayInput form={form} name="reference-period-end" label={t('invoices:periodEnd')} required />
          </>
        ) : (
          <TextInput
            label={t('invoices:period')}
            placeholder={t('invoices:monthPlaceholder')}
            required
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('month')}
          />
        )}
      </SimpleGrid>
      <Checkbox label={t('invoices:hasDays')} {...form.getInputProps('hasDays', { type: 'checkbox' })} />
    </FormDialog>
  )
}
