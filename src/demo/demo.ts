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

/**
 * Makes the demo company with two invoices and two shipments, a partner entitled to it and an operator, unless they are there.
 * @param key of this installation: the secrets of the demo clients are derived from it, so that every start can show them.
 * @param finishWork does the work of the workers, which start later.
 */
export async function ensureDemo(context: Context, key: Buffer, finishWork: () => Promise<void>): Promise<Demo> {
  const { database, secrets } = context
  const today = context.today()
  const [partner, operator] = [demoClient('demo-partner', key), demoClient('demo-operator', key)]
  // Before the transaction, which may be retried. Of two processes that start at once, one leaves orphan files, which are deleted later.
  const invoices = (await hasDemo(database)) ? [] : await writeDemoInvoices(context, today)
  const madeId = await write(context, { kind: 'service' }, { may: 'service' }, async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [lockKey])
    const inserted = await sql.execute(
      "insert into service_metadata (name, value) values ('demo', 'true') on conflict do nothing",
    )
    if (inserted === 0) return null
    const companyId = await insertCompany(sql)
    const insert = ({ clientId, clientSecret }: DemoClient, kind: Api, role: Role | null) =>
      insertClient(sql, {
        id: clientId,
        kind,
        name: `Demo ${kind}`,
        role,
        secretHash: secrets.hash(clientId, clientSecret),
      })
    await insert(partner, 'partner', null)
    await insert(operator, 'operator', 'admin')
    await grantCompanies(sql, partner.clientId, [companyId])
    await insertDemoInvoices(sql, companyId, invoices, today)
    return companyId
  })
  // Only the process that made the company: a process that dies here leaves a demo without them.
  if (madeId !== null) {
    const clients = { partnerId: partner.clientId, operatorId: operator.clientId }
    await makeDemoShipments(context, madeId, clients, finishWork)
  }
  return {
    companyTaxId: demoCompany.taxId,
    partner: (await isActiveClient(database, { ...partner, kind: 'partner' })) ? partner : null,
    operator: (await isActiveClient(database, { ...operator, kind: 'operator' })) ? operator : null,
  }
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
  if (await hasDemo(database)) {
    throw new StartError(
      'Production refuses demo data, and this database holds it: use a database of its own for production.',
    )
  }
}

async function hasDemo(database: Database): Promise<boolean> {
  const rows = await database.query("select 1 from service_metadata where name = 'demo'")
  return rows.length > 0
}

async function insertCompany(sql: Sql): Promise<string> {
  const { taxId, name, products } = demoCompany
  const at = new Date()
  const id = await putCompany(sql, { id: uuidv7(), taxId, name, searchName: productNameKey(name) }, at)
  const rows = products.map((product) => ({ ...product, id: uuidv7(), name_key: productNameKey(product.name) }))
  await putProducts(sql, id, at, rows)
  const { name: carrierName, taxId: carrierTaxId } = demoCarrier
  const carrier = { name: carrierName, ansRegistration: null, taxId: carrierTaxId }
  await updateCarrier(sql, required(await findCarrier(sql, carrierName), 'carrier'), carrier, at)
  return id
}
