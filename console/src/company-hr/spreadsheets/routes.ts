import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrSpreadsheetsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/spreadsheets',
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./spreadsheets-page.tsx'))),
    'SpreadsheetsPage',
  ),
})
