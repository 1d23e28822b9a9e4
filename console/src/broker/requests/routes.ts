import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { requestSearchOf, requestsSearchOf } from './search.ts'

export const requestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requests',
  validateSearch: requestsSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./requests-page.tsx'))), 'RequestsPage'),
})

export const requestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requests/$requestId',
  validateSearch: requestSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./request-page.tsx'))), 'RequestPage'),
})
