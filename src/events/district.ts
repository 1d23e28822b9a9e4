import type { District } from '#platform/http/district.ts'
import { webhookEndpointReadRoutes, webhookEndpointRoutes } from './webhooks/endpoint-routes.ts'
import { webhookEventRoutes } from './webhooks/event-routes.ts'
import { webhookOperatorRoutes } from './webhooks/routes.ts'

export const events = {
  routes: [webhookEndpointReadRoutes, webhookEndpointRoutes, webhookEventRoutes, webhookOperatorRoutes],
} as const satisfies District
