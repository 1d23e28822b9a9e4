/*
 * What the statements of calls read in a large company: the blocks of 8 KiB that they touch, and their time, by `pg_stat_statements`. One company of
 * 60,000 primaries without dependents, one of 200,000 members, a primary and two dependents each. `node bench/statements.ts [DECISIONS]`: so
 * many exclusions are completed too, in calls of 200.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  type Bench,
  type Program,
  call,
  connected,
  entitle,
  idOf,
  makeBook,
  makePartner,
  ms,
  operator,
  payroll,
  printTable,
  runBench,
  signIn,
  startPeopleAfter,
} from './bench.ts'

const decisions = Number(process.argv[2] ?? 10_000)
const perCall = 200
const [today, later] = ['2026-11-24', '2027-01-15']

type Headers = Record<string, string>

interface Side {
  readonly url: string
  readonly client: Client
  readonly partner: Headers
  readonly admin: Headers
  readonly companyTaxId: string
  readonly companyId: string
}

interface Statement {
  readonly text: string
  readonly calls: number
  readonly milliseconds: number
  readonly blocks: number
}

const rows: string[][] = []

/** Measures the statements of `work`, and what the worker runs meanwhile. */
async function measure(client: Client, name: string, work: () => Promise<unknown>): Promise<void> {
  await client.query('select pg_stat_statements_reset()')
  const start = performance.now()
  const failure = await work().then(
    () => '',
    (error: unknown) => ` (${String(error).match(/: (\d{3}) /)?.[1] ?? String(error)})`,
  )
  const took = performance.now() - start
  const { rows: statements } = await client.query<Statement>(
    `select query as text, calls::int, total_exec_time as milliseconds, (shared_blks_hit + shared_blks_read)::float8 as blocks
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
       and query not like '%pg_stat_statements%' order by total_exec_time desc`,
  )
  const total = (value: (statement: Statement) => number) => statements.reduce((sum, one) => sum + value(one), 0)
  const [slowest] = statements
  rows.push([
    name + failure,
    ms(took),
    String(total((one) => one.calls)),
    ms(total((one) => one.milliseconds)),
    total((one) => one.blocks).toLocaleString('en'),
    slowest === undefined
      ? ''
      : `${ms(slowest.milliseconds)}, ${slowest.blocks.toLocaleString('en')}: ${slowest.text.replaceAll(/\s+/g, ' ').slice(0, 70)}`,
  ])
}

/** Reads of partners and operators. */
async function measureReads({ url, client, partner, admin, companyTaxId }: Side): Promise<void> {
  const [member] = (
    await client.query<{ id: string; taxId: string }>('select id, tax_id as "taxId" from member order by id limit 1')
  ).rows
  const [inclusion] = (
    await client.query<{ id: string }>(`select id from enrollment where member_id = $1`, [member?.id])
  ).rows
  const ofPartner = [
    '/v1/member?page=1&items-per-page=500',
    '/v1/member?page=100&items-per-page=500',
    `/v1/member?filter=tax-id%3D${member?.taxId}`,
    '/v1/member?filter=cost-center%3DCC-7',
    '/v1/member?updated-since=2999-01-01T00%3A00%3A00Z',
    `/v1/member/${member?.id}`,
    '/v1/benefit?items-per-page=500',
    `/v1/benefit?company-tax-id=${companyTaxId}&items-per-page=500`,
    `/v1/benefit?company-tax-id=${companyTaxId}&items-per-page=500&page=100`,
    `/v1/benefit?member-tax-id=${member?.taxId}`,
    '/v1/enrollment/history?items-per-page=500',
    `/v1/enrollment/history?company-tax-id=${companyTaxId}&items-per-page=500`,
    `/v1/enrollment/history?member-tax-id=${member?.taxId}`,
    `/v1/request?company-tax-id=${companyTaxId}&items-per-page=500`,
  ]
  const ofOperator = [
    '/operator/v1/enrollment?items-per-page=500',
    '/operator/v1/enrollment?status=open&sort=due-date&items-per-page=500',
    `/operator/v1/enrollment?company-tax-id=${companyTaxId}&items-per-page=500`,
    `/operator/v1/enrollment?member-tax-id=${member?.taxId}`,
    '/operator/v1/enrollment?q=kobayashi',
    `/operator/v1/enrollment/${inclusion?.id}`,
    `/operator/v1/member/${member?.id}`,
    `/operator/v1/member?company-tax-id=${companyTaxId}&items-per-page=500`,
    '/operator/v1/member?q=muller',
    `/operator/v1/benefit?company-tax-id=${companyTaxId}&items-per-page=500`,
    `/operator/v1/benefit?member-tax-id=${member?.taxId}`,
    `/operator/v1/request?company-tax-id=${companyTaxId}&items-per-page=500`,
    '/operator/v1/statistics?from-dt=2026-11-01&until-dt=2026-11-24',
  ]
  const shown = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(?<==|%3D)\d{11,14}/g, '…')
  for (const path of ofPartner) await measure(client, `GET ${shown(path)}`, () => call(url, 'GET', path, partner))
  for (const path of ofOperator) await measure(client, `GET ${shown(path)}`, () => call(url, 'GET', path, admin))
}

/** Sends a batch of a partner and waits until it is processed. @returns its enrollments of primaries. */
async function sendBatch(side: Side, name: string, path: string, body: string): Promise<string[]> {
  let requestId = ''
  await measure(side.client, name, async () => {
    const made = await call(side.url, 'POST', path, side.partner, body)
    requestId = String(made['request-id'])
    for (;;) {
      const { rows: open } = await side.client.query(`select from request where id = $1 and status = 'processing'`, [
        requestId,
      ])
      if (open.length === 0) break
      await pause(50)
    }
  })
  const { rows: made } = await side.client.query<{ id: string }>(
    `select id from enrollment where request_id = $1 and member_type = 'primary' order by id`,
    [requestId],
  )
  return made.map(({ id }) => id)
}

const transition = ({ url, admin }: Side, ids: readonly string[], status: string, more: Record<string, unknown> = {}) =>
  call(url, 'POST', '/operator/v1/enrollment/transition', admin, { 'enrollment-ids': ids, status, ...more })

/** Primaries of the book that have no other movement yet. */
async function nextPrimaries({ client }: Side, count: number): Promise<{ id: string; taxId: string }[]> {
  const { rows: found } = await client.query<{ id: string; taxId: string }>(
    `select m.id, m.tax_id as "taxId" from member m join benefit b on b.company_id = m.company_id and b.member_id = m.id
     where b.type = 'primary' and b.status = 'active' and b.product_id = ${idOf('0002', '2')}
       and not exists (select from enrollment e where e.member_id = m.id and e.enrollment_type <> 'inclusion')
     order by m.id limit $1`,
    [count],
  )
  return found
}

const leavers = (side: Side, people: readonly { readonly taxId: string }[], endDate: string) =>
  JSON.stringify({
    'company-tax-id': side.companyTaxId,
    members: people.map(({ taxId }) => ({
      'tax-id': taxId,
      'exclusion-details': { 'end-date': endDate, 'exclusion-reason': 'resignation' },
    })),
  })

/** Movements and their decisions. */
async function measureMovements(side: Side): Promise<void> {
  const { url, client, partner } = side
  const included = await sendBatch(
    side,
    'inclusion of 400',
    '/v1/enrollment/inclusion',
    payroll(side.companyTaxId, 400),
  )
  const [answered = '', ...others] = included
  await transition(side, [answered], 'pending-correction', {
    reason: 'Nome',
    'pending-items': [{ kind: 'field', field: 'name', message: 'Nome' }],
  })
  await measure(client, 'answer to one of them', () =>
    call(url, 'POST', `/v1/enrollment/${answered}/answer`, partner, { data: { name: 'Ana Lima' } }),
  )
  await measure(client, 'complete 1 inclusion', () => transition(side, others.slice(0, 1), 'completed'))
  await measure(client, 'complete 100 inclusions', () => transition(side, others.slice(1, 101), 'completed'))
  await measure(client, 'reject 90 inclusions', () =>
    transition(side, others.slice(101, 191), 'rejected', { reason: 'Fora' }),
  )

  const people = await nextPrimaries(side, 2 * perCall)
  const now = await sendBatch(
    side,
    'exclusion of 200',
    '/v1/enrollment/exclusion',
    leavers(side, people.slice(0, perCall), today),
  )
  await measure(client, 'complete 1 exclusion', () => transition(side, now.slice(0, 1), 'completed'))
  await measure(client, 'complete 199 exclusions', () => transition(side, now.slice(1), 'completed'))
  const ahead = await sendBatch(
    side,
    'exclusion of 200, ahead',
    '/v1/enrollment/exclusion',
    leavers(side, people.slice(perCall), '2026-12-31'),
  )
  await measure(client, 'complete 200 exclusions ahead', () => transition(side, ahead, 'completed'))

  const [single, ...changing] = await nextPrimaries(side, 41)
  await measure(client, 'exclusion of one person', () =>
    call(url, 'POST', `/v1/enrollment/exclusion/${single?.taxId}/company/${side.companyTaxId}`, partner, {
      'exclusion-details': { 'end-date': today, 'exclusion-reason': 'resignation' },
    }),
  )
  const change = (days: string) => async () => {
    for (const { taxId } of changing.splice(0, 20)) {
      await call(url, 'POST', `/v1/enrollment/alteration/${taxId}`, partner, {
        'alteration-data': { 'new-product-id': newProductId, 'requested-start-date': days, reason: 'Promotion' },
      })
    }
  }
  const { rows: products } = await client.query<{ id: string }>(`select id from product where position = 2`)
  const newProductId = products[0]?.id
  for (const days of [today, '2027-01-01']) {
    await measure(client, `20 plan changes from ${days}`, change(days))
    const { rows: changes } = await client.query<{ id: string }>(
      `select id from enrollment where enrollment_type = 'alteration' and status not in ('completed', 'rejected', 'cancelled')`,
    )
    await measure(client, `complete 20 plan changes from ${days}`, () =>
      transition(
        side,
        changes.map(({ id }) => id),
        'completed',
      ),
    )
  }
}

/** Many exclusions, decided in calls as large as a call may be. */
async function measureDecisions(side: Side): Promise<void> {
  const people = await nextPrimaries(side, decisions)
  const ids: string[] = []
  for (let from = 0; from < people.length; from += 5_000) {
    const part = people.slice(from, from + 5_000)
    ids.push(
      ...(await sendBatch(side, `exclusion of ${part.length}`, '/v1/enrollment/exclusion', leavers(side, part, today))),
    )
  }
  await side.client.query('analyze enrollment')
  await measure(side.client, `complete ${ids.length} exclusions, ${perCall} a call`, async () => {
    for (let from = 0; from < ids.length; from += perCall)
      await transition(side, ids.slice(from, from + perCall), 'completed')
  })
}

async function measureDueWork(client: Client, start: () => Promise<Program>): Promise<void> {
  await measure(client, 'due on a later day: 200 ends and 20 plan changes', async () => {
    await start()
    for (;;) {
      const { rows: due } = await client.query(
        `select from benefit where (status = 'active' and end_date <= $1) or (status = 'pending' and replaces_id is not null and start_date <= $1) limit 1`,
        [later],
      )
      if (due.length === 0) break
      await pause(100)
    }
  })
}

async function measureBook(bench: Bench, name: string, book: { members: number; familySize: number }): Promise<void> {
  const databaseUrl = await bench.database(name)
  const service = await bench.service(databaseUrl, { VIGENCIA_BUSINESS_DATE: today })
  const { clientId, headers } = await makePartner(service.url, 0)
  const client = await connected(databaseUrl)
  await client.query('create extension pg_stat_statements')
  await makeBook(client, { companies: 1, membersOfRequest: 10, ...book })
  // Another plan to change to.
  await client.query(
    `insert into product (company_id, id, name, name_key, carrier_name, product_type, allowed_dependent_types, allowed_start_options, position)
     select company_id, ${idOf('0002', '9')}, 'Saúde Completa', fold('Saúde Completa'), carrier_name, product_type, allowed_dependent_types,
       allowed_start_options, 2 from product where position = 0`,
  )
  await entitle(client, clientId, 1, 1)
  await client.query('vacuum (analyze) entitlement, product')
  const [company] = (await client.query<{ id: string; taxId: string }>('select id, tax_id as "taxId" from company'))
    .rows
  const side: Side = {
    url: service.url,
    client,
    partner: headers,
    admin: await signIn(service.url, operator.id, operator.secret),
    companyTaxId: company?.taxId ?? '',
    companyId: company?.id ?? '',
  }
  // The people of the book have other CPFs.
  startPeopleAfter(5_000_000)
  rows.length = 0
  await measureReads(side)
  await measureMovements(side)
  if (book.familySize === 1 && decisions > 0) await measureDecisions(side)
  await service.stop()
  await measureDueWork(client, () => bench.service(databaseUrl, { VIGENCIA_BUSINESS_DATE: later }))
  await client.end()
  printTable(`One company, ${book.members} members, families of ${book.familySize}`, [
    ['Call', 'Took', 'Statements', 'Their time', 'Blocks', 'The slowest: time, blocks'],
    ...rows,
  ])
}

await runBench(
  30,
  async (bench) => {
    await measureBook(bench, 'primaries', { members: 60_000, familySize: 1 })
    await measureBook(bench, 'families', { members: 200_000, familySize: 3 })
  },
  { parameters: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '10000' } },
)
