import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const clientsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clients',
  component: lazyRouteComponent(() => import('./clients-page.tsx'), 'ClientsPage'),
})

export const clientRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clients/$clientId',
  component: lazyRouteComponent(() => import('./client-page.tsx'), 'ClientPage'),
})
