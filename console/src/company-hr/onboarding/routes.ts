import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrOnboardingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/onboarding',
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./invitations-page.tsx'))),
    'InvitationsPage',
  ),
})

export const hrInvitationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/onboarding/$invitationId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./invitation-page.tsx'))), 'InvitationPage'),
})
