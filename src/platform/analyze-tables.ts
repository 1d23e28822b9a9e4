import type { Database } from './database.ts'

/**
 * Analyzes the tables that have grown several times over since their last analyze, which also invalidates cached plans.
 * Autovacuum does the same, but up to minutes later: a first payroll would run on the plans of empty tables.
 */
export async function analyzeGrownTables(database: Database): Promise<void> {
  const grown = await database.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema() and s.n_mod_since_analyze > 500 and s.n_mod_since_analyze > 3 * c.reltuples`,
  )
  for (const { name } of grown) await database.queryPlanned(`analyze ${name}`)
}
