import {
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../components/badge.tsx'
import { api } from '../api/client.ts'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { Value } from '../components/value.tsx'
import { isPermitted } from '../session/permissions.ts'
import { useHasSessionEnded, useSession } from '../session/session.ts'
import { areaOf, areas } from './areas.ts'

const ForbiddenArea = lazy(() => import('./forbidden-area.tsx'))
const SessionEnded = lazy(() => import('../sign-in/session-ended.tsx'))

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { t } = useTranslation(['shell', 'terms'])
  const [opened, { toggle, close }] = useDisclosure()
  const session = useSession()
  const hasEnded = useHasSessionEnded()
  const { online } = useNetwork()
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {t('shell:skipToContent')}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? t('shell:closeNavigation') : t('shell:openNavigation')}
            />
            <Text fw={700}>
              <Value>Vigencia</Value>
            </Text>
          </Group>
          <Group wrap="nowrap">{session !== null && <AccountMenu />}</Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('shell:navigation')}>
        {session !== null &&
          areas
            .filter(({ permission }) => isPermitted(session.role, permission))
            .map(({ to, name }) => (
              <NavLink
                key={to}
                className="nav-link"
                renderRoot={(props) => <Link to={to} {...props} />}
                label={t(`shell:areas.${name}`)}
                onClick={close}
              />
            ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {!online && (
          <Text role="alert" mb="sm" fw={600}>
            {t('shell:offline')}
          </Text>
        )}
        <Area />
      </AppShell.Main>
      {hasEnded && (
        <Suspense>
          <SessionEnded />
        </Suspense>
      )}
    </AppShell>
  )
}

/** The page; where the role may not see its area, that is said instead, and nothing of it is loaded. */
function Area() {
  const session = useSession()
  const area = useMatches({ select: (matches) => areaOf(matches.at(-1)?.fullPath ?? '') })
  if (session === null || area === undefined || isPermitted(session.role, area.permission)) return <Outlet />
  return (
    <Suspense>
      <ForbiddenArea name={area.name} />
    </Suspense>
  )
}

function AccountMenu() {
  const { t } = useTranslation(['shell', 'terms'])
  const session = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useMutation({
    mutationFn: () => api.session.end(),
    onSuccess: async () => {
      await navigate({ to: '/sign-in' })
      queryClient.clear()
    },
  })
  if (session === null) return null
  return (
    <Popover position="bottom-end" width={260} trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" maw={200}>
          <span className="visually-hidden">{t('shell:account')} </span>
          <Text truncate size="sm" component="span">
            <Value>{session.name}</Value>
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('shell:signedInAs')}</Text>
          <Text fw={600}>
            <Value>{session.name}</Value>
          </Text>
          <Badge color="blue">{t(`terms:role.${session.role}`)}</Badge>
          <LanguageSwitch />
          <SegmentedControl
            aria-label={t('shell:theme')}
            size="xs"
            value={colorScheme}
            onChange={(value) => setColorScheme(value)}
            data={[
              { value: 'light', label: t('shell:themeLight') },
              { value: 'dark', label: t('shell:themeDark') },
              { value: 'auto', label: t('shell:themeAuto') },
            ]}
          />
          <Button fullWidth variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('shell:signOut')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
