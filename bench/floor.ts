/*
 * The floor: what a bare `node:http` and `pg` do with the same statements on the same data. No framework, no token, no checks.
 *
 *   node bench/floor.ts DATABASE_URL CLIENT_ID
 *
 *   GET  /v1/request/ID, /v1/enrollment/detail/ID, /v1/company/CNPJ   the service's own statements, for that client
 *   GET  /v1/member                             selects every member of that client's companies and their benefits, and stringifies them;
 *                                               with filter=tax-id=CPF those of one person; with page a page of them, and counts them
 *   GET  /v1/invoices/pending-payment           counts and selects a page, as one would write it
 *   GET  /bytes?size=N                          writes so many bytes, 256 KiB at a time
 *   POST /parse                                 receives a body and parses it
 *   POST /bulk                                  inserts the rows of the body; responds with the milliseconds of the transaction
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { columnsOf } from './rows.ts'
import type { Client } from '../src/core/actor.ts'
import { readCompany } from '../src/companies/queries.ts'
import { readEnrollment } from '../src/enrollments/queries.ts'
import { readConfig } from '../src/core/config.ts'
import type { Sql } from '../src/core/database.ts'
import { readRequest } from '../src/requests/queries.ts'
import { everyMember, membersByTaxId, pageOfInvoices, pageOfMembers } from './plain-reads.ts'
import { tables } from './tables.ts'

const [databaseUrl = '', clientId = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: readConfig({}).databaseConnections })
const caller: Client = { clientId }

const names = new Map<string, string>()
const nameOf = (text: string) => {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url').slice(0, 20)
  names.set(text, name)
  return name
}
const query: Sql['query'] = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
  (await pool.query<Row>({ name: nameOf(text), text, values: values as unknown[] })).rows
const sql: Sql = {
  query,
  queryPlanned: query,
  execute: async () => 0,
  now: () => new Date(),
}

async function responseTo(request: IncomingMessage): Promise<string | null> {
  const url = request.url ?? ''
  if (url.startsWith('/v1/request/')) return (await readRequest(sql, caller, url.slice(12)))?.body ?? null
  if (url.startsWith('/v1/company/')) return (await readCompany(sql, caller, url.slice(12)))?.body ?? null
  if (url.startsWith('/v1/enrollment/detail/')) return (await readEnrollment(sql, caller, url.slice(22)))?.body ?? null
  if (url === '/v1/member') return everyMember(pool, clientId)
  if (url.startsWith('/v1/member?filter=tax-id%3D')) return membersByTaxId(pool, clientId, url.slice(27))
  if (url.startsWith('/v1/member?')) return pageOfMembers(pool, clientId, new URL(url, 'http://floor').searchParams)
  if (url.startsWith('/v1/invoices/')) return pageOfInvoices(pool, clientId, new URL(url, 'http://floor').searchParams)
  if (url === '/parse') return JSON.stringify({ members: JSON.parse(await textOf(request)).members.length })
  if (url === '/bulk') return JSON.stringify({ ms: await insertAll(JSON.parse(await textOf(request))) })
  return null
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** One statement a table, one transaction; the clock starts with the rows at hand as text. */
async function insertAll(sent: Record<string, unknown[]>): Promise<number> {
  const texts = tables.map((table) => [table, JSON.stringify(sent[table])] as const)
  const client = await pool.connect()
  const columnsByTable = new Map<string, string>()
  for (const table of tables) columnsByTable.set(table, await columnsOf(client, table))
  const start = performance.now()
  try {
    await client.query('begin')
    for (const [table, text] of texts) {
      const columns = columnsByTable.get(table)
      const rows = `json_populate_recordset(null::${table}, $1::json)`
      await client.query(`insert into ${table} (${columns}) select ${columns} from ${rows}`, [text])
    }
    await client.query('commit')
    return performance.now() - start
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  const size = /^\/bytes\?size=(\d+)$/.exec(request.url ?? '')?.[1]
  void (size === undefined ? respond(request, response) : writeBytes(response, Number(size)))
})

async function writeBytes(response: ServerResponse, size: number): Promise<void> {
  const piece = Buffer.alloc(256 * 1024, 1)
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
  for (let left = size; left > 0; left -= piece.length) {
    const goesOn = response.write(left < piece.length ? piece.subarray(0, left) : piece)
    if (!goesOn) await once(response, 'drain')
  }
  response.end()
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await responseTo(request)
    const text = body ?? '{}'
    response.writeHead(body === null ? 404 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  } catch (error) {
    console.error(error)
    response.writeHead(500, { 'content-length': 0 }).end()
  }
}

server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => {
  console.log(`Floor is listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
