import type { Sql } from '../core/database.ts'
import { equals, Parameters } from '../core/parameters.ts'
import type { Page } from './page.ts'
import { pageBounds, type PageQuery } from './schemas.ts'

/** The SQL of the condition that a parameter of the query sets. @param parameter the number of its value, as `$1`. */
type Condition = (parameter: string) => string

/** The condition of each parameter of a query but those of the page. */
export type Where<Query> = { readonly [Key in Exclude<keyof Query, keyof PageQuery>]-?: Condition }

interface Listed<Query> {
  /** SQL after `from`, without conditions. */
  readonly from: string
  /** SQL of an item, as JSON. */
  readonly item: string
  /** SQL of its order, the same in each page: it ends with the id. */
  readonly order: string
  readonly where: Where<Query>
  /** SQL of an aggregate over all that the filters select, as JSON. */
  readonly totals?: string
}

/** SQL of the conditions of the parameters that a query has. */
export function conditionsOf<Query>(where: Partial<Where<Query>>, query: Query, parameters: Parameters): string[] {
  return (Object.entries(where) as [keyof Query, Condition][]).flatMap(([key, condition]) =>
    query[key] === undefined ? [] : [condition(parameters.add(query[key]))],
  )
}

/** The pages of a list whose filters are the parameters of its query. */
export function pages<Query extends PageQuery>({ from, item, order, where, totals }: Listed<Query>) {
  /** @param of the values of columns that all of the list have, such as its company, by the SQL of the column. */
  return async (sql: Sql, query: Query, of: Readonly<Record<string, unknown>> = {}): Promise<Page> => {
    const parameters = new Parameters()
    const named = [
      ...Object.entries(of).map(([column, value]) => equals(column)(parameters.add(value))),
      ...conditionsOf(where, query, parameters),
    ]
    const selected = `from ${from}${named.length === 0 ? '' : ` where ${named.join(' and ')}`}`
    const { limit, offset } = pageBounds(query)
    const [page] = await sql.queryPlanned<Page>(
      `select counted.*, (select coalesce(json_agg(page.item), '[]')::text from (
         select ${item} as item ${selected} order by ${order} limit ${parameters.add(limit)} offset ${parameters.add(offset)}) page) as items
       from (select count(*) as total${totals === undefined ? '' : `, (${totals})::text as totals`} ${selected}) counted`,
      parameters.values,
    )
    return page ?? { total: 0, items: '[]' }
  }
}

/** Reads one of a list by its id, as `{ "result": item }`; null: there is none. @param id SQL of its column. */
export function readerOf({ from, item }: Pick<Listed<unknown>, 'from' | 'item'>, id = `${from.split(/\s/, 1)[0]}.id`) {
  return async (sql: Sql, value: string): Promise<string | null> => {
    const [row] = await sql.query<{ body: string }>(
      `select json_build_object('result', ${item})::text as body from ${from} where ${id} = $1`,
      [value],
    )
    return row?.body ?? null
  }
}
