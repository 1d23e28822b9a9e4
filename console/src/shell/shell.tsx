import {
  AppShell,
  Badge,
  Burger,
  Group,
  Menu,
  NavLink,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { Value } from '../components/value.tsx'
import { isPermitted } from '../session/permissions.ts'
import { useSession } from '../session/session.ts'
import { areaOf, areas } from './areas.ts'

const ForbiddenArea = lazy(() => import('./forbidden-area.tsx'))
const SessionEnded = lazy(() => import('../sign-in/session-ended.tsx'))

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { t } = useTranslation(['shell', 'terms'])
  const [opened, { toggle, close }] = useDisclosure()
  const session = useSession()
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
      {session === null && (
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
    <Menu position="bottom-end" width={260} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton aria-label={t('shell:account')} maw={180}>
          <Text truncate size="sm">
            <Value>{session.name}</Value>
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Stack gap={4}>
            <span>{t('shell:signedInAs')}</span>
            <Value>{session.name}</Value>
            <Badge variant="outline" tt="none">
              {t(`terms:role.${session.role}`)}
            </Badge>
          </Stack>
        </Menu.Label>
        <Menu.Divider />
        <Stack p="xs" gap="xs">
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
        </Stack>
        <Menu.Divider />
        <Menu.Item onClick={() => signOut.mutate()}>{t('shell:signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
