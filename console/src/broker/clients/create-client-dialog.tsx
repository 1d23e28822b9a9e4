import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SecretDialog } from '../../entities/accounts/secret-dialog.tsx'
import { api } from '../../api/client.ts'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import { CompanyPicker } from '../../entities/companies/company-picker.tsx'

/** Asks for the name and the companies of a client, creates it and shows its secret; then opens its page. */
export function CreateClientDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['clients', 'accounts', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const dialog = useFormDialog({
    initialValues: { name: '', 'company-tax-ids': [] as string[] },
    validate: required(['name'], t('states:required')),
    send: (values) => api.clients.create(values),
    isSecret: true,
    onSent: () => queryClient.invalidateQueries({ queryKey: ['listClients'] }),
    onClose,
  })
  const { form, sending: create, close } = dialog
  return (
    <>
      <FormDialog
        dialog={dialog}
        opened={create.data === undefined}
        title={t('clients:createTitle')}
        size="lg"
        action={t('clients:create')}
      >
        <TextInput
          label={t('accounts:name')}
          description={t('clients:nameDescription')}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <CompanyPicker
          label={t('clients:companies')}
          value={form.values['company-tax-ids']}
          onChange={(taxIds) => form.setFieldValue('company-tax-ids', taxIds)}
          error={form.errors['company-tax-ids'] as string | undefined}
        />
      </FormDialog>
      <SecretDialog
        secret={create.data ?? null}
        title={t('clients:created', { name: form.values.name.trim() })}
        onClose={() => {
          const clientId = create.data?.['client-id']
          close()
          if (clientId !== undefined) {
            void navigate({ to: '/clients/$clientId', params: { clientId }, ignoreBlocker: true })
          }
        }}
      />
    </>
  )
}
