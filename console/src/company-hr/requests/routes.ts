import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrRequestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/requests',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./requests-page.tsx'))), 'RequestsPage'),
})

export const hrRequestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/requests/$requestId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./request-page.tsx'))), 'RequestPage'),
})
