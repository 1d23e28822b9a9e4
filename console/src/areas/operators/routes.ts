import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const operatorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operators',
  component: lazyRouteComponent(() => scriptOfPage(import('./operators-page.tsx')), 'OperatorsPage'),
})
