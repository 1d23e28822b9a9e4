import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { gaugesText, metricsText, metricsType, type Reading, startDefaults } from '../telemetry/metrics.ts'
import type { App, Context } from './context.ts'
import { readPendingBatches, type Waiting } from '../telemetry/backlog-queries.ts'

/** A scrape waits no longer than this for what has to be asked of the database. */
const patienceMs = 1_000

const example = '# TYPE vigencia_database_up gauge\nvigencia_database_up 1\nvigencia_work_waiting 0\n'

/** `GET /metrics`, for Prometheus. No token: there is no personal data in it, and no id. */
export async function metricsRoutes(app: App, { database, log }: Context): Promise<void> {
  startDefaults()
  let asking: Promise<Waiting | null> | null = null
  // However often it is scraped, one statement at a time: a database that hangs must not gather them.
  const waiting = (): Promise<Waiting | null> =>
    (asking ??= readPendingBatches(database)
      .catch((error: unknown) => {
        log.debug({ err: error }, 'figures of the database could not be read')
        return null
      })
      .finally(() => {
        asking = null
      }))
  app.route({
    method: 'GET',
    url: '/metrics',
    schema: {
      operationId: 'readMetrics',
      tags: ['operations'],
      summary: 'What this process counts and sees',
      description:
        'In the text format of Prometheus, without a token: no personal data, no ids. It answers while the database is away too, ' +
        'then without what only the database can tell. Restrict it at the proxy if the traffic figures are not for everybody.',
      response: {
        200: {
          description: 'The metrics.',
          content: { 'text/plain': { schema: Type.String({ examples: [example] }) } },
        },
      },
    },
    handler: async (_request, reply) => {
      const late = new AbortController()
      const answered = await Promise.race([
        waiting(),
        pause(patienceMs, null, { signal: late.signal, ref: false }).catch(() => null),
      ])
      late.abort()
      const text = `${await metricsText()}${gaugesText([...poolReadings(database.pool()), ...databaseReadings(answered)])}`
      return reply.type(metricsType).send(text)
    },
  })
}

function poolReadings({ total, idle, waiting }: { total: number; idle: number; waiting: number }): Reading[] {
  return [
    { name: 'vigencia_database_connections', help: 'Connections to the database in the pool.', value: total },
    { name: 'vigencia_database_connections_idle', help: 'Those of them that do nothing.', value: idle },
    { name: 'vigencia_database_connections_awaited', help: 'Statements that wait for a connection.', value: waiting },
  ]
}

function databaseReadings(waiting: Waiting | null): Reading[] {
  const up = {
    name: 'vigencia_database_up',
    help: 'Whether the database answered this scrape.',
    value: waiting === null ? 0 : 1,
  }
  if (waiting === null) return [up]
  return [
    up,
    { name: 'vigencia_work_waiting', help: 'Accepted requests that a worker has not finished.', value: waiting.work },
    { name: 'vigencia_work_oldest_seconds', help: 'Age of the oldest of them.', value: waiting.workAge },
    { name: 'vigencia_audit_unsealed_rows', help: 'Audit rows that wait to be sealed.', value: waiting.unsealed },
    {
      name: 'vigencia_audit_unsealed_oldest_seconds',
      help: 'Age of the oldest of them.',
      value: waiting.pendingRowAge,
    },
    {
      name: 'vigencia_events_untold',
      help: 'Events that are not fanned out yet; one that waits for several clients counts for each.',
      value: waiting.undispatched,
    },
    {
      name: 'vigencia_webhook_oldest_due_seconds',
      help: 'How long the webhook delivery that is due first has been due.',
      value: waiting.deliveryAge,
    },
  ]
}
