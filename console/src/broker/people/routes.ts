import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./people-page.tsx'))), 'PeoplePage'),
})
