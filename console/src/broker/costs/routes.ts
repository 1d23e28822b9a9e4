import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { costsSearchOf } from './search.ts'

export const costsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/costs',
  validateSearch: costsSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./costs-page.tsx'))), 'CostsPage'),
})
