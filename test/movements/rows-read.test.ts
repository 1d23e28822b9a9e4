/*
 * The rows that movements read in a company of 30,000 primaries without dependents: as many as the movements need, not as the company has. One
 * request has 5,000 of the inclusions.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAllBenefits, listBenefits } from '#coverage/benefits/queries.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { EnrollmentStatus } from '#kernel/enums.ts'
import { openMovements } from '#coverage/enrollments/open-movement.ts'
import { insertJob, readJob } from '#movements/decide/job-queries.ts'
import { activateDueDependents } from '#movements/transition/due-work-queries.ts'
import { readExtended } from '#movements/transition/exclusion-queries.ts'
import { readMovement } from '#movements/queue/movement-queries.ts'
import { transitionAll } from '#movements/transition/transition.ts'
import { readMemberForOperator } from '#coverage/members/search-queries.ts'
import { readServed } from '#movements/answer/queries.ts'
import { type Database, openDatabase, type Sql } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { processAcknowledgement } from '#exchange/shipments/acknowledge.ts'
import { makeContract } from '../world/contract.ts'
import { maxRows, planOf } from '../world/plans.ts'
import { monday, useTestApp, useCompany } from '../world/test-app.ts'

const people = 30_000
/** So many of each kind, one for each of the first people, in the order of their numbers. */
const movements = 300
const pendingInclusions = 5_000
/** As many items of a shipment have an answer. */
const answered = 4_000

const testApp = useTestApp()
let database: Database
const { company, partner } = useCompany(testApp)

/** SQL of the id of the kind with the number, and the id itself. */
const sqlId = (kind: string, n = 'n') => `md5('${kind}' || ${n})::uuid`
const idsOf = async (kind: string, count: number, from = 0): Promise<string[]> => {
  const rows = await testApp.sql<{ id: string }>(
    `select ${sqlId(kind)} as id from generate_series(${from} + 1, ${from} + ${count}) n`,
  )
  return rows.map(({ id }) => id)
}

const memberRows = (kind: string, from: number, count: number) => `
  insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, created_at, updated_at)
  select '${company.id}', ${sqlId(kind)}, lpad((${from} + n)::text, 11, '0'), 'N', 'M', '1990-01-01', 'male', now(), now()
  from generate_series(1, ${count}) n`

const benefitRows = (kind: string, member: string, status: string, product: string, count: number) => `
  insert into benefit (company_id, id, member_id, product_id, type, status, start_date, card_number, created_at, updated_at)
  select '${company.id}', ${sqlId(kind)}, ${sqlId(member)}, '${product}', 'primary', '${status}', '2025-01-01', '${kind} ' || n, now(), now()
  from generate_series(1, ${count}) n`

interface Movements {
  readonly type: string
  readonly status: string
  readonly member: string
  readonly benefit: string
  readonly product: string
  /** The number of the first person, less one. */
  readonly from: number
  readonly count: number
  /** Further columns and their values. */
  readonly more?: Record<string, string>
}

const enrollmentRows = (kind: string, movement: Movements) => {
  const { type, status, member, benefit, product, from, count } = movement
  const more = { member_type: "'primary'", ...movement.more }
  const columns = Object.keys(more).join(', ')
  const values = Object.values(more).join(', ')
  return `
  insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
  values ('${company.id}', ${sqlId('request', `'${kind}'`)}, '${partner.clientId}', '${type}', 'completed', now(), now());
  insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, product_id,
    product_name, benefit_id, data, initial_status, created_at, updated_at, ${columns})
  select '${company.id}', ${sqlId(kind)}, ${sqlId('request', `'${kind}'`)}, '${type}', '${status}', ${sqlId(member)},
    lpad((${from} + n)::text, 11, '0'), '${product}', 'P', ${sqlId(benefit)}, '{"documents": []}', 'created', now(), now(), ${values}
  from generate_series(1, ${count}) n`
}

interface Shipment {
  readonly contractId: string
  readonly number: number
  /** SQL of that of each item. */
  readonly status: string
  readonly count: number
  readonly acknowledgement?: string
}

/** A shipment of the movements of a kind. */
const shipmentRows = (kind: string, { contractId, number, status, count, acknowledgement = 'null' }: Shipment) => `
  insert into shipment (company_id, id, contract_id, number, status, layout_id, layout_version, sent_at, sent_by, sent_address, sent_trace_id,
    answer_until, closed_at, created_at, updated_at)
  values ('${company.id}', ${sqlId('shipment', `'${kind}'`)}, '${contractId}', ${number}, 'sent', 'x', 1, now(), '${testApp.operator.clientId}', '', '',
    '${monday}', now(), now(), now());
  insert into shipment_item (company_id, shipment_id, movement_company_id, enrollment_id, position, status, line_numbers, acknowledgement, updated_at)
  select '${company.id}', ${sqlId('shipment', `'${kind}'`)}, '${company.id}', ${sqlId(kind)}, n, ${status}, array[n], ${acknowledgement}, now()
  from generate_series(1, ${count}) n`

beforeAll(async () => {
  database = openDatabase(
    { url: testApp.databaseUrl, connections: 1, namedStatements: true, applicationName: 'test' },
    openLog('error'),
  )
  const [first = '', second = '', third = ''] = Object.values(company.products)
  const ofMembers = {
    member: 'member',
    benefit: 'benefit',
    product: first,
    from: 0,
    count: movements,
    status: 'created',
  }
  const ofNewcomers = { member: 'newcomer', benefit: 'pending', product: first, from: people, count: pendingInclusions }
  const ofShipped = { ...ofNewcomers, member: 'shipped', benefit: 'at-carrier', from: people + pendingInclusions }
  const { 'contract-id': contractId } = await makeContract(testApp, company, { plans: [{ 'product-id': first }] })
  const answeredFirst = `case when n <= ${answered} then 'accepted' else 'sent' end`
  const effective = { effective_date: `date '${monday}'` }
  const destination = {
    destination_company_id: `'${company.id}'::uuid`,
    destination_product_id: `'${third}'::uuid`,
    new_benefit_id: sqlId('new'),
  }
  const statements = [
    memberRows('member', 0, people),
    benefitRows('benefit', 'member', 'active', first, people),
    benefitRows('dental', 'member', 'active', second, movements),
    memberRows('newcomer', people, pendingInclusions),
    benefitRows('pending', 'newcomer', 'pending', first, pendingInclusions),
    enrollmentRows('former', { ...ofMembers, type: 'inclusion', status: 'completed', count: people }),
    enrollmentRows('exclusion', { ...ofMembers, type: 'exclusion', more: effective }),
    enrollmentRows('change', {
      ...ofMembers,
      type: 'alteration',
      benefit: 'dental',
      product: second,
      more: { ...effective, ...destination },
    }),
    enrollmentRows('inclusion', { ...ofNewcomers, type: 'inclusion', status: 'created' }),
    memberRows('shipped', people + pendingInclusions, pendingInclusions),
    benefitRows('at-carrier', 'shipped', 'pending', first, pendingInclusions),
    enrollmentRows('sent', { ...ofShipped, type: 'inclusion', status: 'carrier-processing' }),
    shipmentRows('former', { contractId, number: 2, status: "'accepted'", count: people }),
    shipmentRows('sent', { contractId, number: 3, status: answeredFirst, count: pendingInclusions }),
    enrollmentRows('waiting', {
      ...ofShipped,
      type: 'inclusion',
      status: 'carrier-processing',
      more: { member_type: "'dependent'", primary_member_id: sqlId('member', 'n + 10000') },
    }),
    shipmentRows('waiting', {
      contractId,
      number: 4,
      status: "'sent'",
      count: pendingInclusions,
      acknowledgement: "'{}'",
    }),
    openMovements('true'),
  ]
  // Checking the foreign keys of each row would take longer than all the rest.
  await testApp.sql(
    `set session_replication_role = replica; ${statements.join(';')}; set session_replication_role = origin`,
  )
  await testApp.sql('vacuum (analyze) member, benefit, enrollment, open_movement, request, shipment_item')
})

afterAll(() => database.close())

class End extends Error {}

/** What the connection has read of the tables of people and movements since it last reported to the statistics, which it does between transactions. */
async function counted(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ rows: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
     where relname in ('member', 'benefit', 'enrollment', 'open_movement', 'enrollment_history', 'request',
       'shipment_item', 'decision_job_line')`,
  )
  return row?.rows ?? 0
}

/** The rows that the statements of `work` read; what it wrote is rolled back. */
async function rowsRead(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let read = 0
  await write({ database }, { kind: 'service' }, { may: 'service' }, async (sql) => {
    // The counters do not have what other processes read for the connection.
    await sql.execute('set local max_parallel_workers_per_gather = 0')
    const before = await counted(sql)
    await work(sql)
    read = (await counted(sql)) - before
    throw new End()
  }).catch((error: unknown) => {
    if (!(error instanceof End)) throw error
  })
  return read
}

const context = { today: () => monday, memberKey: Buffer.alloc(32) }

// Up to 20 movements have prepared statements, more have theirs planned for their number.
describe.each([10, 200])('of %i movements', (count) => {
  test.each<[string, string, EnrollmentStatus]>([
    ['completed exclusions', 'exclusion', 'completed'],
    ['rejected exclusions', 'exclusion', 'rejected'],
    ['completed inclusions', 'inclusion', 'completed'],
    ['rejected inclusions', 'inclusion', 'rejected'],
    ['completed plan changes', 'change', 'completed'],
  ])('%s read a number of rows in proportion to them', async (_name, kind, status) => {
    const ids = await idsOf(kind, count)
    const move = { status, reason: status === 'rejected' ? 'R' : null }
    const read = await rowsRead((sql) => transitionAll(sql, company.id, ids, move, context))
    expect(read).toBeGreaterThanOrEqual(count)
    // Who is covered in the destination already may be read by one pass over its members.
    expect(read).toBeLessThan(120 * count + (kind === 'change' ? people + pendingInclusions : 0))
  })
})

async function idOfShipment(kind: string): Promise<string> {
  const [row] = await testApp.sql<{ id: string }>(`select ${sqlId('shipment', `'${kind}'`)} as id`)
  return row?.id ?? ''
}

// 4,000 items of the shipment are answered, and 5,000 of other families wait for their primaries.
test.each([10, 200])('%i lines of an acknowledgement read a number of rows in proportion to them', async (count) => {
  const lines = (await idsOf('sent', count, answered)).map((id, index) => {
    const decision = {
      outcome: 'accepted',
      cardNumber: `new ${index}`,
      startDate: null,
      endDate: null,
      code: null,
      message: null,
      protocol: null,
    }
    return { line: index + 1, enrollment_id: id, chunk: 0, decision, result: null }
  })
  const actor = testApp.operator.clientId
  const [id, shipmentId] = [randomUUID(), await idOfShipment('sent')]
  const read = await rowsRead(async (tx) => {
    const origin = { address: '', traceId: '' }
    const job = { id, actor, origin, dryRun: false, decision: null, shipmentId, undoSeconds: 0, lines }
    await insertJob(tx, job)
    await processAcknowledgement(context, tx, id, 0)
    expect(JSON.parse((await readJob(tx, id)) ?? '')).toMatchObject({
      result: { status: 'done', accepted: count },
    })
  })
  expect(read).toBeGreaterThanOrEqual(count)
  expect(read).toBeLessThan(120 * count)
})

const first = async (kind: string) => (await idsOf(kind, 1))[0] ?? ''

test.each<[string, (sql: Tx) => Promise<unknown>]>([
  ['a movement with the family, for an operator', async (sql) => readMovement(sql, await first('exclusion'))],
  ['a person with the family, for an operator', async (sql) => readMemberForOperator(sql, await first('member'))],
  ['what an answer to one of a batch serves', async (sql) => readServed(sql, company.id, await first('inclusion'), '')],
  ['a benefit under an extension plan', async (sql) => readExtended(sql, company.id, await first('benefit'))],
  [
    'the dependents of a primary whose change takes effect',
    async (sql) => activateDueDependents({ sql, companyId: company.id, at: new Date() }, [], [await first('benefit')]),
  ],
])('%s reads few rows', async (_name, work) => {
  expect(await rowsRead(work)).toBeLessThan(100)
})

test('a page of benefits reads each table once at most', async () => {
  const caller = { api: 'partner' as const, clientId: partner.clientId }
  const query = { 'company-tax-id': company.taxId, 'include-inactive': false, page: 1, 'items-per-page': 500 }
  const plans = [
    await planOf(testApp.sql, (sql) => listBenefits(sql, caller, query)),
    await planOf(testApp.sql, (sql) => listAllBenefits(sql, query)),
  ]
  for (const plan of plans) expect(maxRows(plan)).toBeLessThanOrEqual(people + movements + 2 * pendingInclusions)
})
