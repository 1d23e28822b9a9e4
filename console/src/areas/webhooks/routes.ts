import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { endpointSearchOf, webhooksSearchOf } from './search.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: webhooksSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(import('./webhooks-page.tsx')), 'WebhooksPage'),
})

export const webhookEndpointRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$endpointId',
  validateSearch: endpointSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(import('./webhook-endpoint-page.tsx')), 'WebhookEndpointPage'),
})
