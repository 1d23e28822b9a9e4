import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { endpointSearchOf, webhooksSearchOf } from './search.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: webhooksSearchOf,
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})

export const webhookEndpointRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$endpointId',
  validateSearch: endpointSearchOf,
  component: lazyRouteComponent(() => import('./webhook-endpoint-page.tsx'), 'WebhookEndpointPage'),
})
