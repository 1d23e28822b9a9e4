import { Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
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
export function InviteDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation(['people', 'accounts', 'states'])
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: nobody,
    validate: {
      ...required(['name', 'email'], t('states:required')),
      'company-tax-ids': (value, { role }) =>
        role === 'company-hr' && value.length === 0 ? t('states:required') : null,
    },
  })
  const invite = useMutation({
    mutationFn: ({ name, email, ...access }: typeof nobody) =>
      api.people.create({ name, email: email.trim(), ...accessBody(access) }),
    // The link is not to stay in memory.
    gcTime: 0,
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['name', 'email', 'company-tax-ids'])),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['listPeople'] }),
  })
  const close = () => {
    invite.reset()
    form.reset()
    onClose()
  }
  return (
    <>
      <Modal
        opened={opened && invite.data === undefined}
        onClose={close}
        title={t('people:inviteTitle')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('states:close') }}
        closeOnClickOutside={!form.isDirty()}
      >
        <FormFrame
          onSubmit={form.onSubmit((values) => invite.mutate(values))}
          error={invite.error}
          errors={form.errors}
          action={t('people:invite')}
          isPending={invite.isPending}
          onCancel={close}
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
        </FormFrame>
      </Modal>
      <LinkDialog
        link={invite.data?.link ?? null}
        title={t('people:invited', { name: form.values.name.trim() })}
        onClose={close}
      />
    </>
  )
}
