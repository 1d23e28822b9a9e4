import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { sessionKey } from '../api/session-key.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Logo } from '../components/logo.tsx'
import { usePageTitle } from '../components/page-title.ts'
import { LanguageSwitch } from '../components/language-switch.tsx'

/** Where the link of an invitation leads, and that of a person who forgot the password. */
export function PasswordPage() {
  const { t } = useTranslation('session')
  // Of the first visit: the address forgets it, so that no later page and no picture of the window shows it.
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
  const { t } = useTranslation('session')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [password, setPassword] = useState('')
  const set = useMutation({
    mutationFn: async () => {
      await api.session.setPassword({ token, password })
      return api.session.create({ email, password })
    },
    gcTime: 0,
    onSuccess: async (session) => {
      queryClient.removeQueries({ type: 'inactive' })
      queryClient.setQueryData(sessionKey, session)
      await navigate({ to: '/' })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        set.mutate()
      }}
    >
      <Stack>
        <Text>{t('welcome', { name })}</Text>
        <TextInput label={t('email')} value={email} readOnly autoComplete="username" />
        <PasswordInput
          label={t('newPassword')}
          description={t('passwordRule')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          required
          minLength={12}
          maxLength={200}
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
        />
        {set.error !== null && <ErrorMessage error={set.error} />}
        <Button type="submit" loading={set.isPending}>
          {t('setPassword')}
        </Button>
      </Stack>
    </form>
  )
}
