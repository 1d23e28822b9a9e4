import { Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SecretDialog } from '../../entities/accounts/secret-dialog.tsx'
import { api } from '../../api/client.ts'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { required } from '../../forms/required.ts'
import { CompanyPicker } from '../../entities/companies/company-picker.tsx'

/** Asks for the name and the companies of a client, creates it and shows its secret; then opens its page. */
export function CreateClientDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation(['clients', 'accounts', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: '', 'company-tax-ids': [] as string[] },
    validate: required(['name'], t('states:required')),
  })
  const create = useMutation({
    mutationFn: (values: typeof form.values) => api.clients.create(values),
    // The secret is not to stay in memory.
    gcTime: 0,
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['name', 'company-tax-ids'])),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listClients'] }),
  })
  const close = () => {
    create.reset()
    form.reset()
    onClose()
  }
  return (
    <>
      <Modal
        opened={opened && create.data === undefined}
        onClose={close}
        title={t('clients:createTitle')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('states:close') }}
        closeOnClickOutside={!form.isDirty()}
      >
        <FormFrame
          onSubmit={form.onSubmit((values) => create.mutate(values))}
          error={create.error}
          errors={form.errors}
          action={t('clients:create')}
          isPending={create.isPending}
          onCancel={close}
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
        </FormFrame>
      </Modal>
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
