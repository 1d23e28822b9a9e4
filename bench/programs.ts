/*
 * The programs that a benchmark starts beside the service, each in a process of its own: `node bench/programs.ts NAME ...`
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, createReadStream, createWriteStream, openSync, readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isMainThread, workerData } from 'node:worker_threads'
import { createDeflateRaw } from 'node:zlib'
import { type CustomTypesConfig, Pool, types } from 'pg'
import { readCompany } from '#registry/companies/queries.ts'
import type { Client } from '#platform/core/actor.ts'
import { readConfig } from '#platform/core/config.ts'
import type { Sql } from '#platform/core/database.ts'
import { businessDate } from '#kernel/calendar.ts'
import { readEnrollment } from '#coverage/enrollments/queries.ts'
import { readRequest } from '#movements/requests/queries.ts'
import { decoderOf } from '#platform/tables/encoding.ts'
import { readCsvHeader } from '#platform/tables/header.ts'
import { LineReader } from '#platform/tables/line-reader.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { CsvRecords } from '#platform/tables/records.ts'
import type { RowReader } from '#platform/tables/rows.ts'
import { csvLine, lineEnd } from '#platform/tables/write.ts'
import { openSheet } from '#platform/tables/xlsx/sheet.ts'
import { readXml } from '#platform/tables/xlsx/xml.ts'
import { readZip } from '#platform/tables/xlsx/zip.ts'
import { workbookOf } from '#platform/tables/xlsx/zip-writer.ts'
import { cpfAt } from '../test/data/people.ts'
import { hostileWorkbooks } from '../test/platform/tables/hostile-workbooks.ts'
import { expandingFiles } from './expanding-files.ts'
import { columnsOf, drain, percentile, tables } from './bench.ts'

/* Reads as one writes them who has the data in front of them and no other thought: the floors of the lists. */
const asText: CustomTypesConfig = {
  getTypeParser(id, format) {
    return id === types.builtins.DATE ? (value: string) => value : types.getTypeParser(id, format)
  },
}

/** Every row of every person, put together and stringified. */
async function everyMember(pool: Pool, clientId: string): Promise<string> {
  return JSON.stringify({ result: await readMembers(pool, '', [clientId]) })
}

/** One person. */
async function membersByTaxId(pool: Pool, clientId: string, taxId: string): Promise<string> {
  return JSON.stringify({ result: await readMembers(pool, 'and m.tax_id = $2', [clientId, taxId], 'by-tax-id') })
}

/** Counts, then selects: two statements with the same conditions. */
async function pageOfMembers(pool: Pool, clientId: string, query: URLSearchParams): Promise<string> {
  const limit = Number(query.get('items-per-page') ?? 20)
  const page = Number(query.get('page') ?? 1)
  const from = `from entitlement t join member m on m.company_id = t.company_id
    join benefit b on b.company_id = m.company_id and b.member_id = m.id and b.status = 'active' where t.client_id = $1`
  const [{ rows }, result] = await Promise.all([
    pool.query<{ total: number }>(`select count(distinct m.tax_id)::int as total ${from}`, [clientId]),
    readMembers(
      pool,
      `and m.tax_id in (select distinct m.tax_id ${from} order by m.tax_id limit ${limit} offset ${(page - 1) * limit})`,
      [clientId],
    ),
  ])
  const total = rows[0]?.total ?? 0
  return JSON.stringify({
    result,
    pagination: { 'current-page': page, 'total-items': total, 'total-pages': Math.ceil(total / limit) },
  })
}

async function readMembers(pool: Pool, condition: string, values: unknown[], name?: string): Promise<unknown[]> {
  const { rows } = await pool.query<MemberRow>({
    ...(name === undefined ? {} : { name }),
    text: memberRows(condition),
    values,
    types: asText,
  })
  const people = new Map<string, { id: string; profile: unknown; benefits: unknown[] }>()
  for (const row of rows) {
    const { member_id, name, mothers_name, date_of_birth, gender, marital_status, tax_id, ...benefit } = row
    let person = people.get(tax_id)
    if (person === undefined) {
      const profile = {
        name,
        'mothers-name': mothers_name,
        'date-of-birth': date_of_birth,
        gender,
        'marital-status': marital_status,
        'tax-id': tax_id,
      }
      people.set(tax_id, (person = { id: member_id, profile, benefits: [] }))
    }
    person.benefits.push(benefit)
  }
  return [...people.values()]
}

type MemberRow = Record<
  'member_id' | 'name' | 'mothers_name' | 'date_of_birth' | 'gender' | 'marital_status' | 'tax_id',
  string
>

const memberRows = (condition: string) => `
  select m.id as member_id, m.name, m.mothers_name, m.date_of_birth, m.gender, m.marital_status, m.tax_id,
    b.id as "benefit-id", b.status, c.tax_id as "company-tax-id", b.product_id as "product-id", p.name as "product-name",
    p.product_type as "product-type", p.carrier_name as "carrier-name", b.type, b.start_date as "start-date",
    b.end_date as "end-date", b.extension_plan as "extension-plan", b.card_number as "card-number",
    b.dependent_type as "dependent-type", q.tax_id as "primary-member-tax-id"
  from entitlement t
  join company c on c.id = t.company_id
  join member m on m.company_id = t.company_id
  join benefit b on b.company_id = m.company_id and b.member_id = m.id and b.status = 'active'
  join product p on p.company_id = b.company_id and p.id = b.product_id
  left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
  where t.client_id = $1 ${condition}
  order by m.tax_id, b.start_date, b.id`

/** SQL of the items of the whole list as JSON, for COPY. */
export const memberItems = (clientId: string) => `
  select json_build_object('id', m.id, 'profile', json_build_object('name', m.name, 'mothers-name', m.mothers_name,
    'date-of-birth', m.date_of_birth, 'gender', m.gender, 'marital-status', m.marital_status, 'tax-id', m.tax_id),
    'benefits', x.items)
  from entitlement t
  join member m on m.company_id = t.company_id
  join (
    select b.company_id, b.member_id, json_agg(json_build_object('benefit-id', b.id, 'status', b.status, 'company-tax-id', c.tax_id,
      'product-id', b.product_id, 'product-name', p.name, 'product-type', p.product_type, 'carrier-name', p.carrier_name,
      'type', b.type, 'start-date', b.start_date, 'end-date', b.end_date, 'extension-plan', b.extension_plan,
      'card-number', b.card_number, 'dependent-type', b.dependent_type, 'primary-member-tax-id', q.tax_id)
      order by b.start_date, b.id) as items
    from benefit b
    join company c on c.id = b.company_id
    join product p on p.company_id = b.company_id and p.id = b.product_id
    left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
    where b.status = 'active' group by b.company_id, b.member_id
  ) x on x.company_id = m.company_id and x.member_id = m.id
  where t.client_id = '${clientId}' order by m.tax_id`

/** Counts, then selects: two statements with the same conditions. */
async function pageOfInvoices(pool: Pool, clientId: string, query: URLSearchParams): Promise<string> {
  const values: unknown[] = [clientId]
  const placeholder = (value: unknown) => `$${values.push(value)}`
  const from = query.get('from-dt')
  const until = query.get('until-dt')
  const where = `from entitlement t join invoice i on i.company_id = t.company_id join company c on c.id = i.company_id
    where t.client_id = $1 and i.unpaid_due_date is not null
      ${from === null ? '' : `and i.due_date >= ${placeholder(from)}`} ${until === null ? '' : `and i.due_date <= ${placeholder(until)}`}`
  const counted = pool.query<{ total: number }>({ text: `select count(*)::int as total ${where}`, values })
  const limit = Number(query.get('items-per-page') ?? 20)
  const page = Number(query.get('page') ?? 1)
  const items = pool.query({
    text: `select i.id, i.company_id as "company-id", i.invoice_config_id as "invoice-config-id", c.name as "company-name",
        i.carrier_name as "carrier-name", i.amount, i.due_date as "due-date", i.reference_period_start as "reference-period-start",
        i.reference_period_end as "reference-period-end", coalesce((
          select json_agg(json_build_object('file-id', f.file_id, 'name', f.name, 'type', f.type,
            'payment-slip-due-date', f.payment_slip_due_date, 'status', f.status) order by f.created_at, f.file_id)
          from invoice_file f where f.company_id = i.company_id and f.invoice_id = i.id), '[]') as files
      ${where} order by i.due_date, i.id collate "C" limit ${limit} offset ${(page - 1) * limit}`,
    values,
    types: asText,
  })
  const [{ rows }, { rows: result }] = await Promise.all([counted, items])
  const total = rows[0]?.total ?? 0
  return JSON.stringify({
    result,
    pagination: { 'current-page': page, 'total-items': total, 'total-pages': Math.ceil(total / limit) },
  })
}

/*
 * The floor: what a bare `node:http` and `pg` do with the same statements on the same data. No framework, no token, no checks.
 *
 *   node bench/programs.ts floor DATABASE_URL CLIENT_ID
 *
 *   GET  /v1/request/ID, /v1/enrollment/detail/ID, /v1/company/CNPJ   the service's own statements, for that client
 *   GET  /v1/member                             selects every member of that client's companies and their benefits, and stringifies them;
 *                                               with filter=tax-id=CPF those of one person; with page a page of them, and counts them
 *   GET  /v1/invoices/pending-payment           counts and selects a page, as one would write it
 *   GET  /bytes?size=N                          writes so many bytes, 256 KiB at a time
 *   POST /parse                                 receives a body and parses it
 *   POST /bulk                                  inserts the rows of the body; responds with the milliseconds of the transaction
 */
async function floor(args: readonly string[]): Promise<void> {
  const [databaseUrl = '', clientId = ''] = args
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
    if (url.startsWith('/v1/enrollment/detail/'))
      return (
        (await readEnrollment(sql, { ...caller, kind: 'partner' }, url.slice(22), businessDate(new Date())))?.body ??
        null
      )
    if (url === '/v1/member') return everyMember(pool, clientId)
    if (url.startsWith('/v1/member?filter=tax-id%3D')) return membersByTaxId(pool, clientId, url.slice(27))
    if (url.startsWith('/v1/member?')) return pageOfMembers(pool, clientId, new URL(url, 'http://floor').searchParams)
    if (url.startsWith('/v1/invoices/'))
      return pageOfInvoices(pool, clientId, new URL(url, 'http://floor').searchParams)
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
}

/*
 * A receiver of webhooks, and the floor beside which deliveries are measured: a bare loop of `fetch`.
 *
 *   node bench/programs.ts receiver                    receives; GET /figures returns the counts, DELETE /figures resets them
 *   node bench/programs.ts receiver URL COUNT AT_ONCE  sends COUNT events there, and prints the deliveries a second
 */
async function receiver(args: readonly string[]): Promise<void> {
  let latencies: number[] = []
  let firstAt = 0
  let lastAt = 0
  let open = 0
  let maxOpen = 0

  const body = JSON.stringify({
    type: 'enrollment.created',
    timestamp: new Date().toISOString(),
    data: {
      'company-id': '01995e0b-29f4-7b12-8e33-d4c5b6a79808',
      'request-id': '01995e0b-31c7-7f4a-9a55-2b6c7d8e9f01',
      'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22',
      status: 'created',
    },
  })

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    open += 1
    maxOpen = Math.max(maxOpen, open)
    response.on('close', () => (open -= 1))
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url?.startsWith('/dead')) return
      lastAt = Date.now()
      if (latencies.length === 0) firstAt = lastAt
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
      latencies.push(lastAt - Date.parse(timestamp))
      response.writeHead(204).end()
    })
  }

  function figures(): string {
    const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(latencies, percent))
    return JSON.stringify({ count: latencies.length, ms: lastAt - firstAt, p50, p95, p99, maxOpen })
  }

  async function sendAll(url: string, count: number, atOnce: number): Promise<number> {
    let sent = 0
    const start = performance.now()
    const loop = async () => {
      for (; sent < count;) {
        sent += 1
        const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        await response.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, loop))
    return (count * 1_000) / (performance.now() - start)
  }

  const [target, count = '0', atOnce = '1'] = args
  if (target !== undefined) {
    console.log(String(await sendAll(target, Number(count), Number(atOnce))))
  } else {
    const server = createServer((request, response) => {
      if (request.method === 'POST') return receive(request, response)
      if (request.method === 'DELETE') {
        latencies = []
        maxOpen = 0
      }
      return response.writeHead(200, { 'content-type': 'application/json' }).end(figures())
    })
    // Longer than the pause between two readings of the figures, so that their connection is not closed while it is used.
    server.keepAliveTimeout = 72_000
    server.listen(0, '127.0.0.1', () => {
      console.log(`Receiver is listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
    process.on('SIGTERM', () => process.exit(0))
  }
}

/** What an attack needs to know. */
export interface Target {
  readonly url: string
  readonly authorization: string
  /** A second client, for what is limited for each. */
  readonly otherAuthorization: string
  /** An operator, for a file of decisions. */
  readonly adminAuthorization: string
  readonly companyTaxId: string
  /** Path of a request of many parts. */
  readonly requestPath: string
  /** Path of a file of 16 MiB. */
  readonly filePath: string
  /** Path and query of a signed upload address. */
  readonly uploadPath: string
}

/*
 * One hostile client, in a process of its own: `node bench/programs.ts attacker NAME`, with what it needs as JSON in ATTACK.
 * Prints `ready` once the attack is under way, holds it until SIGTERM, then prints what it got: `{ "statuses": { "200": 3 } }`.
 */
async function attacker(args: readonly string[]): Promise<void> {
  const mebibyte = 1024 * 1024
  const statuses: Record<string, number> = {}
  const count = (name: string) => {
    statuses[name] = (statuses[name] ?? 0) + 1
  }
  const stopping = new AbortController()
  process.once('SIGTERM', () => stopping.abort())

  const target = JSON.parse(process.env['ATTACK'] ?? '{}') as Target
  const { hostname, port, host } = new URL(target.url)
  const auth = { authorization: target.authorization }

  function open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
      socket.once('error', reject)
      socket.on('error', () => {})
    })
  }

  function head(method: string, path: string, headers: Record<string, string>): string {
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  }

  /** Sends requests one after the other on one connection, and on a new one when the server closes it. */
  async function loop(next: () => readonly (string | Buffer)[]): Promise<void> {
    while (!stopping.signal.aborted) {
      const socket = await open().catch(() => null)
      if (socket === null) {
        count('refused')
        await pause(100)
        continue
      }
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.on('data', (chunk: Buffer) => {
        const status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1', 0, 12))?.[1]
        if (status === undefined) return
        count(status)
        if (!stopping.signal.aborted && !socket.destroyed) for (const part of next()) socket.write(part)
      })
      stopping.signal.addEventListener('abort', () => socket.destroy())
      for (const part of next()) socket.write(part)
      await ended
      if (!stopping.signal.aborted) count('closed')
    }
  }

  /** Opens connections that send something and then neither send nor read; counts those that get a response. */
  async function hold(connections: number, parts: readonly (string | Buffer)[], reads: boolean): Promise<void> {
    const sockets = await Promise.all(Array.from({ length: connections }, () => open().catch(() => null)))
    for (const socket of sockets) {
      if (socket === null) {
        count('refused')
        continue
      }
      if (reads) {
        socket.on('data', (chunk: Buffer) =>
          count(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1', 0, 12))?.[1] ?? 'more'),
        )
      } else socket.pause()
      socket.once('close', () => !stopping.signal.aborted && count('closed'))
      stopping.signal.addEventListener('abort', () => socket.destroy())
      for (const part of parts) socket.write(part)
    }
  }

  const json = (
    path: string,
    headers: Record<string, string>,
    body: string | Buffer,
    length = Buffer.byteLength(body),
  ) => [head('POST', path, { ...headers, 'content-type': 'application/json', 'content-length': String(length) }), body]

  const unknownKeys = (): string =>
    `{${Array.from({ length: 116_000 }, (_, n) => `"${n.toString(36).padStart(4, '0')}":1`).join(',')}}`

  const portuguese = { 'accept-language': 'pt-BR' }

  /** 10,000 members, each with every error of an empty one. */
  const rejected = (): string =>
    JSON.stringify({
      'company-tax-id': target.companyTaxId,
      members: Array.from({ length: 10_000 }, (_, n) => ({
        'beneficiary-type': 'primary',
        name: `${n}`,
        'tax-id': `${n}`,
      })),
    })

  const wideHeader = (): string => `enrollment-id;status;${'x;'.repeat(160_000)}reason;\n`

  /** Repeats a request on that many connections. */
  function repeat(connections: number, parts: readonly (string | Buffer)[]): void {
    for (let n = 0; n < connections; n += 1) void loop(() => parts)
  }

  const page = '/v1/member?page=1&items-per-page=1&include-inactive=true'

  const attacks: Record<string, () => Promise<void> | void> = {
    range: () => {
      const range = `bytes=${' '.repeat(7_000)}-${' '.repeat(7_000)}x`
      void loop(() => [head('GET', target.filePath, { ...auth, range })])
    },
    keys: () => {
      const body = unknownKeys()
      for (let n = 0; n < 6; n += 1) {
        const path = n % 2 === 0 ? '/v1/authenticate' : '/v1/enrollment/alteration/11144477735'
        void loop(() => json(path, n % 2 === 0 ? {} : auth, body))
      }
    },
    logins: () => {
      for (let n = 0; n < 300; n += 1) {
        const wrong = () =>
          JSON.stringify({
            'client-id': randomBytes(8).toString('hex'),
            'client-secret': randomBytes(32).toString('hex'),
          })
        void loop(() => json('/v1/authenticate', {}, wrong()))
      }
    },
    pages: () => repeat(64, [head('GET', page, auth)]),
    morePages: () => repeat(128, [head('GET', page, auth)]),
    rejected: () => repeat(6, json('/v1/enrollment/inclusion?dry-run=true', { ...auth, ...portuguese }, rejected())),
    parts: () => repeat(4, [head('GET', target.requestPath, { ...auth, ...portuguese, 'accept-encoding': 'br' })]),
    openapi: () => repeat(8, [head('GET', '/openapi.json', { 'accept-encoding': 'br' })]),
    columns: () =>
      repeat(1, [
        head('POST', '/operator/v1/enrollment/decision', {
          authorization: target.adminAuthorization,
          'content-type': 'text/csv',
          'content-length': String(Buffer.byteLength(wideHeader())),
        }),
        wideHeader(),
      ]),
    workbooks: async () => {
      const bodies = hostileWorkbooks.map(({ make }) => make())
      const connections = 8
      for (let n = 0; n < connections; n += 1) {
        let next = Math.floor((n * bodies.length) / connections)
        void loop(() => {
          const body = bodies[(next += 1) % bodies.length] ?? ''
          const headers = {
            authorization: target.adminAuthorization,
            'content-type': xlsxType,
            'content-length': String(body.length),
          }
          return [head('POST', '/operator/v1/member/import?dry-run=true', headers), body]
        })
      }
    },
    tables: async () => {
      for (const body of expandingFiles()) {
        const headers = {
          authorization: target.adminAuthorization,
          accept: 'text/csv',
          'content-type': xlsxType,
          'content-length': String(body.length),
        }
        await hold(20, [head('POST', '/operator/v1/member/import/table', headers), body], false)
      }
    },
    downloads: () => hold(32, [head('GET', target.filePath, auth)], false),
    lists: () => hold(8, [head('GET', '/v1/member', auth)], false),
    uploads: () =>
      hold(
        64,
        [
          head('PUT', target.uploadPath, { 'content-type': 'application/pdf', 'content-length': String(mebibyte) }),
          '%PDF-1.7\n',
        ],
        true,
      ),
    calls: async () => {
      for (const authorization of [target.authorization, target.otherAuthorization]) {
        await hold(256, json('/v1/enrollment/inclusion', { authorization }, '{"company-tax-id": ', 1_000), true)
      }
    },
    bodies: async () => {
      // All of a body but its last byte, 100 times: one buffer, so that the memory measured is the service's.
      const body = Buffer.alloc(16 * mebibyte - 1, ' ')
      await hold(100, json('/v1/enrollment/inclusion', auth, body, body.length + 1), true)
    },
  }

  const [name = ''] = args
  const attack = attacks[name]
  if (attack === undefined) throw new Error(`no such attack: ${name}`)
  await attack()
  console.log('ready')
  // Paused sockets do not keep a process alive.
  const keepRunning = setInterval(() => {}, 1_000)
  await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  clearInterval(keepRunning)
  console.log(JSON.stringify({ statuses }))
  process.exit(0)
}

/* A thread that reads lists over and over, so that what reads them does not delay what is measured beside them. */
async function drainLists(): Promise<void> {
  const { url, path, headers, lists, shared } = workerData as {
    url: string
    path: string
    headers: Record<string, string>
    lists: number
    /** Not 0: enough; how many were read. */
    shared: Int32Array
  }

  async function read(): Promise<void> {
    while (Atomics.load(shared, 0) === 0) {
      await drain(url, path, headers)
      Atomics.add(shared, 1, 1)
    }
  }

  await Promise.all(Array.from({ length: lists }, read))
}

const tableRows = 100_000
const tableHeader = Array.from({ length: 20 }, (_, n) => `Coluna ${n}`)

/** A row of a table of members: texts, CPFs, days. */
const tableRow = (n: number): string[] =>
  tableHeader.map((_, column) =>
    column % 5 === 0
      ? cpfAt(n)
      : column % 5 === 1
        ? `2026-${10 + (n % 3)}-${10 + (n % 18)}`
        : `Conceição Müller ${(n * 7919) % 9973}`,
  )

function* tablePages(): Generator<string[][]> {
  for (let n = 0; n < tableRows; n += 500) yield Array.from({ length: 500 }, (_, at) => tableRow(n + at))
}

function* csvText(): Generator<string> {
  yield `${csvLine(tableHeader)}${lineEnd}`
  for (const page of tablePages()) yield page.map((cells) => `${csvLine(cells)}${lineEnd}`).join('')
}

/** The text of a sheet without rules: what deflates to a workbook, at least. */
function* plainXml(): Generator<string> {
  for (const page of tablePages())
    yield page.map((cells) => `<row>${cells.map((cell) => `<c><is><t>${cell}</t></is></c>`).join('')}</row>`).join('')
}

const anyColumns = { columnOf: (name: string) => ({ name, parse: String }), required: [] }

/** Reads with the service's reader of CSV. @returns the number of cells. */
function readCsv(path: string): number {
  const file = openSync(path, 'r')
  const reader = new LineReader(file, 0)
  const decode = decoderOf('utf-8')
  const next = () => {
    const raw = reader.next()
    return raw && { number: raw.number, text: raw.bytes && decode(raw.bytes) }
  }
  const records = new CsvRecords({ next }, Infinity)
  const header = readCsvHeader(records.text()?.text ?? '', anyColumns.columnOf, {
    maxColumns: 256,
    maxCharacters: 16_384,
  })
  if ('error' in header) throw new Error(header.error)
  const cells = countCells(records.under(header))
  closeSync(file)
  return cells
}

function countCells(rows: RowReader): number {
  let count = 0
  for (let row = rows.next(); row !== null; row = rows.next()) count += row.cells?.length ?? 0
  return count
}

async function readXlsx(path: string): Promise<number> {
  const sheet = await openSheet({ bytes: readFileSync(path), sheet: undefined, folder: dirname(path) }, anyColumns)
  const cells = countCells(sheet.rows)
  sheet.close()
  return cells
}

/** The parts of a line, whatever is in quotes. */
async function splitLines(path: string): Promise<number> {
  let count = 0
  for await (const line of createInterface({ input: createReadStream(path) })) count += line.split(';').length
  return count - tableHeader.length
}

/** Inflates the sheet and takes its XML apart, without using it. */
async function parseXml(path: string): Promise<number> {
  const entry = (await readZip(readFileSync(path))).get('xl/worksheets/sheet1.xml')
  if (entry === undefined) throw new Error('no sheet')
  let count = 0
  await readXml(entry, { open: (name) => (count += Number(name === 'c')) })
  return count - tableHeader.length
}

const columnsOfTable = tableHeader.map((header, column) => ({ header, isDate: column % 5 === 1 }))

const tableWork: Readonly<Record<string, (path: string) => Promise<unknown> | number>> = {
  'write-csv': (path) => pipeline(csvText(), createWriteStream(path)),
  'write-csv-floor': (path) =>
    pipeline(function* () {
      for (const page of tablePages()) yield page.map((cells) => `${cells.join(';')}\n`).join('')
    }, createWriteStream(path)),
  'write-xlsx': (path) => pipeline(workbookOf('Vidas', columnsOfTable, tablePages()), createWriteStream(path)),
  'write-xlsx-floor': (path) => pipeline(plainXml(), createDeflateRaw(), createWriteStream(path)),
  'read-csv': readCsv,
  'read-csv-floor': splitLines,
  'read-xlsx': readXlsx,
  'read-xlsx-floor': parseXml,
}

/* Writes or reads a table of 100,000 rows of 20 columns: `node bench/programs.ts table WORK FILE`; prints milliseconds, and MiB at most. */
async function table([work = '', path = '']: readonly string[]): Promise<void> {
  const started = performance.now()
  const cells = await tableWork[work]?.(path)
  const milliseconds = performance.now() - started
  if (typeof cells === 'number' && cells !== tableRows * tableHeader.length) throw new Error(`${cells} cells`)
  const peak = Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
  console.log(JSON.stringify({ milliseconds, peak }))
}

const programs: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  floor,
  receiver,
  attacker,
  table,
}
const [program = '', ...args] = process.argv.slice(2)

if (!isMainThread) await drainLists()
else if (import.meta.main) await programs[program]?.(args)
