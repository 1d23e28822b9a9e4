import { write } from '#platform/core/write.ts'
import { v7 as uuidv7 } from 'uuid'
import { isActiveClient } from '#platform/core/access.ts'
import { grantCompanies, insertClient, insertSecret, lockClient, readValidSecrets } from '#access/clients/queries.ts'
import type { Role } from '#kernel/enums.ts'
import type { Api } from '#platform/http/caller.ts'
import { hmacSha256 } from '#platform/core/crypto/hmac.ts'
import { readStoredKey } from '#platform/core/crypto/stored-keys.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import { StartError } from '#platform/core/errors.ts'
import { findCarrier, updateCarrier } from '#registry/carriers/queries.ts'
import { putCompany, putProducts } from '#registry/companies/rows.ts'
import { productNameKey } from '#kernel/product-name.ts'
import type { Context } from '#platform/http/context.ts'
import type { Secrets } from '#platform/http/credentials.ts'
import { required } from '#platform/core/log.ts'
import { demoCarrier, demoCompany } from './company.ts'
import { insertDemoInvoices, writeDemoInvoices } from './invoices.ts'
import { makeDemoShipments } from './shipments.ts'

export interface DemoClient {
  readonly clientId: string
  readonly clientSecret: string
}

export interface Demo {
  readonly companyTaxId: string
  /** null when it is revoked. */
  readonly partner: DemoClient | null
  readonly operator: DemoClient | null
}

const lockKey = 7_446_103_216

/** `begun`: the company is there, and its shipments may be incomplete. */
type State = 'begun' | 'made'

/**
 * Makes the demo company with two invoices and two shipments, a partner entitled to it and an operator, unless they are there. What a
 * process that was killed has not made is made by the next start.
 * @param key of this installation: the secrets of the demo clients are derived from it, so that every start can show them.
 * @param finishWork does the work of the workers, which start later.
 */
export async function ensureDemo(context: Context, key: Buffer, finishWork: () => Promise<void>): Promise<Demo> {
  const { database } = context
  const [partner, operator] = [demoClient('demo-partner', key, 0), demoClient('demo-operator', key, 0)]
  if ((await readState(database)) !== 'made') {
    // When two processes start at once, one waits for the other.
    const client = await database.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [lockKey])
      await make(context, partner, operator, finishWork)
    } finally {
      await client.end()
    }
  }
  return {
    companyTaxId: demoCompany.taxId,
    partner: await usableClient(context, 'partner', key),
    operator: await usableClient(context, 'operator', key),
  }
}

/** The demo's client of this API with a secret that has no end: a new one when the last was rotated away. null: the client is revoked. */
async function usableClient(context: Context, kind: Api, key: Buffer): Promise<DemoClient | null> {
  const { database, secrets } = context
  const found = await readDemoClient(database, secrets, kind, key)
  if (found === null || found.secret === 'lasting') return found?.client ?? null
  const { clientId } = found.client
  return write(context, { kind: 'service' }, { may: 'service' }, async (sql) => {
    if (!(await lockClient(sql, kind, clientId))) return null
    // Another process may have made it meanwhile.
    const locked = await readDemoClient(sql, secrets, kind, key)
    if (locked === null || locked.secret === 'lasting') return locked?.client ?? null
    const generation = locked.generation + 1
    const client = demoClient(clientId, key, generation)
    await sql.execute(
      `insert into service_metadata (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
      [generationName(clientId), String(generation)],
    )
    await insertSecret(sql, clientId, secrets.hash(clientId, client.clientSecret))
    sql.audit({
      action: kind === 'partner' ? 'client.secret-rotated' : 'operator.secret-rotated',
      target: clientId,
      companyId: null,
    })
    return client
  })
}

interface ReadClient {
  readonly client: DemoClient
  /** How often the demo has made another secret for the client. */
  readonly generation: number
  /** Whether the last secret that the demo has made is still valid, and without an end. */
  readonly secret: 'lasting' | 'ending' | 'dead'
}

/** null: the client is revoked. */
async function readDemoClient(sql: Sql, secrets: Secrets, kind: Api, key: Buffer): Promise<ReadClient | null> {
  const clientId = `demo-${kind}`
  if (!(await isActiveClient(sql, { clientId, kind }))) return null
  const [stored] = await sql.query<{ value: string }>('select value from service_metadata where name = $1', [
    generationName(clientId),
  ])
  const generation = Number(stored?.value ?? 0)
  const client = demoClient(clientId, key, generation)
  const hash = secrets.hash(clientId, client.clientSecret)
  const valid = (await readValidSecrets(sql, clientId)).find((secret) => secret.hash === hash)
  return { client, generation, secret: valid === undefined ? 'dead' : valid.endsAt === null ? 'lasting' : 'ending' }
}

const generationName = (clientId: string) => `${clientId}-generation`

async function make(
  context: Context,
  partner: DemoClient,
  operator: DemoClient,
  finishWork: () => Promise<void>,
): Promise<void> {
  const { database } = context
  const state = await readState(database)
  if (state === 'made') return
  if (state === null) await makeCompany(context, partner, operator)
  await makeDemoShipments(context, { partnerId: partner.clientId, operatorId: operator.clientId }, finishWork)
  await database.execute("update service_metadata set value = 'made' where name = 'demo'")
}

async function makeCompany(context: Context, partner: DemoClient, operator: DemoClient): Promise<void> {
  const today = context.today()
  // Before the transaction, which may be retried. Files of a process that is killed here are deleted later.
  const invoices = await writeDemoInvoices(context, today)
  await write(context, { kind: 'service' }, { may: 'service' }, async (sql) => {
    await sql.execute("insert into service_metadata (name, value) values ('demo', 'begun')")
    const companyId = await insertCompany(sql)
    const insert = ({ clientId, clientSecret }: DemoClient, kind: Api, role: Role | null) =>
      insertClient(sql, {
        id: clientId,
        kind,
        name: `Demo ${kind}`,
        role,
        secretHash: context.secrets.hash(clientId, clientSecret),
      })
    await insert(partner, 'partner', null)
    await insert(operator, 'operator', 'admin')
    await grantCompanies(sql, partner.clientId, [companyId])
    await insertDemoInvoices(sql, companyId, invoices, today)
  })
}

/** The demo's partner with a valid secret; null when it is revoked, when its secret was rotated away, or when there is no demo. */
export async function readDemoPartner({
  database,
  cipher,
  secrets,
}: Pick<Context, 'database' | 'cipher' | 'secrets'>): Promise<DemoClient | null> {
  const key = await readStoredKey(database, cipher, 'demo')
  if (key === null) return null
  const found = await readDemoClient(database, secrets, 'partner', key)
  return found === null || found.secret === 'dead' ? null : found.client
}

function demoClient(clientId: string, key: Buffer, generation: number): DemoClient {
  const purpose = generation === 0 ? clientId : `${clientId} ${generation}`
  return { clientId, clientSecret: hmacSha256(key).update(purpose).digest('base64url') }
}

/** @throws StartError when the database was ever started with demo data: its clients must not exist in production. */
export async function refuseDemoData(database: Database): Promise<void> {
  if ((await readState(database)) !== null) {
    throw new StartError(
      'Production refuses demo data, and this database holds it: use a database of its own for production.',
    )
  }
}

/** null: there is no demo. */
async function readState(database: Database): Promise<State | null> {
  const [row] = await database.query<{ value: State }>("select value from service_metadata where name = 'demo'")
  return row?.value ?? null
}

async function insertCompany(sql: Sql): Promise<string> {
  const { taxId, name, products } = demoCompany
  const at = new Date()
  const company = { id: uuidv7(), taxId, name, searchName: productNameKey(name), contacts: null }
  const id = await putCompany(sql, company, at)
  const rows = products.map((product) => ({ ...product, id: uuidv7(), name_key: productNameKey(product.name) }))
  await putProducts(sql, id, at, rows)
  const { name: carrierName, taxId: carrierTaxId } = demoCarrier
  const carrier = { name: carrierName, ansRegistration: null, taxId: carrierTaxId }
  await updateCarrier(sql, required(await findCarrier(sql, carrierName), 'carrier'), carrier, at)
  return id
}
