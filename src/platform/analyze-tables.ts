import type { Database } from './database.ts'

/**
 * Analyses tables that have grown several times over since PostgreSQL last looked at them, which also renews kept plans.
 * Autovacuum does the same, up to minutes later: long enough for a first payroll to run on the plans of empty tables.
 */
export async function analyzeGrownTables(database: Database): Promise<void> {
  const grown = await database.rows<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema() and s.n_mod_since_analyze > 500 and s.n_mod_since_analyze > 3 * c.reltuples`,
  )
  for (const { name } of grown) await database.planned(`analyze ${name}`)
}
