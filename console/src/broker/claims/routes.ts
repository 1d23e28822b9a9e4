import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { claimsSearchOf } from './search.ts'

export const claimsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/claims',
  validateSearch: claimsSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./claims-page.tsx'))), 'ClaimsPage'),
})

export const claimRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/claims/$claimId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./claim-page.tsx'))), 'ClaimPage'),
})
