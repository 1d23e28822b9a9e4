import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import type { Client } from '../../entities/clients/all-clients.ts'
import { CompanyPicker } from '../../entities/companies/company-picker.tsx'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'

/** Asks for companies, and entitles the client to them. What is granted before an error stays granted. */
export function GrantDialog({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const { t } = useTranslation('clients')
  const queryClient = useQueryClient()
  const dialog = useFormDialog({
    initialValues: { taxIds: [] as readonly string[] },
    send: async ({ taxIds }) => {
      try {
        for (const [index, taxId] of taxIds.entries()) {
          await api.clients.grantCompany(client['client-id'], taxId)
          form.setFieldValue('taxIds', taxIds.slice(index + 1))
        }
        return taxIds.length
      } finally {
        void queryClient.invalidateQueries({ queryKey: ['listClients'] })
      }
    },
    onSent: (count, close) => {
      notifyDone(t('granted', { count }))
      close()
    },
    onClose,
  })
  const { form } = dialog
  return (
    <FormDialog
      dialog={dialog}
      title={t('grantTitle', { name: client.name })}
      size="lg"
      action={t('grantAction')}
      isDisabled={form.values.taxIds.length === 0}
    >
      <CompanyPicker
        label={t('companies')}
        value={form.values.taxIds}
        onChange={(taxIds) => form.setFieldValue('taxIds', taxIds)}
        excluded={client['company-tax-ids']}
        isFirst
      />
    </FormDialog>
  )
}
