import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const movementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/queue/$enrollmentId',
  component: lazyRouteComponent(() => import('./movement-page.tsx'), 'MovementPage'),
})
