import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { fileSearchOf, filesSearchOf } from './search.ts'

export const reconciliationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations',
  validateSearch: filesSearchOf,
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./reconciliations-page.tsx'))),
    'ReconciliationsPage',
  ),
})

export const carrierFileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations/$fileId',
  validateSearch: fileSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./file-page.tsx'))), 'FilePage'),
})
