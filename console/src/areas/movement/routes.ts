import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { parseMovementSearch } from './movement-search.ts'

export const movementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/queue/$enrollmentId',
  validateSearch: parseMovementSearch,
  component: lazyRouteComponent(() => import('./movement-page.tsx'), 'MovementPage'),
})
