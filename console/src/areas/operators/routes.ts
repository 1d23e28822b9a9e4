import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const operatorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operators',
  component: lazyRouteComponent(() => import('./operators-page.tsx'), 'OperatorsPage'),
})
