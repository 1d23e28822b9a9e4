import { Autocomplete, Button, Group, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, type Invoice } from '@vigencia/client'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { DateField } from '../../components/date-field.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { CompanySelect } from './company-select.tsx'
import { MoneyField } from './money-field.tsx'
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

/** The dialog that creates an invoice, or changes one. @param props.invoice null: a new one. */
export function InvoiceForm({ invoice, onClose }: { readonly invoice: Invoice | null; readonly onClose: () => void }) {
  const { t } = useTranslation(['invoices', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const carriers = useOperation('listCarriers')
  const stored = useCompanyTaxId(invoice)
  const [id, setId] = useState(invoice?.id ?? '')
  const [chosen, setTaxId] = useState<string | null>(null)
  const [carrier, setCarrier] = useState(invoice?.['carrier-name'] ?? '')
  const [amount, setAmount] = useState<number | null>(invoice?.amount ?? null)
  const [dueDate, setDueDate] = useState<string | null>(invoice?.['due-date'] ?? null)
  const [start, setStart] = useState<string | null>(invoice?.['reference-period-start'] ?? null)
  const [end, setEnd] = useState<string | null>(invoice?.['reference-period-end'] ?? null)
  const taxId = invoice === null ? chosen : stored
  const isBackwards = start !== null && end !== null && end < start
  const body =
    taxId === null || amount === null || dueDate === null || start === null || end === null || isBackwards
      ? null
      : {
          'company-tax-id': taxId,
          'carrier-name': carrier,
          amount,
          'due-date': dueDate,
          'reference-period-start': start,
          'reference-period-end': end,
          ...(invoice === null ? {} : { 'invoice-config-id': invoice['invoice-config-id'] }),
        }
  const save = useMutation({
    mutationFn: async (values: NonNullable<typeof body>) => {
      // A PUT would replace the invoice that has the id already.
      if (invoice === null && (await exists(id))) return null
      return api.invoices.put(id, values)
    },
    onSuccess: async (saved) => {
      if (saved === null) return
      queryClient.setQueryData(operationQuery('readAnyInvoice', { path: [saved.id] }).queryKey, { result: saved })
      void queryClient.invalidateQueries({ queryKey: ['listAllInvoices'] })
      notifyDone(t(invoice === null ? 'created' : 'changed'))
      onClose()
      await navigate({ to: '/invoices/$invoiceId', params: { invoiceId: saved.id } })
    },
  })
  const isTaken = save.data === null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (body !== null) save.mutate(body)
  }
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t(invoice === null ? 'create' : 'editTitle')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
    >
      <form onSubmit={submit}>
        <Stack>
          {invoice === null && (
            <TextInput
              label={t('id')}
              description={t('idDescription')}
              required
              maxLength={maxIdCharacters}
              autoComplete="off"
              data-autofocus
              value={id}
              error={isTaken ? t('idTaken') : undefined}
              onChange={({ currentTarget: { value } }) => {
                setId(value)
                save.reset()
              }}
            />
          )}
          {invoice === null && <CompanySelect label={t('company')} required value={chosen} onChange={setTaxId} />}
          <Autocomplete
            label={t('carrier')}
            required
            attributes={{ option: { translate: 'no' } }}
            data={[...new Set(carriers.data?.result.map((one) => one.name))]}
            value={carrier}
            onChange={setCarrier}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <MoneyField label={t('amount')} required value={amount} onChange={setAmount} />
            <DateField label={t('dueDate')} required value={dueDate} onChange={setDueDate} />
            <DateField label={t('periodStart')} required value={start} onChange={setStart} />
            <DateField
              label={t('periodEnd')}
              required
              value={end}
              onChange={setEnd}
              error={isBackwards ? t('periodBackwards') : undefined}
            />
          </SimpleGrid>
          {save.error !== null && <ErrorMessage error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('states:cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('states:save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
