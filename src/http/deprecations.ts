import { InvariantError } from '../platform/log.ts'
import type { LocalDate } from '../domain/calendar.ts'
import type { App } from './context.ts'

/** An operation that will be removed. It works as before until then; its responses have headers that say so. */
export interface Deprecation {
  /** The `operationId`. */
  readonly operation: string
  /** The day from which it is deprecated, at 00:00 UTC (RFC 9745). */
  readonly since: LocalDate
  /** The day from which it may be gone, at 00:00 UTC (RFC 8594): 12 months later or more. */
  readonly sunset: LocalDate
  /** A page that says what to use instead. */
  readonly link: string
}

/** All deprecated operations. `/v1` has none. */
export const deprecations: readonly Deprecation[] = []

/** Adds headers to the responses of deprecated operations, and marks them in the OpenAPI document. To be called before routes are added. */
export function announceDeprecations(app: App, table: readonly Deprecation[]): void {
  const byOperation = new Map(table.map((one) => [one.operation, one]))
  const found = new Set<string>()
  for (const one of table) checkNotice(one)
  app.addHook('onRoute', (route) => {
    const deprecation = byOperation.get(route.schema?.operationId ?? '')
    if (deprecation === undefined) return
    found.add(deprecation.operation)
    const marked = { ...route.schema, deprecated: true, 'x-sunset': deprecation.sunset }
    route.schema = marked
    const headers = headersOf(deprecation)
    route.onSend = [
      async (_request, reply, payload) => {
        void reply.headers(headers)
        return payload
      },
      ...[route.onSend ?? []].flat(),
    ]
  })
  app.addHook('onReady', async () => {
    const unknown = table.filter(({ operation }) => !found.has(operation)).map(({ operation }) => operation)
    if (unknown.length > 0) throw new InvariantError(`deprecated operations that do not exist: ${unknown.join(', ')}`)
  })
}

function headersOf({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html", <${link}>; rel="sunset"; type="text/html"`,
  }
}

function checkNotice({ operation, since, sunset }: Deprecation): void {
  const soonest = new Date(since)
  soonest.setUTCFullYear(soonest.getUTCFullYear() + 1)
  if (!(new Date(sunset) >= soonest)) {
    throw new InvariantError(`the sunset of ${operation} must be 12 months or more after it was deprecated`)
  }
}
