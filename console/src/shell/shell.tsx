import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { Outlet, useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useHeldDecisions } from '../entities/decisions/held-decisions.ts'
import { isPermitted } from '../session/permissions.ts'
import { useHasSessionEnded, useSession } from '../session/session.ts'
import { AccountMenu } from './account-menu.tsx'
import { areaOf } from './areas.ts'
import { AreaTabs } from './area-tabs.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { CommandButton } from './command-button.tsx'
import { EnvironmentBadge } from '../components/environment-badge.tsx'
import { Logo } from '../components/logo.tsx'
import { PageHelp } from '../components/page-help.ts'
import { GuideLink } from './guide-link.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { Navigation } from './navigation.tsx'

const ForbiddenArea = lazy(() => import('./forbidden-area.tsx'))
const UndoBar = lazy(() => import('./undo-bar.tsx'))
const SessionEnded = lazy(() => import('../sign-in/session-ended.tsx'))

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { t } = useTranslation('shell')
  const [opened, { toggle, close }] = useDisclosure()
  const session = useSession()
  const hasEnded = useHasSessionEnded()
  const isUndoable = useHeldDecisions().length > 0
  const { online } = useNetwork()
  return (
    <AppShell
      header={{ height: 46 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', md: 'md' }}
    >
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <AppShell.Header px="sm">
        <NavigationProgress />
        <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap="xs">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? t('closeNavigation') : t('openNavigation')}
            />
            <Logo />
            <EnvironmentBadge />
          </Group>
          {session !== null && (
            <Group wrap="nowrap" gap="xs">
              <CommandButton />
              <AccountMenu session={session} />
            </Group>
          )}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p={6} aria-label={t('navigation')}>
        {session !== null && <Navigation session={session} onNavigate={close} />}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {!online && (
          <Text role="alert" mb="sm" fw={600}>
            {t('offline')}
          </Text>
        )}
        <Breadcrumbs />
        <AreaTabs />
        <Area />
      </AppShell.Main>
      {isUndoable && (
        <Suspense>
          <UndoBar />
        </Suspense>
      )}
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
  if (session === null || area === undefined || isPermitted(session, area.permission))
    return (
      <PageHelp value={area === undefined ? null : <GuideLink area={area} />}>
        <Outlet />
      </PageHelp>
    )
  return (
    <Suspense>
      <ForbiddenArea name={area.name} />
    </Suspense>
  )
}
