import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { closingsSearchOf } from './search.ts'

export const closingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/closings',
  validateSearch: closingsSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./closings-page.tsx'))), 'ClosingsPage'),
})

export const closingMonthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/closings/$taxId/$month',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./month-page.tsx'))), 'MonthPage'),
})
