import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { continuationsSearchOf } from './search.ts'

export const continuationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/continuations',
  validateSearch: continuationsSearchOf,
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./continuations-page.tsx'))),
    'ContinuationsPage',
  ),
})

export const continuationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/continuations/$continuationId',
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./continuation-page.tsx'))),
    'ContinuationPage',
  ),
})
