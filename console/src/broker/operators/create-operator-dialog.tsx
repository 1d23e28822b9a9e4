import { Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SecretDialog } from '../../entities/accounts/secret-dialog.tsx'
import { api } from '../../api/client.ts'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { required } from '../../forms/required.ts'
import { type Role, RoleField } from './role-field.tsx'

/** Asks for the name and the role of an operator, creates it and shows its secret. */
export function CreateOperatorDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation(['operators', 'accounts', 'states'])
  const queryClient = useQueryClient()
  const form = useForm<{ name: string; role: Role }>({
    initialValues: { name: '', role: 'analyst' },
    validate: required(['name'], t('states:required')),
  })
  const create = useMutation({
    mutationFn: (values: typeof form.values) => api.operators.create(values),
    // The secret is not to stay in memory.
    gcTime: 0,
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['name'])),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listOperators'] }),
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
        title={t('operators:createTitle')}
        closeButtonProps={{ 'aria-label': t('states:close') }}
        closeOnClickOutside={!form.isDirty()}
      >
        <FormFrame
          onSubmit={form.onSubmit((values) => create.mutate(values))}
          error={create.error}
          errors={form.errors}
          action={t('operators:create')}
          isPending={create.isPending}
          onCancel={close}
        >
          <TextInput
            label={t('accounts:name')}
            description={t('operators:nameDescription')}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <RoleField value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
        </FormFrame>
      </Modal>
      <SecretDialog
        secret={create.data ?? null}
        title={t('operators:created', { name: form.values.name.trim() })}
        onClose={close}
      />
    </>
  )
}
