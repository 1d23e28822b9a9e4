import { route } from './route.ts'
import { Type } from 'typebox'
import { runForClient } from '../core/connection-shares.ts'
import { ConnectionsBusyError, isDatabaseAway } from '../core/database-errors.ts'
import { unavailable } from '../core/errors.ts'
import type { App, Context } from './context.ts'
import { DateOnly, errorResponses } from './schemas.ts'

const Ok = Type.Object({ status: Type.Literal('ok') }, { examples: [{ status: 'ok' }] })

const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    'business-date': {
      ...DateOnly,
      description: 'The day that the service takes for today, in America/Sao_Paulo; in staging it can be moved.',
    },
  },
  { examples: [{ status: 'ok', 'business-date': '2026-11-23' }] },
)

/** It has a turn of its own, and waits less long than calls. */
const readiness = { id: 'readiness', privileged: true, maxWaitMs: 5_000 }

/** Liveness (`/v1/health`, `/healthz`) and readiness (`/readyz`), without a token. */
export async function healthRoutes(app: App, context: Context): Promise<void> {
  const described = {
    tags: ['operations'],
    summary: 'Whether the process answers',
    description: 'Says nothing of the database: see `/readyz`.',
  }
  route(app, {
    method: 'GET',
    url: '/v1/health',
    schema: { ...described, operationId: 'readHealth', 'x-sdk': 'service.health', response: { 200: Health } },
    handler: async () => ({ status: 'ok' as const, 'business-date': context.today() }),
  })
  route(app, {
    method: 'GET',
    url: '/healthz',
    schema: { ...described, operationId: 'readLiveness', 'x-sdk': 'service.liveness', response: { 200: Ok } },
    handler: async () => ({ status: 'ok' as const }),
  })
  route(app, {
    method: 'GET',
    url: '/readyz',
    schema: {
      operationId: 'readReadiness',
      tags: ['operations'],
      summary: 'Whether the process can do its work now',
      description:
        '503 `database-away` while the database cannot be reached; `busy` when it answers, but no connection became free within 5 ' +
        'seconds. Balancers ask here before they send traffic.',
      response: { 200: Ok, ...errorResponses('database-away', 'busy', 'unavailable') },
    },
    handler: async () => {
      await runForClient(readiness, () => checkDatabase(context))
      return { status: 'ok' as const }
    },
  })
}

async function checkDatabase({ database, log }: Context): Promise<void> {
  try {
    const rows = await database.query('select 1 as one from migration limit 1')
    if (rows.length === 0) throw unavailable()
  } catch (error) {
    if (error instanceof ConnectionsBusyError) throw unavailable('busy')
    if (!isDatabaseAway(error)) throw error
    log.warn({ err: error }, 'database away')
    throw unavailable('database-away')
  }
}
