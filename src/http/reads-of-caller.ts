import type { Sql } from '../core/database.ts'
import type { Client } from '../core/actor.ts'

export type Reads = Pick<Sql, 'query' | 'queryPlanned'>

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export type Restriction = (statement: Statement) => Statement

/** With more companies nearly all workers are asked anyway. */
const maxCompanies = 100

/**
 * Runs statements that read for a partner. On Citus each table of companies is read for the caller's companies only, so that a statement
 * asks the workers that have them, and with one company runs whole on one worker. The statements check the entitlements themselves.
 * @param companyTaxId of the only company that the statement reads; null: it may read each of the caller's.
 */
export async function readsOfCaller(sql: Sql, caller: Client, companyTaxId: string | null = null): Promise<Reads> {
  const restrict = await restrictionTo(sql, caller, companyTaxId)
  if (restrict === unrestricted) return sql
  return {
    query: (text, values = []) => {
      const statement = restrict({ text, values })
      return sql.query(statement.text, statement.values)
    },
    queryPlanned: (text, values = []) => {
      const statement = restrict({ text, values })
      return sql.queryPlanned(statement.text, statement.values)
    },
  }
}

/** What is found in the caller's companies, or else in any: what belongs to another client's company is not the caller's, but it exists. */
export async function readOwnOrAny<Row extends { readonly found: boolean }>(
  sql: Sql,
  caller: Client,
  read: (reads: Reads) => Promise<Row>,
): Promise<Row> {
  const reads = await readsOfCaller(sql, caller)
  const row = await read(reads)
  return row.found || reads === sql ? row : read(sql)
}

const unrestricted: Restriction = (statement) => statement

/** Restricts a statement to the caller's companies, as `readsOfCaller` does. A table is named as `from enrollment e` or `join enrollment e`. */
export async function restrictionTo(
  sql: Sql,
  { clientId }: Client,
  companyTaxId: string | null = null,
): Promise<Restriction> {
  const tables = sql.distributedTables()
  if (tables.length === 0) return unrestricted
  const entitlements = await sql.query<{ companyId: string }>(
    `select t.company_id as "companyId" from entitlement t join company c on c.id = t.company_id
     where t.client_id = $1 and ($2::text is null or c.tax_id = $2) limit ${maxCompanies + 1}`,
    [clientId, companyTaxId],
  )
  if (entitlements.length === 0 || entitlements.length > maxCompanies) return unrestricted
  const companyIds = entitlements.map(({ companyId }) => companyId)
  return ({ text, values }) => ({
    text: text.replaceAll(/\b(from|join) ([a-z_]+) (?=[a-z]\b)/g, (reference: string, keyword: string, table: string) =>
      tables.includes(table)
        ? `${keyword} (select * from ${table} where company_id = any($${values.length + 1}::uuid[])) `
        : reference,
    ),
    values: [...values, companyIds],
  })
}
