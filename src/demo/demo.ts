import { createHmac } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { isActiveClient } from '../http/active-client.ts'
import { grantCompanies, insertClient } from '../auth/client-queries.ts'
import type { Role } from '../domain/enums.ts'
import type { Secrets } from '../http/credentials.ts'
import type { Database, Sql } from '../platform/database.ts'
import { StartError } from '../platform/errors.ts'
import { productNameKey } from '../domain/product-name.ts'
import type { Context } from '../http/context.ts'
import { demoCompany } from './company.ts'
import { insertDemoInvoices, writeDemoInvoices } from './invoices.ts'

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
 * Makes the demo company with two invoices, a partner entitled to it and an operator, unless they are there.
 * @param key of this installation: the secrets of the demo clients are derived from it, so that every start can show them.
 */
export async function ensureDemo(
  context: Pick<Context, 'database' | 'storage' | 'today' | 'secrets'>,
  key: Buffer,
): Promise<Demo> {
  const { database, secrets } = context
  const today = context.today()
  const secret = (name: string) => createHmac('sha256', key).update(name).digest('base64url')
  const partner = { clientId: 'demo-partner', clientSecret: secret('demo-partner') }
  const operator = { clientId: 'demo-operator', clientSecret: secret('demo-operator') }
  // Before the transaction, which may be retried. Of two processes that start at once, one leaves orphan files, which are deleted later.
  const invoices = (await hasDemo(database)) ? [] : await writeDemoInvoices(context, today)
  await database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [lockKey])
    const inserted = await sql.execute(
      "insert into service_metadata (name, value) values ('demo', 'true') on conflict do nothing",
    )
    if (inserted === 0) return
    const companyId = await insertCompany(sql)
    await insertDemoClient(sql, secrets, partner, 'partner', null)
    await insertDemoClient(sql, secrets, operator, 'operator', 'admin')
    await grantCompanies(sql, partner.clientId, [companyId])
    await insertDemoInvoices(sql, companyId, invoices, today)
  })
  const isActive = (api: 'partner' | 'operator', { clientId }: DemoClient) =>
    isActiveClient(database, { api, clientId })
  return {
    companyTaxId: demoCompany['company-tax-id'],
    partner: (await isActive('partner', partner)) ? partner : null,
    operator: (await isActive('operator', operator)) ? operator : null,
  }
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

async function insertDemoClient(
  sql: Sql,
  secrets: Secrets,
  { clientId, clientSecret }: DemoClient,
  kind: 'partner' | 'operator',
  role: Role | null,
): Promise<void> {
  await insertClient(sql, {
    id: clientId,
    kind,
    name: `Demo ${kind}`,
    role,
    secretHash: secrets.hash(clientId, clientSecret),
  })
}

async function insertCompany(sql: Sql): Promise<string> {
  const id = uuidv7()
  const { name, products } = demoCompany
  await sql.execute(
    `insert into company (id, tax_id, name, search_name, created_at, updated_at)
     values ($1, $2, $3, $4, statement_timestamp(), statement_timestamp())`,
    [id, demoCompany['company-tax-id'], name, productNameKey(name)],
  )
  const rows = products.map((product) => ({ ...product, id: uuidv7(), key: productNameKey(product['product-name']) }))
  await sql.execute(
    `insert into product (company_id, id, name, name_key, carrier_name, product_type, allowed_dependent_types,
       allowed_start_options, billing_day, cut_off_day, position)
     select $1, p.id, p."product-name", p.key, p."carrier-name", p."product-type",
       array(select json_array_elements_text(p."allowed-dependent-types")),
       array(select json_array_elements_text(p."allowed-start-options")), p."billing-day", p."cut-off-day", p.place
     from rows from (json_to_recordset($2::json) as (id uuid, key text, "product-name" text, "carrier-name" text,
       "product-type" text, "allowed-dependent-types" json, "allowed-start-options" json, "billing-day" smallint,
       "cut-off-day" smallint)) with ordinality as p(id, key, "product-name", "carrier-name", "product-type",
       "allowed-dependent-types", "allowed-start-options", "billing-day", "cut-off-day", place)`,
    [id, JSON.stringify(rows)],
  )
  return id
}
