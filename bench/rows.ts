import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { Client, type ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { tables } from './tables.ts'

/** The rows of a request by table; `member` are the new ones. */
const madeBy: Record<(typeof tables)[number], string> = {
  member: `select m.* from member m where m.company_id = $company
    and m.id in (select e.member_id from enrollment e where e.request_id = $request)`,
  benefit: `select b.* from benefit b where b.company_id = $company
    and b.id in (select e.benefit_id from enrollment e where e.request_id = $request)`,
  enrollment: 'select e.* from enrollment e where e.request_id = $request',
  event: `select v.* from event v where v.company_id = $company and v.data ->> 'request-id' = $text
    and v.type = 'enrollment.created'`,
}

export interface Made {
  /** The request as JSON; read before the measurement starts. */
  readonly request: string
  /** The rows of each table as one JSON object, for the floor. */
  readonly json: string
  /** The rows of each table in COPY's text format. */
  readonly copies: readonly (readonly [table: string, data: Buffer])[]
  readonly rowCount: number
}

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // When the bench ends early, the error is reported elsewhere.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** SQL: the columns of a table that are not generated, which nobody may insert. */
export async function columnsOf(client: ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]?.columns ?? ''
}

/** Reads the rows that the processing of a request inserted, in the order of the tables. */
export async function takeDown(client: Client, requestId: string): Promise<Made> {
  const { rows } = await client.query<{ companyId: string; request: string }>(
    'select company_id as "companyId", row_to_json(r)::text as request from request r where id = $1',
    [requestId],
  )
  const [{ companyId, request } = { companyId: '', request: '' }] = rows
  const parts: string[] = []
  const copies: [string, Buffer][] = []
  let rowCount = 0
  for (const table of tables) {
    const columns = await columnsOf(client, table)
    const made = madeBy[table]
      .replaceAll('$company', `'${companyId}'::uuid`)
      .replaceAll('$request', `'${requestId}'::uuid`)
      .replaceAll('$text', `'${requestId}'`)
    const json = await client.query<{ list: string; count: string }>(
      `select coalesce(json_agg(x), '[]')::text as list, count(*) from (${made}) x`,
    )
    parts.push(`"${table}":${json.rows[0]?.list}`)
    rowCount += Number(json.rows[0]?.count)
    copies.push([
      `${table} (${columns})`,
      await buffer(client.query(copyTo(`copy (select ${columns} from (${made}) x) to stdout`))),
    ])
  }
  return { request, json: `{${parts.join()}}`, copies, rowCount }
}

/** The request that the rows belong to. */
export async function insertRequest(client: Client, { request }: Made): Promise<void> {
  await client.query('insert into request select * from json_populate_recordset(null::request, $1::json)', [
    `[${request}]`,
  ])
}

/** COPY of the rows, as psql would, in one durable transaction. @returns its milliseconds. */
export async function copyAll(client: Client, { copies }: Made): Promise<number> {
  const start = performance.now()
  await client.query('begin')
  for (const [table, data] of copies) {
    const stream = client.query(copyFrom(`copy ${table} from stdin`))
    stream.end(data)
    await once(stream, 'finish')
  }
  await client.query('commit')
  return performance.now() - start
}
