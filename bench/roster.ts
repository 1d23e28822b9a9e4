/*
 * Lists of who should be covered, compared with who is: 10,000 people with 200 changes, and 200,000 with 2,000: how long they take from the upload until
 * the draft is there, what memory the service needs, and what reads of partners take meanwhile. `node bench/roster.ts [PEOPLE]` (Linux)
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { finished } from 'node:stream/promises'
import { cpfAt } from '../test/data/people.ts'
import {
  call,
  connected,
  drive,
  getRequest,
  makePartner,
  ms,
  type Partner,
  percentile,
  printTable,
  type Program,
  runBench,
  times,
  verdict,
} from './bench.ts'

type Json = Record<string, unknown>

const most = Number(process.argv[2] ?? 200_000)
const sizes = [
  { people: Math.min(10_000, most), changes: 200, maxMilliseconds: 3_000 },
  { people: most, changes: Math.round(most / 100), maxMilliseconds: 60_000 },
]
const maxMiB = 300
/** The p99 of reads meanwhile, as a multiple of that alone. */
const maxOfAlone = 3
const readsInFlight = 4

interface Person {
  readonly taxId: string
  readonly primaryTaxId: string | null
  readonly name: string
  readonly dateOfBirth: string
  readonly employeeId: string | null
}

/** Families of two: a primary and a child. */
const personAt = (n: number, base: number): Person => ({
  taxId: cpfAt(base + n),
  primaryTaxId: n % 2 === 0 ? null : cpfAt(base + n - 1),
  name: `Pessoa Número ${n} Souza`,
  dateOfBirth: new Date(Date.UTC(1960, 0, 1 + (n % 20_000))).toISOString().slice(0, 10),
  employeeId: n % 2 === 0 ? `V-${n}` : null,
})

/** The people as they are here. */
async function cover(
  databaseUrl: string,
  companyTaxId: string,
  productId: string,
  people: readonly Person[],
): Promise<void> {
  const client = await connected(databaseUrl)
  await client.query(
    `with sent as materialized (
       select company.id as company_id, md5(company.id || one."taxId")::uuid as member_id, one.*,
         case when "primaryTaxId" is not null then md5(company.id || one."primaryTaxId")::uuid end as primary_id
       from company, json_to_recordset($2::json) as one("taxId" text, "primaryTaxId" text, name text, "dateOfBirth" date, "employeeId" text)
       where company.tax_id = $1
     ), member as (
       insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, employee_id, cost_center, created_at, updated_at)
       select company_id, member_id, "taxId", name, 'Rita Lima', "dateOfBirth", 'female', "employeeId", '4200', '2024-01-01', '2024-01-01' from sent
     )
     insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date, created_at, updated_at)
     select company_id, md5(member_id::text)::uuid, member_id, $3, case when primary_id is null then 'primary' else 'dependent' end, primary_id,
       case when primary_id is not null then 'child' end, 'active', '2024-01-01', '2024-01-01', '2024-01-01' from sent`,
    [companyTaxId, JSON.stringify(people), productId],
  )
  await client.query('analyze member, benefit')
  await client.end()
}

/** The list as NDJSON: a quarter of the changes each are joiners, leavers, corrections, and other cost centers. */
function listOf(people: readonly Person[], changes: number, base: number, productName: string): string {
  const each = Math.floor(changes / 4)
  const every = Math.max(2, Math.floor(people.length / each / 2)) * 2
  const lines: string[] = []
  const line = (one: Person, more: Json = {}) =>
    lines.push(
      JSON.stringify({
        'tax-id': one.taxId,
        'beneficiary-type': one.primaryTaxId === null ? 'primary' : 'dependent',
        name: one.name,
        'mothers-name': 'Rita Lima',
        'date-of-birth': one.dateOfBirth,
        gender: 'female',
        'product-name': productName,
        ...(one.employeeId === null ? {} : { 'employee-id': one.employeeId, 'cost-center': '4200' }),
        ...(one.primaryTaxId === null ? {} : { 'primary-member-tax-id': one.primaryTaxId, 'dependent-type': 'child' }),
        ...more,
      }),
    )
  const made = { leavers: 0, corrections: 0, centers: 0 }
  for (const [n, one] of people.entries()) {
    // A leaver leaves with the child.
    const isLeaver = made.leavers < each && n % every === 0
    if (isLeaver) made.leavers += 1
    if (isLeaver || (n % every === 1 && n / every < each)) continue
    if (made.corrections < each && n % every === 2) {
      made.corrections += 1
      line(one, { 'mothers-name': 'Rita de Cássia Lima' })
    } else if (made.centers < each && n % every === (every > 4 ? 4 : 2)) {
      made.centers += 1
      line(one, { 'cost-center': '4300' })
    } else line(one)
  }
  for (let n = 0; n < each; n += 1) {
    line({ ...personAt(2 * n, base), employeeId: `N-${n}` }, { 'admission-date': '2026-11-02' })
  }
  return `${lines.join('\n')}\n`
}

interface Took {
  readonly read: number
  readonly total: number
  readonly counts: string
}

/** Sends a list and waits for its draft. */
async function sync({ url }: Program, partner: Partner, taxId: string, list: string): Promise<Took> {
  const start = performance.now()
  const made = await call(url, 'POST', '/v1/roster-sync', partner.headers, {
    'company-tax-id': taxId,
    states: ['people', 'dependents', 'products'],
    defaults: { 'start-option': 'on-inclusion-date' },
  })
  const path = `/v1/roster-sync/${String((made['result'] as Json)['roster-sync-id'])}`
  const response = await fetch(`${url}${path}/file`, {
    method: 'PUT',
    headers: { ...partner.headers, 'content-type': 'application/x-ndjson' },
    body: list,
  })
  if (!response.ok) throw new Error(await response.text())
  let read = 0
  for (;;) {
    const { result } = (await call(url, 'GET', path, partner.headers)) as { result: Json }
    if (read === 0 && !['open', 'reading'].includes(String(result['status']))) read = performance.now()
    if (result['status'] === 'compared') {
      const total = performance.now() - start
      const { result: draft } = (await call(
        url,
        'GET',
        `/v1/movement-draft/${String(result['draft-id'])}`,
        partner.headers,
      )) as { result: { counts: Json[] } }
      const counts = draft.counts
        .map((one) => `${String(one['class'])} ${Number(one['proposed']) + Number(one['held'])}`)
        .join(', ')
      return { read: read - start, total, counts }
    }
    if (['failed', 'cancelled'].includes(String(result['status']))) throw new Error(JSON.stringify(result))
    await pause(100)
  }
}

/** `\copy` of the same lines into a table like theirs. */
async function copyAlone(databaseUrl: string, list: string): Promise<number> {
  const client = await connected(databaseUrl)
  await client.query(
    'create unlogged table floor (position integer generated always as identity primary key, data jsonb)',
  )
  const start = performance.now()
  const copy = client.query(
    copyFrom(`copy floor (data) from stdin with (format csv, delimiter e'\\x02', quote e'\\x01')`),
  )
  copy.end(list)
  await finished(copy)
  const took = performance.now() - start
  await client.query('drop table floor')
  await client.end()
  return took
}

await runBench(30, async (bench) => {
  const service = await bench.service(bench.url, { VIGENCIA_BUSINESS_DATE: '2026-12-01' })
  const partner = await makePartner(service.url, sizes.length)
  const rows = [['people', 'changes', 'lines read', 'of \\copy', 'draft', 'wanted', 'memory', 'wanted', 'items']]
  let large = { taxId: '', list: '', reads: [] as Buffer[] }
  for (const [n, { people: count, changes, maxMilliseconds }] of sizes.entries()) {
    const taxId = partner.companyTaxIds[n] ?? ''
    const { result: products } = (await call(
      service.url,
      'GET',
      `/v1/product?company-tax-id=${taxId}`,
      partner.headers,
    )) as {
      result: Json[]
    }
    const product = products.find((one) => one['product-type'] === 'health-insurance') ?? {}
    const base = n * 1_000_000
    const people = Array.from({ length: count }, (_, one) => personAt(one, base))
    await cover(bench.url, taxId, String(product['product-id']), people)
    const list = listOf(people, changes, base + 500_000, String(product['product-name']))
    const floor = await copyAlone(bench.url, list)
    const before = service.settleMemory()
    const took = await sync(service, partner, taxId, list)
    const more = service.peakMemory() - before
    rows.push([
      count.toLocaleString('en'),
      changes.toLocaleString('en'),
      ms(took.read),
      times(took.read / floor),
      ms(took.total),
      verdict(took.total, 'at most', maxMilliseconds, ' ms'),
      `${more.toFixed(1)} MiB`,
      verdict(more, 'at most', maxMiB, ' MiB'),
      took.counts,
    ])
    large = {
      taxId,
      list,
      reads: people
        .slice(0, 200)
        .map((one) => getRequest(service.url, `/v1/member?filter=tax-id%3D${one.taxId}`, partner.headers)),
    }
  }
  printTable(`Lists of people, load ${loadavg()[0]?.toFixed(1)}`, rows)

  const load = (until?: Promise<unknown>) =>
    drive(service.url, large.reads, {
      inFlight: readsInFlight,
      milliseconds: until === undefined ? 10_000 : 600_000,
      pauseMs: 5,
      ...(until === undefined ? {} : { until }),
    })
  await load()
  const alone = [...(await load()).latencies]
  const work = sync(service, partner, large.taxId, large.list)
  const beside = (await load(work)).latencies
  await work
  alone.push(...(await load()).latencies)
  const ratio = percentile(beside, 99) / percentile(alone, 99)
  const row = (name: string, values: readonly number[]) => [
    name,
    values.length.toLocaleString('en'),
    ...[50, 95, 99].map((percent) => ms(percentile(values, percent))),
  ]
  printTable(`Reads of a member by CPF, ${readsInFlight} in flight, load ${loadavg()[0]?.toFixed(1)}`, [
    ['reads', 'responses', 'p50', 'p95', 'p99', 'wanted of p99'],
    [...row('alone', alone), ''],
    [...row('while the list is compared', beside), `${times(ratio)} ${verdict(ratio, 'at most', maxOfAlone)}`],
  ])
})
