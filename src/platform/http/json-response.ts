import type { Page } from './page.ts'
import { pagination, type PageQuery } from './schemas.ts'

/** The body of a list whose items are JSON from PostgreSQL. */
export function listBody({ total, items, totals }: Page, query: PageQuery): string {
  const more = totals === undefined ? '' : `,"totals":${totals}`
  return `{"result":${items},"pagination":${JSON.stringify(pagination(query, total))}${more}}`
}

/**
 * JSON text as what a handler returns. `never`, because the type of the response is that of the value, not of its text. A handler that returns
 * the reply instead makes Fastify wait for the end of the response.
 */
export function sendJson(reply: { type(value: string): unknown }, json: string): never {
  void reply.type('application/json; charset=utf-8')
  return json as never
}
