import { write } from '../core/write.ts'
import { v7 as uuidv7 } from 'uuid'
import { isActiveClient } from '../core/access.ts'
import { grantCompanies, insertClient } from '../clients/queries.ts'
import type { Role } from '../domain/enums.ts'
import type { Api } from '../http/caller.ts'
import { hmacSha256 } from '../core/crypto/hmac.ts'
import { readStoredKey } from '../core/crypto/stored-keys.ts'
import type { Database, Sql } from '../core/database.ts'
import { StartError } from '../core/errors.ts'
import { findCarrier, updateCarrier } from '../carriers/queries.ts'
import { putCompany, putProducts } from '../companies/write-queries.ts'
import { productNameKey } from '../domain/product-name.ts'
import type { Context } from '../http/context.ts'
import { required } from '../core/log.ts'
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
  const [partner, operator] = [demoClient('demo-partner', key), demoClient('demo-operator', key)]
  if ((await readState(database)) !== 'made') {
    // Of two processes that start at once, one waits for the other.
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
    partner: (await isActiveClient(database, { ...partner, kind: 'partner' })) ? partner : null,
    operator: (await isActiveClient(database, { ...operator, kind: 'operator' })) ? operator : null,
  }
}

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

/** The demo's partner; null when it is revoked, or when there is no demo. */
export async function readDemoPartner({
  database,
  cipher,
}: Pick<Context, 'database' | 'cipher'>): Promise<DemoClient | null> {
  const key = await readStoredKey(database, cipher, 'demo')
  if (key === null) return null
  const partner = demoClient('demo-partner', key)
  return (await isActiveClient(database, { ...partner, kind: 'partner' })) ? partner : null
}

function demoClient(clientId: string, key: Buffer): DemoClient {
  return { clientId, clientSecret: hmacSha256(key).update(clientId).digest('base64url') }
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
