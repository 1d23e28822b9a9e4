import { Type } from 'typebox'
import { unavailable } from '../platform/errors.ts'
import type { App, Context } from './context.ts'
import { errorResponses } from './schemas.ts'

const Ok = Type.Object({ status: Type.Literal('ok') }, { examples: [{ status: 'ok' }] })

/** Liveness (`/v1/health`, `/healthz`) and readiness (`/readyz`), without a token. */
export async function healthRoutes(app: App, context: Context): Promise<void> {
  const described = {
    tags: ['operations'],
    summary: 'Whether the process answers',
    description: 'Says nothing of the database: see `/readyz`.',
  }
  app.route({
    method: 'GET',
    url: '/v1/health',
    schema: { ...described, operationId: 'readHealth', response: { 200: Ok } },
    handler: async () => ({ status: 'ok' as const }),
  })
  app.route({
    method: 'GET',
    url: '/healthz',
    schema: { ...described, operationId: 'readLiveness', response: { 200: Ok } },
    handler: async () => ({ status: 'ok' as const }),
  })
  app.route({
    method: 'GET',
    url: '/readyz',
    schema: {
      operationId: 'readReadiness',
      tags: ['operations'],
      summary: 'Whether the process can do its work now',
      description: '503 while the database is away. Balancers ask here before they send traffic.',
      response: { 200: Ok, ...errorResponses('unavailable') },
    },
    handler: async () => {
      const rows = await context.database.query('select 1 as one from migration limit 1')
      if (rows.length === 0) throw unavailable()
      return { status: 'ok' as const }
    },
  })
}
