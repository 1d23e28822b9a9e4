import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { sessionKey } from '../api/session-key.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import type { Session } from '../session/session.ts'
import { signInOptionsQuery } from '../session/sign-in-options.ts'

/** The e-mail address and the password of a person, the credentials of an operator, or the identity provider. `onSignedIn` gets the new session. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation('session')
  const queryClient = useQueryClient()
  const options = useQuery(signInOptionsQuery)
  const provider = options.data?.['identity-provider'] ?? null
  const signIn = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => {
        const value = form.get(name)
        return typeof value === 'string' ? value.trim() : ''
      }
      const [name, secret] = [text('name'), text('secret')]
      // The first operator, and those of before there were people, have an id and a secret.
      return api.session.create(
        name.includes('@') ? { email: name, password: secret } : { 'client-id': name, 'client-secret': secret },
      )
    },
    onSuccess: (session) => {
      // What another operator loaded is not shown to this one. Queries of the page under a dialog stay: they have observers, and load again.
      queryClient.removeQueries({ type: 'inactive' })
      queryClient.setQueryData(sessionKey, session)
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
      onSignedIn(session)
    },
  })
  const isRefused = signIn.error instanceof ApiError && signIn.error.status === 401
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate(new FormData(event.currentTarget))
      }}
    >
      <Stack>
        {isRefused && (
          <Alert color="red" role="alert">
            {t('refused')}
          </Alert>
        )}
        {signIn.error !== null && !isRefused && <ErrorMessage error={signIn.error} />}
        <TextInput label={t('name')} autoComplete="username" required name="name" />
        <PasswordInput
          label={t('secret')}
          autoComplete="current-password"
          required
          name="secret"
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
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
