import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SecretDialog } from '../../entities/accounts/secret-dialog.tsx'
import { api } from '../../api/client.ts'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import { RoleField } from '../../entities/accounts/role-field.tsx'
import { type Role, roles } from './operator.ts'

const initialValues: { readonly name: string; readonly role: Role } = { name: '', role: 'analyst' }

/** Asks for the name and the role of an operator, creates it and shows its secret. */
export function CreateOperatorDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['operators', 'accounts', 'states'])
  const queryClient = useQueryClient()
  const dialog = useFormDialog({
    initialValues,
    validate: required(['name'], t('states:required')),
    send: (values) => api.operators.create(values),
    isSecret: true,
    onSent: () => queryClient.invalidateQueries({ queryKey: ['listOperators'] }),
    onClose,
  })
  const { form, sending: create, close } = dialog
  return (
    <>
      <FormDialog
        dialog={dialog}
        opened={create.data === undefined}
        title={t('operators:createTitle')}
        action={t('operators:create')}
      >
        <TextInput
          label={t('accounts:name')}
          description={t('operators:nameDescription')}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <RoleField roles={roles} value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
      </FormDialog>
      <SecretDialog
        secret={create.data ?? null}
        title={t('operators:created', { name: form.values.name.trim() })}
        onClose={close}
      />
    </>
  )
}
