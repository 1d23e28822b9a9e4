import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { sessionKey } from '../api/session-key.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { type Session, sessionQuery } from '../session/session.ts'

/** The credentials of an operator, or the identity provider. `onSignedIn` gets the new session. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation('session')
  const queryClient = useQueryClient()
  const options = useQuery({ queryKey: ['sign-in-options'], queryFn: () => api.session.options() })
  const provider = options.data?.['identity-provider'] ?? null
  const form = useForm({ mode: 'uncontrolled', initialValues: { clientId: '', clientSecret: '' } })
  const signIn = useMutation({
    mutationFn: ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
      api.session.create({ 'client-id': clientId.trim(), 'client-secret': clientSecret.trim() }),
    onSuccess: (session) => {
      const former = queryClient.getQueryData(sessionQuery.queryKey)
      if (former?.['client-id'] !== session['client-id']) queryClient.removeQueries({ queryKey: [] })
      queryClient.setQueryData(sessionKey, session)
      onSignedIn(session)
    },
  })
  const isRefused = signIn.error instanceof ApiError && signIn.error.status === 401
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <Stack>
        {isRefused && (
          <Alert color="red" role="alert">
            {t('refused')}
          </Alert>
        )}
        {signIn.error !== null && !isRefused && <ErrorMessage error={signIn.error} />}
        <TextInput label={t('clientId')} autoComplete="username" required {...form.getInputProps('clientId')} />
        <PasswordInput
          label={t('clientSecret')}
          autoComplete="current-password"
          required
          {...form.getInputProps('clientSecret')}
        />
        <Button type="submit" loading={signIn.isPending}>
          {t('submit')}
        </Button>
        {provider !== null && (
          <>
            <Divider label={t('or')} />
            <Anchor href="/operator/v1/session/identity-provider" ta="center">
              {t('identityProvider', { name: provider.name })}
            </Anchor>
          </>
        )}
      </Stack>
    </form>
  )
}
