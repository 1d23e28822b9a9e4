import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrPendingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/pending',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./pending-page.tsx'))), 'PendingPage'),
})

export const hrMovementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/pending/$enrollmentId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./movement-page.tsx'))), 'MovementPage'),
})
