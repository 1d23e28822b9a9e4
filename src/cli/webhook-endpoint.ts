import { EVENT_TYPES } from '../domain/events.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { listOperation, operation } from './operation.ts'

const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const oneEndpoint = { '<endpoint-id>': '' } as const
const oneEvent = { '<event-id>': '' } as const
const types = { '--type <type...>': `only events of these types: ${EVENT_TYPES.join(', ')}; none: all` } as const
const columns = { 'ENDPOINT-ID': 'id', URL: 'url', TYPES: 'event-types', STATUS: 'status', REASON: 'disabled-reason' }

/** `vigencia webhook create`, `list`, `show`, `update`, `delete`, `rotate`; `events`, `event`, `deliveries`, `redeliver`. */
export const webhookEndpointCommands: readonly CommandDeclaration[] = [
  operation({
    name: 'create',
    description: 'make a webhook endpoint; its secret is shown this once (partner)',
    examples: { 'webhook create https://payroll.example/hook --type enrollment.completed': 'for one type of event' },
    parameters: { '<url>': 'where events are sent', ...types },
    operation: { partner: 'createWebhookEndpoint' },
    request: ({ url, type }) => ({ json: { url, 'event-types': type } }),
    isShown: true,
  }),
  listOperation({
    name: 'list',
    description: 'list webhook endpoints (partner)',
    examples: { 'webhook list': 'never their secrets' },
    operation: { partner: 'listWebhookEndpoints' },
    columns,
  }),
  operation({
    name: 'show',
    description: 'show a webhook endpoint (partner)',
    examples: { [`webhook show ${id}`]: 'and why it is disabled' },
    parameters: oneEndpoint,
    operation: { partner: 'readWebhookEndpoint' },
    isShown: true,
  }),
  operation({
    name: 'update',
    description: 'change the URL, the types or the status of a webhook endpoint (partner)',
    examples: { [`webhook update ${id} --status enabled`]: 'after it was disabled' },
    parameters: {
      ...oneEndpoint,
      '--url <url>': 'the new URL',
      ...types,
      '--status <status>': { description: 'the new status', choices: ['enabled', 'disabled'] },
    },
    operation: { partner: 'updateWebhookEndpoint' },
    request: ({ url, type, status }) => ({ json: { url, 'event-types': type, status } }),
    columns,
  }),
  operation({
    name: 'delete',
    description: 'delete a webhook endpoint (partner)',
    examples: { [`webhook delete ${id}`]: 'its events stay in the list of events' },
    parameters: oneEndpoint,
    operation: { partner: 'deleteWebhookEndpoint' },
    emptyResult: ({ endpointId }) => ({ id: endpointId, deleted: true }),
    message: ({ endpointId }) => `Webhook endpoint ${endpointId} is deleted.`,
  }),
  operation({
    name: 'rotate',
    description: 'give a webhook endpoint a new secret; both sign for 24 hours (partner)',
    examples: { [`webhook rotate ${id}`]: 'the secret is shown this once' },
    parameters: oneEndpoint,
    operation: { partner: 'rotateWebhookSecret' },
    isShown: true,
    message: () => 'The secret is shown this once. The one before it signs too for 24 hours.',
  }),
  listOperation({
    name: 'events',
    description: 'list events of your companies, newest first (partner)',
    examples: { 'webhook events --limit 20 --where type=enrollment.rejected': 'the last twenty of a type' },
    operation: { partner: 'listWebhookEvents' },
    columns: { TIMESTAMP: 'timestamp', TYPE: 'type', 'EVENT-ID': 'id', STATUS: 'data.status' },
  }),
  operation({
    name: 'event',
    description: 'show an event (partner)',
    examples: { [`webhook event ${id}`]: 'the ids of what it tells' },
    parameters: oneEvent,
    operation: { partner: 'readWebhookEvent' },
    isShown: true,
  }),
  listOperation({
    name: 'deliveries',
    description: 'list the deliveries of an event (partner)',
    examples: { [`webhook deliveries ${id}`]: 'one for each attempt' },
    parameters: oneEvent,
    operation: { partner: 'listWebhookDeliveries' },
    columns: {
      'ENDPOINT-ID': 'endpoint-id',
      ATTEMPT: 'attempt',
      STATUS: 'status',
      RESPONSE: 'response-status',
      ERROR: 'error',
      'ATTEMPTED-AT': 'attempted-at',
      'NEXT-ATTEMPT-AT': 'next-attempt-at',
    },
  }),
  operation({
    name: 'redeliver',
    description: 'send an event again to your endpoints (partner)',
    examples: { [`webhook redeliver ${id}`]: 'with the same webhook-id' },
    parameters: oneEvent,
    operation: { partner: 'redeliverWebhookEvent' },
    message: ({ eventId }) => `Event ${eventId} is sent again.`,
  }),
]
