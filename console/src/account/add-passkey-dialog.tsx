import { Alert, Modal, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { notifyDone } from '../components/notify.ts'
import { fieldErrorsOf } from '../forms/field-errors.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { required } from '../forms/required.ts'
import { isCancelled, isKnownAuthenticator } from '../passkeys/is-cancelled.ts'

/** Asks for the name of the device and the password, then lets the browser make the passkey. */
export function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['account', 'states', 'session'])
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { name: '', 'current-password': '' },
    validate: required(['name', 'current-password'], t('states:required')),
  })
  const add = useMutation({
    mutationFn: async ({ name, 'current-password': password }: typeof form.values) =>
      (await import('../passkeys/passkeys.ts')).addPasskey(name.trim(), password),
    // The password is not to stay in memory.
    gcTime: 0,
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['name', 'current-password'])),
    onSuccess: async ({ name }) => {
      notifyDone(t('account:passkeyAdded', { name }))
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['readAccount'] })
    },
  })
  const notice = isCancelled(add.error)
    ? t('account:passkeyCancelled')
    : isKnownAuthenticator(add.error)
      ? t('account:passkeyKnown')
      : null
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account:addPasskey')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
      closeOnClickOutside={!form.isDirty()}
    >
      <FormFrame
        onSubmit={form.onSubmit((values) => add.mutate(values))}
        error={add.error}
        errors={form.errors}
        notice={
          notice === null ? undefined : (
            <Alert color="yellow" role="alert">
              {notice}
            </Alert>
          )
        }
        action={t('account:add')}
        isPending={add.isPending}
        onCancel={onClose}
      >
        <TextInput
          label={t('account:passkeyName')}
          description={t('account:passkeyNameHint')}
          withAsterisk={false}
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t('account:currentPassword')}
          description={t('account:passkeyPassword')}
          autoComplete="current-password"
          withAsterisk={false}
          required
          visibilityToggleButtonProps={{ 'aria-label': t('session:showPassword') }}
          {...form.getInputProps('current-password')}
        />
      </FormFrame>
    </Modal>
  )
}
