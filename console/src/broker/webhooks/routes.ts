import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { endpointSearchOf, webhooksSearchOf } from './search.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: webhooksSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./webhooks-page.tsx'))), 'WebhooksPage'),
})

export const webhookEndpointRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$endpointId',
  validateSearch: endpointSearchOf,
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./webhook-endpoint-page.tsx'))),
    'WebhookEndpointPage',
  ),
})
