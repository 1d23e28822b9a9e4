import type { District } from '#platform/http/district.ts'
import { deleteOldMails } from './mail/outbox-queries.ts'
import { mailRoutes } from './mail/routes.ts'
import { sendDueMails } from './mail/send.ts'
import { stopPage } from './mail/stop-page.ts'
import { webhookEndpointReadRoutes, webhookEndpointRoutes } from './webhooks/endpoint-routes.ts'
import { webhookEventRoutes } from './webhooks/event-routes.ts'
import { webhookOperatorRoutes } from './webhooks/routes.ts'

const second = 1_000
const hour = 3_600_000

export const events = {
  routes: [
    webhookEndpointReadRoutes,
    webhookEndpointRoutes,
    webhookEventRoutes,
    webhookOperatorRoutes,
    mailRoutes,
    stopPage,
  ],
  tasks: [
    {
      kind: 'task-mail',
      everyMs: second,
      errorMessage: 'mails could not be sent',
      run: (context, signal) => sendDueMails(context, signal),
    },
    {
      kind: 'task-old-mail',
      everyMs: hour,
      errorMessage: 'old mails could not be deleted',
      run: ({ database }) => deleteOldMails(database),
    },
  ],
} as const satisfies District
