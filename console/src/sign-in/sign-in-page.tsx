import { Alert, Center, Group, Paper, Stack, Title } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../components/page-title.ts'
import { EnvironmentBadge } from '../components/environment-badge.tsx'
import { Logo } from '../components/logo.tsx'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { SignInForm } from './sign-in-form.tsx'

const route = getRouteApi('/sign-in')
const providerErrors = [
  'identity-provider-unavailable',
  'sign-in-expired',
  'sign-in-without-role',
  'client-revoked',
] as const

export function SignInPage() {
  const { t } = useTranslation('session')
  const { redirect, error } = route.useSearch()
  const navigate = useNavigate()
  usePageTitle(t('title'))
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => card.current?.querySelector('input')?.focus(), [])
  const known = providerErrors.find((one) => one === error)
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={400} ref={card}>
        <Stack>
          <Group justify="space-between">
            <Logo />
            <EnvironmentBadge />
          </Group>
          <Title order={1} size="h3">
            {t('title')}
          </Title>
          {error !== undefined && (
            <Alert color="red" role="alert">
              {t(`providerErrors.${known ?? 'other'}`)}
            </Alert>
          )}
          <SignInForm onSignedIn={() => void navigate({ to: redirect ?? '/' })} />
          <LanguageSwitch />
        </Stack>
      </Paper>
    </Center>
  )
}
