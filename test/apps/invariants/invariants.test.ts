import { randomUUID } from 'node:crypto'
import { Client as PgClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkInvariants, invariants, readHeldLocks } from '#apps/invariants/check.ts'
import { openMovements } from '#coverage/enrollments/open-movement.ts'
import { importLockKey } from '#movements/imports/queries.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  type Json,
  inProduct,
  life,
  monday,
  useTestApp,
  premium,
  primary,
  until,
} from '../../world/test-app.ts'
import { makeContract } from '../../world/contract.ts'
import { discrepanciesOf, reconcile, upload as uploadFile } from '../../world/carrier-file.ts'
import { closeMonth } from '../../world/carrier-file-rows.ts'
import { act, enroll, moved, openShipmentOf, openShipper } from '../../world/shipment.ts'
import { holder, ndjson, sendImport } from '../../world/import.ts'
import { putInvoice, sendFile } from '../../world/invoice.ts'
import { makeEndpoint, openReceiver, type Receiver } from '../../world/receiver.ts'
import { newSlot, upload } from '../../world/upload.ts'
import { payrollProfile } from '../../world/payroll.ts'
import { child, compareInvoice, known } from '../../world/worked-invoice.ts'
import { broken, processing, workFor } from './broken.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let receiver: Receiver
let company: Company
let partner: Client
/** The test's own connection, outside of the pool that the service has. */
let client: PgClient

const ask = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await client.query<Row>(text, values)).rows

/** The names of the rules that are broken, with how often. */
async function brokenRules(): Promise<Record<string, number>> {
  const options = { stuckAfterSeconds: 900, day: monday, heldLocks: await readHeldLocks(ask) }
  const broke = (await checkInvariants(ask, options)).filter(({ violations }) => violations > 0)
  return Object.fromEntries(broke.map(({ rule, violations }) => [rule, violations]))
}

/** Runs statements without foreign keys, then `look`, and takes everything back. */
async function withBroken<T>(statements: readonly string[], look: () => Promise<T>): Promise<T> {
  await client.query('begin; set local session_replication_role = replica')
  try {
    for (const statement of statements) {
      const { command, rowCount } = await client.query(statement)
      if (command !== 'DROP' && command !== 'ALTER' && rowCount === 0) throw new Error(`changes nothing: ${statement}`)
    }
    return await look()
  } finally {
    await client.query('rollback')
  }
}

/** The open movements as the enrollments now are. */
const sameOpen = ['delete from open_movement', openMovements('true')]

const approve = '?resolution=approve'
const details = (overrides: Json = {}): Json => ({
  'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal', ...overrides },
})

async function include(members: unknown[], query = approve): Promise<void> {
  await testApp.include(partner, company, members, query)
}

async function exclude(member: Json, query: string, overrides: Json = {}): Promise<string> {
  const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${Object.values(company.products)[0]}${query}`
  const { body } = expectOk(await partner.post(path, details(overrides)))
  const request = expectOk(await partner.get(`/v1/request/${body['request-id']}`)).body
  const [part] = Object.values<Json>(request['status-by-tax-id'][member['tax-id']])
  return part['enrollment-id']
}

async function alter(member: Json, data: Json, query = ''): Promise<void> {
  expectOk(await partner.post(`/v1/enrollment/alteration/${member['tax-id']}${query}`, { 'alteration-data': data }))
}

async function move(id: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const body = { status, reason: 'teste' }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body))
  }
}

/** A draft of two alterations, of which one is requested. */
async function draft(...members: Json[]): Promise<void> {
  const { result } = expectOk(
    await partner.post('/v1/movement-draft', {
      'company-tax-id': company.taxId,
      movement: 'alteration',
      members: members.map((one) => ({ 'tax-id': one['tax-id'], 'alteration-data': { phone: '11987654321' } })),
    }),
  ).body
  const path = `/operator/v1/movement-draft/${result['draft-id']}/confirm`
  expectOk(await testApp.operator.post(path, { items: [{ number: 1 }] }, { prefer: 'wait=30' }))
}

/** Movements of every kind and outcome, and rows of all other tables. */
async function fill(): Promise<void> {
  await makeEndpoint(partner, `${receiver.url}/hook`)
  const family = (parent: string, child: string): Json[] => {
    const mother = primary({ name: parent })
    return [mother, dependent(mother['tax-id'], { name: child })]
  }
  const excluded = family('Mãe Excluída', 'Filha Excluída')
  const document = await upload(partner)
  const documented = primary({ documents: [{ 'document-id': document, 'document-type': 'other' }] })
  const [changed, changing, requested, refused] = [primary(), primary(), primary(), primary()]
  await include([
    ...family('Mãe de Família', 'Filho de Família'),
    ...excluded,
    documented,
    changed,
    changing,
    requested,
    refused,
  ])
  await exclude(excluded[0], approve)
  await alter(changed, { 'new-product-id': company.products[premium] }, approve)
  await alter(changing, { 'new-product-id': company.products[premium], 'requested-start-date': '2026-12-10' }, approve)
  const path = `/operator/v1/enrollment/${await exclude(requested, '')}`
  for (const assignee of [testApp.operator.clientId, null]) {
    expectOk(await testApp.operator.put(`${path}/assignee`, { assignee }))
  }
  expectOk(await testApp.operator.post(`${path}/note`, { text: 'Falta o aceite' }))
  await alter(requested, { 'monthly-salary': 500_000 })
  await move(await exclude(refused, ''), 'broker-processing', 'carrier-processing', 'rejected')
  await include([primary()], '')
  const future = { 'admission-date': '2026-12-01', products: inProduct('life-insurance', life, 'on-admission-date') }
  await include([primary(future)], '')
  const history = holder(company, { name: 'Com História', 'start-date': '2024-01-01', 'end-date': '2024-12-31' })
  const present = { ...history, 'start-date': '2025-02-01', 'end-date': undefined }
  const imported = await sendImport(testApp.operator, ndjson([history, 'no JSON']))
  expect(imported.body).toMatchObject({ accepted: 1, rejected: 1 })
  await include([primary({ name: 'Com História', 'tax-id': history['tax-id'] })], '?resolution=reject')
  expect((await sendImport(testApp.operator, ndjson([present]))).body).toMatchObject({ accepted: 1 })
  await failedRequest()
  await requestAsOperator()
  await draft(changed, documented)
  await newSlot(partner)
  const invoice = await putInvoice(testApp, company)
  expectOk(await sendFile(testApp, invoice))
  await putInvoice(testApp, company, { 'due-date': '2027-01-05' })
  await makeContract(testApp, company, { plans: [{ 'product-id': company.products[premium] }] })
  await ship()
  const { contractId } = await openShipper(testApp)
  const roster = await uploadFile(testApp, { contractId }, 'name;card-number\nNinguém;77\n')
  await reconcile(testApp, roster['file-id'])
  await bill()
}

/** Somebody whom the company asked for by e-mail. */
async function requestAsOperator(): Promise<void> {
  const intake = {
    medium: 'email',
    'received-at': '2026-11-20T18:40:00-03:00',
    'requester-name': 'Paula Andrade',
    documents: [await upload(testApp.operator, undefined, '/operator/v1')],
  }
  const body = { 'company-tax-id': company.taxId, intake, members: [primary()] }
  const { 'request-id': id } = expectOk(await testApp.operator.post('/operator/v1/enrollment/inclusion', body)).body
  await testApp.finished(partner, id)
}

/** An invoice with what is claimed and credited by the next one, in a month that is closed and exported. */
async function bill(): Promise<void> {
  const one = await known(testApp, { 'Ana Cobrada': { born: child, employeeId: '100' } })
  const charged = { certificate: '1', name: 'ANA COBRADA', amount: 41_235 }
  const unknown = { certificate: '99', name: 'FULANO DE TAL', amount: 70_631 }
  const other = { certificate: '98', name: 'BELTRANO', amount: 48_245 }
  const { 'reconciliation-id': id } = await compareInvoice(testApp, one, '2026-10', [charged, unknown, other])
  const found = await discrepanciesOf(testApp, id)
  const [claimed, accepted] = [unknown, other].map(
    ({ amount }) => found.find((each) => each.amount === amount)['discrepancy-id'],
  )
  const send = async (path: string, body: Json) => expectOk(await testApp.operator.post(path, body)).body.result
  await send(`/operator/v1/reconciliation/${id}/discrepancy`, { 'discrepancy-ids': [accepted], status: 'accepted' })
  const claim = await send('/operator/v1/claim', { 'reconciliation-id': id, 'discrepancy-ids': [claimed] })
  await send(`/operator/v1/claim/${claim['claim-id']}/status`, { status: 'sent' })
  const credit = { ...unknown, amount: -unknown.amount, type: 'CR', period: '102026' }
  await compareInvoice(testApp, one, '2026-11', [charged, credit])
  const { taxId } = one.company
  const share = { 'basis-points': 5_000 }
  const rule = {
    'contract-id': one.contract['contract-id'],
    'valid-from': '2026-01-01',
    'primary-employee-share': share,
    'dependent-employee-share': share,
  }
  expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, rule))
  expectOk(await testApp.operator.put(`/operator/v1/company/${taxId}/payroll-profile`, payrollProfile))
  await closeMonth(testApp, one.company, '2026-10')
  await send('/operator/v1/payroll-export', { 'company-tax-id': taxId, 'reference-month': '2026-10' })
}

/** A shipment that was sent, and one that was closed. */
async function ship(): Promise<void> {
  const shipper = await openShipper(testApp)
  for (const verbs of [['close', 'send'], ['close']]) {
    await enroll(testApp, shipper, [primary()])
    const id = await openShipmentOf(testApp, shipper.contractId)
    for (const verb of verbs) expectOk(await act(testApp, id, verb))
    if (verbs.includes('send')) await moved(testApp, id)
  }
}

/** Two requests with one person, accepted before either is processed: the later one fails. */
async function failedRequest(): Promise<void> {
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  await client.query('begin; lock table movement_item in share row exclusive mode')
  const both = [partner.post('/v1/enrollment/inclusion', body), partner.post('/v1/enrollment/inclusion', body)]
  await until(
    () =>
      testApp.sql<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      ),
    ([row]) => (row?.n ?? 0) >= 2,
  )
  await client.query('commit')
  const ids = (await Promise.all(both)).map((response) => expectOk(response).body['request-id'])
  const statuses = await Promise.all(ids.map(async (id) => (await testApp.finished(partner, id)).status))
  expect(statuses.toSorted()).toEqual(['completed', 'failed'])
}

beforeAll(async () => {
  receiver = await openReceiver()
  client = new PgClient({ connectionString: testApp.databaseUrl })
  // The database is dropped with its connections.
  client.on('error', () => {})
  client.on('error', () => {})
  await client.connect()
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  await fill()
  await until(
    () =>
      testApp.sql<{ n: number }>(
        `select ((select count(*) from audit_pending) + (select count(*) from event_batch)
           + (select count(*) from webhook_delivery where status = 'pending'))::int as n`,
      ),
    ([row]) => row?.n === 0,
  )
})

afterAll(async () => {
  await client?.end()
  await receiver?.close()
})

test('names are unique, and each rule has something that breaks it', () => {
  const names = invariants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect([...new Set(broken.map(([name]) => name))].toSorted()).toEqual(names.toSorted())
})

test('data of every kind of movement break no rule', async () => {
  expect(await brokenRules()).toEqual({})
})

describe('each rule finds what breaks it, and no other rule does', () => {
  test.each(broken.map(([rule, ...statements], n) => [rule, n, statements] as const))(
    '%s (%i)',
    async (rule, _n, statements) => {
      const found = await withBroken(rule === 'open-movements' ? statements : [...statements, ...sameOpen], brokenRules)
      expect(found).toEqual({ [rule]: expect.any(Number) })
    },
  )
})

test('work that has just begun to wait is not stuck', async () => {
  const fresh = [
    processing,
    workFor("(select id from request where status = 'processing')", "now() - interval '10 minutes'"),
    `insert into member_import (id, actor, dry_run, status, created_at) values (gen_random_uuid(), 'x', false, 'running', now())`,
    `insert into orphan_file (key, delete_after) values ('x', now())`,
  ]
  expect(await withBroken(fresh, brokenRules)).toEqual({})
})

test('an import that runs for long is not stuck while its process holds it', async () => {
  const id = randomUUID()
  const other = new PgClient({ connectionString: testApp.databaseUrl })
  await other.connect()
  const long = `insert into member_import (id, actor, dry_run, status, created_at)
    values ('${id}', 'x', false, 'running', now() - interval '1 day')`
  await other.query(`select pg_advisory_lock(${importLockKey('$1')})`, [id])
  expect(await withBroken([long], brokenRules)).toEqual({})
  await other.end()
})
