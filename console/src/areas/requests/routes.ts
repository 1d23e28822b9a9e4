import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const requestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requests',
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
})

export const requestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
})
