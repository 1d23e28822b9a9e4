import type { Page } from './page.ts'
import { pagination, type PageQuery } from './schemas.ts'

/** The body of a list whose items are JSON from PostgreSQL. */
export function listBody({ total, items, totals }: Page, query: PageQuery): string {
  const more = totals === undefined ? '' : `,"totals":${totals}`
  return `{"result":${items},"pagination":${JSON.stringify(pagination(query, total))}${more}}`
}

/** Sends JSON text. `never`, because the type of the response is that of the value, not of its text. */
export function sendJson<Reply>(reply: { type(value: string): { send(payload: never): Reply } }, json: string): Reply {
  return reply.type('application/json; charset=utf-8').send(json as never)
}
