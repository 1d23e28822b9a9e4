import { Alert, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { Logo } from '../components/logo.tsx'
import { usePageTitle } from '../components/page-title.ts'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { fieldErrorsOf } from '../forms/field-errors.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { setSession } from '../session/session.ts'

const minLength = 12

/** Where the link of an invitation leads, and that of a person who forgot the password. */
export function PasswordPage() {
  const { t } = useTranslation('session')
  // The token of the first visit: the address forgets it, so that no later page and no picture of the window shows it.
  const [token] = useState(() => window.location.hash.slice(1))
  const linked = useQuery({
    queryKey: ['link', token],
    queryFn: () => {
      window.history.replaceState(window.history.state, '', window.location.pathname)
      return api.session.readLink({ token })
    },
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const title = t(linked.data?.['has-password'] === true ? 'newPasswordTitle' : 'invitationTitle')
  usePageTitle(title)
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={400} maw="100%">
        <Stack>
          <Logo />
          <Title order={1} size="h3">
            {title}
          </Title>
          {linked.error !== null && (
            <Alert color="red" role="alert">
              {t('linkExpired')}
            </Alert>
          )}
          {linked.data !== undefined && (
            <PasswordForm token={token} name={linked.data.name} email={linked.data.email} />
          )}
          <LanguageSwitch />
        </Stack>
      </Paper>
    </Center>
  )
}

function PasswordForm({
  token,
  name,
  email,
}: {
  readonly token: string
  readonly name: string
  readonly email: string
}) {
  const { t } = useTranslation(['session', 'states'])
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < minLength ? t('session:passwordRule') : null) },
  })
  const set = useMutation({
    mutationFn: async ({ password }: typeof form.values) => {
      await api.session.setPassword({ token, password })
      return api.session.create({ email, password })
    },
    gcTime: 0,
    onError: (error) => form.setErrors(fieldErrorsOf(error, ['password'])),
    onSuccess: async (session) => {
      queryClient.removeQueries({ type: 'inactive' })
      setSession(queryClient, session)
      await navigate({ to: '/' })
    },
  })
  return (
    <FormFrame
      onSubmit={form.onSubmit((values) => set.mutate(values))}
      error={set.error}
      errors={form.errors}
      action={t('session:setPassword')}
      isPending={set.isPending}
    >
      <Text>{t('session:welcome', { name })}</Text>
      <TextInput label={t('session:email')} value={email} readOnly autoComplete="username" />
      <PasswordInput
        label={t('session:newPassword')}
        description={t('session:passwordRule')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('session:showPassword') }}
        withAsterisk={false}
        required
        ref={input}
        maxLength={200}
        {...form.getInputProps('password')}
      />
    </FormFrame>
  )
}
