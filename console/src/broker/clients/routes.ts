import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const clientsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clients',
  component: lazyRouteComponent(() => scriptOfPage(import('./clients-page.tsx')), 'ClientsPage'),
})

export const clientRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clients/$clientId',
  component: lazyRouteComponent(() => scriptOfPage(import('./client-page.tsx')), 'ClientPage'),
})
