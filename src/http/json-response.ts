import type { Page } from './page.ts'
import { pagination, type PageQuery } from './schemas.ts'

/** The body of a list whose items PostgreSQL wrote. */
export function listBody(page: Page, query: PageQuery): string {
  return `{"result":${page.items},"pagination":${JSON.stringify(pagination(query, page.total))}}`
}

/** Passes on JSON that is written already. `never`: the route's schema describes the value, and this is its text. */
export function sendJson<Reply>(reply: { type(value: string): { send(payload: never): Reply } }, json: string): Reply {
  return reply.type('application/json; charset=utf-8').send(json as never)
}
