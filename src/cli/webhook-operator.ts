import { EVENT_TYPES } from '../domain/events.ts'
import { DELIVERY_STATUSES } from '../domain/webhook.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { listOperation, operation } from './operation.ts'

const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const other = '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'

/** `vigencia webhook endpoints`, `endpoint`, `attempts`, `sent`, `resend`: the endpoints of all clients, for operators. */
export const webhookOperatorCommands: readonly CommandDeclaration[] = [
  listOperation({
    name: 'endpoints',
    description: 'list the webhook endpoints of all clients with their health (operator)',
    examples: { 'webhook endpoints --failing': 'those whose last delivery failed' },
    parameters: { '--client-id <id>': 'only of this client', '--failing': 'only those that fail' },
    operation: { operator: 'listAllWebhookEndpoints' },
    request: ({ clientId, failing }) => ({ query: { 'client-id': clientId, failing } }),
    columns: {
      'ENDPOINT-ID': 'id',
      CLIENT: 'client-name',
      URL: 'url',
      STATUS: 'status',
      PENDING: 'pending-deliveries',
      'FAILING-SINCE': 'failing-since',
      'LAST-SUCCESS': 'last-success-at',
    },
  }),
  operation({
    name: 'endpoint',
    description: 'show a webhook endpoint of any client with its health (operator)',
    examples: { [`webhook endpoint ${id}`]: 'with its last error' },
    parameters: { '<endpoint-id>': '' },
    operation: { operator: 'readAnyWebhookEndpoint' },
    isShown: true,
  }),
  listOperation({
    name: 'attempts',
    description: 'list the attempts to deliver events to the endpoints of all clients (operator)',
    examples: { [`webhook attempts --endpoint-id ${id} --status failed`]: 'what failed at one endpoint' },
    parameters: {
      '--endpoint-id <id>': 'only to this endpoint',
      '--client-id <id>': 'only to endpoints of this client',
      '--event-id <id>': 'only of this event',
      '--type <type>': { description: 'only of events of this type', choices: EVENT_TYPES },
      '--status <status>': { description: 'only with this status', choices: DELIVERY_STATUSES },
    },
    operation: { operator: 'listAllWebhookDeliveries' },
    request: ({ endpointId, clientId, eventId, type, status }) => ({
      query: { 'webhook-endpoint-id': endpointId, 'client-id': clientId, 'webhook-event-id': eventId, type, status },
    }),
    columns: {
      CLIENT: 'client-name',
      'ENDPOINT-ID': 'endpoint-id',
      'EVENT-ID': 'event-id',
      TYPE: 'event-type',
      ATTEMPT: 'attempt',
      STATUS: 'status',
      RESPONSE: 'response-status',
      ERROR: 'error',
      'ATTEMPTED-AT': 'attempted-at',
    },
  }),
  operation({
    name: 'sent',
    description: 'show an event with the body that was sent and the attempts (operator)',
    examples: { [`webhook sent ${id}`]: 'of any company' },
    parameters: { '<event-id>': '' },
    operation: { operator: 'readAnyWebhookEvent' },
    isShown: true,
  }),
  operation({
    name: 'resend',
    description: 'deliver an event again to an endpoint of any client (operator)',
    examples: { [`webhook resend ${id} ${other}`]: 'with the same webhook-id' },
    parameters: { '<event-id>': '', '<endpoint-id>': '' },
    operation: { operator: 'redeliverAnyWebhookEvent' },
    request: ({ eventId, endpointId }) => ({ path: [eventId], json: { 'webhook-endpoint-id': endpointId } }),
    message: ({ eventId, endpointId }) => `Event ${eventId} is sent again to ${endpointId}.`,
  }),
]
