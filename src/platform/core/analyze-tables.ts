import type { Database } from './database.ts'

/**
 * Analyzes the tables that have grown several times over since their last analyze, which also invalidates cached plans, and those whose
 * statistics list every company but one that has work: the planner assumes that it has no rows, takes any index led by `company_id`, and reads
 * the whole company for each row of a batch. Autovacuum does the same, but up to minutes later.
 */
export async function analyzeGrownTables(database: Database): Promise<void> {
  const grown = await database.query<{ name: string }>(
    `select quote_ident(pg_class.relname) as name from pg_stat_user_tables used join pg_class on pg_class.oid = used.relid
     where used.schemaname = current_schema() and used.n_mod_since_analyze > 500 and (used.n_mod_since_analyze > 3 * pg_class.reltuples
       or exists (select 1 from pg_stats where schemaname = used.schemaname and tablename = used.relname and attname = 'company_id'
         and n_distinct = cardinality(most_common_vals::text::uuid[])
         and exists (select 1 from work where company_id <> all(pg_stats.most_common_vals::text::uuid[]))))`,
  )
  for (const { name } of grown) await database.queryPlanned(`analyze ${name}`)
}
