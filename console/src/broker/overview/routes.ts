import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { overviewSearchOf } from './search.ts'

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/overview',
  validateSearch: overviewSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./overview-page.tsx'))), 'OverviewPage'),
})
