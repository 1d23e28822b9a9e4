import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../language/language.ts'
import { shellRoute } from '../shell/root-routes.ts'
import { scriptOfPage } from '../shell/script-of-page.ts'

export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./account-page.tsx'))), 'AccountPage'),
})
