import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const operatorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operators',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./operators-page.tsx'))), 'OperatorsPage'),
})
