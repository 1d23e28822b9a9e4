import { Alert, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { notifyDone } from '../components/notify.ts'
import { FormDialog, useFormDialog } from '../forms/form-dialog.tsx'
import { required } from '../forms/required.ts'
import { isCancelled, isKnownAuthenticator } from '../passkeys/is-cancelled.ts'

/** Asks for the name of the device and the password, then lets the browser make the passkey. */
export function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['account', 'states', 'session'])
  const queryClient = useQueryClient()
  const dialog = useFormDialog({
    initialValues: { name: '', 'current-password': '' },
    validate: required(['name', 'current-password'], t('states:required')),
    send: async ({ name, 'current-password': password }) =>
      (await import('../passkeys/passkeys.ts')).addPasskey(name.trim(), password),
    isSecret: true,
    onSent: async ({ name }, close) => {
      notifyDone(t('account:passkeyAdded', { name }))
      close()
      await queryClient.invalidateQueries({ queryKey: ['readAccount'] })
    },
    onClose,
  })
  const { form, sending: add } = dialog
  const notice = isCancelled(add.error)
    ? t('account:passkeyCancelled')
    : isKnownAuthenticator(add.error)
      ? t('account:passkeyKnown')
      : null
  return (
    <FormDialog
      dialog={dialog}
      title={t('account:addPasskey')}
      action={t('account:add')}
      notice={
        notice === null ? undefined : (
          <Alert color="yellow" role="alert">
            {notice}
          </Alert>
        )
      }
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
    </FormDialog>
  )
}
