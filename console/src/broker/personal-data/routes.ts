import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { disclosuresSearchOf, personalDataSearchOf } from './search.ts'

export const personalDataRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/personal-data',
  validateSearch: personalDataSearchOf,
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./personal-data-page.tsx'))),
    'PersonalDataPage',
  ),
})

export const subjectRequestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/personal-data/$subjectRequestId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./request-page.tsx'))), 'RequestPage'),
})

export const memberDisclosuresRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members/$memberId/disclosures',
  validateSearch: disclosuresSearchOf,
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./disclosures-page.tsx'))),
    'DisclosuresPage',
  ),
})
