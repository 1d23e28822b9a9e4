import { PasswordInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { notifyDone } from '../components/notify.ts'
import { fieldErrorsOf } from '../forms/field-errors.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { required } from '../forms/required.ts'

const minLength = 12

/** Replaces the password of whoever knows it. */
export function PasswordForm() {
  const { t } = useTranslation(['account', 'states', 'session'])
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { 'current-password': '', password: '' },
    validate: {
      ...required(['current-password'], t('states:required')),
      password: (value) => (value.length < minLength ? t('account:tooShort') : null),
    },
  })
  const change = useMutation({
    mutationFn: (values: typeof form.values) => api.account.changePassword(values),
    // Passwords are not to stay in memory.
    gcTime: 0,
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['current-password', 'password'])),
    onSuccess: async () => {
      form.reset()
      notifyDone(t('account:passwordChanged'))
      await queryClient.invalidateQueries({ queryKey: ['readAccount'] })
    },
  })
  const toggle = { visibilityToggleButtonProps: { 'aria-label': t('session:showPassword') } }
  return (
    <section aria-labelledby="password" style={{ maxWidth: '26rem' }}>
      <Title id="password" order={2} size="h4" mt="xl" mb="xs">
        {t('account:passwordTitle')}
      </Title>
      <FormFrame
        onSubmit={form.onSubmit((values) => change.mutate(values))}
        error={change.error}
        errors={form.errors}
        action={t('account:changePassword')}
        isPending={change.isPending}
      >
        <PasswordInput
          {...toggle}
          label={t('account:currentPassword')}
          autoComplete="current-password"
          withAsterisk={false}
          required
          {...form.getInputProps('current-password')}
        />
        <PasswordInput
          {...toggle}
          label={t('account:newPassword')}
          description={t('account:passwordRule')}
          autoComplete="new-password"
          withAsterisk={false}
          required
          maxLength={200}
          {...form.getInputProps('password')}
        />
      </FormFrame>
    </section>
  )
}
