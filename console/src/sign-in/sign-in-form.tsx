import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import IconKey from 'icon:key'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { sessionKey } from '../api/session-key.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { required } from '../forms/required.ts'
import { isCancelled } from '../passkeys/is-cancelled.ts'
import { type Session, setSession } from '../session/session.ts'
import { signInOptionsQuery } from '../session/sign-in-options.ts'
import { usePasskeyOffer } from './use-passkey-offer.ts'

/** The e-mail address and the password of a person, a passkey, the credentials of an operator, or the identity provider. `onSignedIn` gets the new session. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation(['session', 'states'])
  const queryClient = useQueryClient()
  const options = useQuery(signInOptionsQuery)
  const provider = options.data?.['identity-provider'] ?? null
  const hasPasskeys = options.data?.passkeys === true && 'PublicKeyCredential' in window
  const form = useForm({
    initialValues: { name: '', secret: '' },
    validate: required(['name', 'secret'], t('states:required')),
  })
  const [isProgram, setIsProgram] = useState(false)
  const name = useRef<HTMLInputElement>(null)
  const enter = (session: Session) => {
    // What another operator loaded is not shown to this one. Queries of the page under a dialog stay: they have observers, and load again.
    queryClient.removeQueries({ type: 'inactive' })
    setSession(queryClient, session)
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
    onSignedIn(session)
  }
  const signIn = useMutation({
    mutationFn: ({ name, secret }: typeof form.values) => {
      const id = name.trim()
      // A program has an id and a secret. Which of both it is the address says: a password manager fills either form.
      return api.session.create(
        id.includes('@') ? { email: id, password: secret } : { 'client-id': id, 'client-secret': secret.trim() },
      )
    },
    onSuccess: enter,
  })
  const passkey = useMutation({
    mutationFn: async () => (await import('../passkeys/passkeys.ts')).signInByPasskey({ isOffered: false }),
    onSuccess: enter,
  })
  const offer = usePasskeyOffer(hasPasskeys, enter)
  const passkeyError = passkey.error ?? offer
  const isRefused = signIn.error instanceof ApiError && signIn.error.status === 401
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        passkey.reset()
        signIn.mutate(values)
      })}
    >
      <Stack>
        {isRefused && (
          <Alert color="red" role="alert">
            {t('session:refused')}
          </Alert>
        )}
        {signIn.error !== null && !isRefused && <ErrorMessage error={signIn.error} />}
        <TextInput
          ref={name}
          label={t(isProgram ? 'session:clientId' : 'session:email')}
          autoComplete="username webauthn"
          withAsterisk={false}
          required
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t(isProgram ? 'session:clientSecret' : 'session:password')}
          autoComplete="current-password"
          withAsterisk={false}
          required
          visibilityToggleButtonProps={{ 'aria-label': t('session:showPassword') }}
          {...form.getInputProps('secret')}
        />
        <Button type="submit" loading={signIn.isPending}>
          {t('session:submit')}
        </Button>
        {(hasPasskeys || provider !== null) && <Divider label={t('session:or')} />}
        {hasPasskeys && (
          <>
            {passkeyError !== null &&
              (isCancelled(passkeyError) ? (
                <Alert color="yellow" role="alert">
                  {t('session:passkeyCancelled')}
                </Alert>
              ) : (
                <ErrorMessage error={passkeyError} />
              ))}
            <Button
              variant="default"
              leftSection={<IconKey size={18} stroke={1.6} aria-hidden />}
              loading={passkey.isPending}
              onClick={() => {
                signIn.reset()
                passkey.mutate()
              }}
            >
              {t('session:passkey')}
            </Button>
          </>
        )}
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setIsProgram(!isProgram)
            name.current?.focus()
          }}
        >
          {t(isProgram ? 'session:byEmail' : 'session:byProgram')}
        </Anchor>
        {provider !== null && (
          <Anchor href="/operator/v1/session/identity-provider" ta="center">
            {t('session:identityProvider', { name: provider.name })}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
