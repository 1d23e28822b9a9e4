import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { peopleSearchOf } from './search.ts'

export const hrPeopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/people',
  validateSearch: peopleSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./people-page.tsx'))), 'PeoplePage'),
})

export const hrPersonRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/people/$memberId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./person-page.tsx'))), 'PersonPage'),
})
