import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'
import { required } from '../../forms/required.ts'
import { LinkDialog } from './link-dialog.tsx'
import { accessBody, type PersonAccess, PersonFields } from './person-fields.tsx'
import { personRoles } from './person.ts'

const nobody: PersonAccess & { name: string; email: string } = {
  name: '',
  email: '',
  role: 'analyst',
  'company-tax-ids': [],
  'see-money': false,
}

/** Asks who is invited and to what, and shows the link to send. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['people', 'accounts', 'states'])
  const queryClient = useQueryClient()
  const dialog = useFormDialog({
    initialValues: nobody,
    validate: {
      ...required(['name', 'email'], t('states:required')),
      'company-tax-ids': (value, { role }) =>
        role === 'company-hr' && value.length === 0 ? t('states:required') : null,
    },
    send: ({ name, email, ...access }) => api.people.create({ name, email: email.trim(), ...accessBody(access) }),
    isSecret: true,
    onSent: () => queryClient.invalidateQueries({ queryKey: ['listPeople'] }),
    onClose,
  })
  const { form, sending: invite, close } = dialog
  return (
    <>
      <FormDialog
        dialog={dialog}
        opened={invite.data === undefined}
        title={t('people:inviteTitle')}
        size="lg"
        action={t('people:invite')}
      >
        <TextInput
          label={t('accounts:name')}
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('people:email')}
          type="email"
          required
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <PersonFields
          value={form.values}
          onChange={(access) => form.setValues(access)}
          roles={personRoles}
          companiesError={form.errors['company-tax-ids'] as string | undefined}
        />
      </FormDialog>
      <LinkDialog
        link={invite.data?.link ?? null}
        mailed={invite.data?.mailed ?? false}
        title={t('people:invited', { name: form.values.name.trim() })}
        onClose={close}
      />
    </>
  )
}
