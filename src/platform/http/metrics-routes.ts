import { route } from './route.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { gaugesText, metricsText, metricsType, type GaugeValue, startDefaults } from '../core/telemetry/metrics.ts'
import type { App, Context } from './context.ts'
import { type Backlog, readBacklog } from '../core/telemetry/backlog-queries.ts'

/** How long a scrape waits for the database. */
const databaseTimeoutMs = 1_000

const example = '# TYPE vigencia_database_up gauge\nvigencia_database_up 1\nvigencia_work_waiting 0\n'

/** `GET /metrics`, for Prometheus, without a token: it has no personal data and no ids. */
export async function metricsRoutes(app: App, { database, log }: Context): Promise<void> {
  startDefaults()
  let reading: Promise<Backlog | null> | null = null
  // One statement at a time, however often it is scraped, so that they do not pile up while the database hangs.
  const readOnce = (): Promise<Backlog | null> =>
    (reading ??= readBacklog(database)
      .catch((error: unknown) => {
        log.debug({ err: error }, 'figures of the database could not be read')
        return null
      })
      .finally(() => {
        reading = null
      }))
  route(app, {
    method: 'GET',
    url: '/metrics',
    schema: {
      operationId: 'readMetrics',
      tags: ['operations'],
      summary: 'What this process counts and sees',
      description:
        'In the text format of Prometheus, without a token: no personal data, no ids. Available while the database is away too, ' +
        'then without the figures from the database. Restrict it at the proxy if the traffic figures are not for everybody.',
      response: {
        200: {
          description: 'The metrics.',
          content: { 'text/plain': { schema: Type.String({ examples: [example] }) } },
        },
      },
    },
    handler: async (_request, reply) => {
      const timeout = new AbortController()
      const backlog = await Promise.race([
        readOnce(),
        pause(databaseTimeoutMs, null, { signal: timeout.signal, ref: false }).catch(() => null),
      ])
      timeout.abort()
      const text = `${await metricsText()}${gaugesText([...poolGauges(database.pool()), ...databaseGauges(backlog)])}`
      return reply.type(metricsType).send(text)
    },
  })
}

function poolGauges({ total, idle, waiting }: { total: number; idle: number; waiting: number }): GaugeValue[] {
  return [
    { name: 'vigencia_database_connections', help: 'Connections to the database in the pool.', value: total },
    { name: 'vigencia_database_connections_idle', help: 'Those of them that do nothing.', value: idle },
    { name: 'vigencia_database_connections_awaited', help: 'Statements that wait for a connection.', value: waiting },
  ]
}

function databaseGauges(backlog: Backlog | null): GaugeValue[] {
  const up = {
    name: 'vigencia_database_up',
    help: 'Whether the database answered this scrape.',
    value: backlog === null ? 0 : 1,
  }
  if (backlog === null) return [up]
  return [
    up,
    { name: 'vigencia_work_waiting', help: 'Accepted requests that a worker has not finished.', value: backlog.work },
    { name: 'vigencia_work_oldest_seconds', help: 'Age of the oldest of them.', value: backlog.workAge },
    {
      name: 'vigencia_steps_retrying',
      help: 'Steps of the workers that failed and are tried again.',
      value: backlog.stepsRetrying,
    },
    {
      name: 'vigencia_steps_put_aside',
      help: 'Steps of the workers that failed too often: nothing is done until an operator tries them again or deletes them.',
      value: backlog.stepsPutAside,
    },
    {
      name: 'vigencia_audit_pending_rows',
      help: 'Audit rows that are not in the hash chain yet.',
      value: backlog.auditPending,
    },
    {
      name: 'vigencia_audit_pending_oldest_seconds',
      help: 'Age of the oldest of them.',
      value: backlog.auditPendingAge,
    },
    {
      name: 'vigencia_events_to_dispatch',
      help: 'Events that are not fanned out yet; one that waits for several clients counts for each.',
      value: backlog.undispatched,
    },
    {
      name: 'vigencia_webhook_oldest_due_seconds',
      help: 'How long the webhook delivery that is due first has been due.',
      value: backlog.deliveryAge,
    },
    {
      name: 'vigencia_erasures_failed',
      help: 'Approved erasures whose last attempt failed: they are tried again, or wait for an admin.',
      value: backlog.failedErasures,
    },
  ]
}
