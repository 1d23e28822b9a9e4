import type { Database } from './database.ts'

/**
 * Analyzes the tables that have grown several times over since their last analyze, which also invalidates cached plans, and those whose
 * statistics list every company but one that has work: the planner assumes that it has no rows, takes any index led by `company_id`, and reads
 * the whole company for each row of a batch. Autovacuum does the same, but up to minutes later.
 */
export async function analyzeGrownTables(database: Database): Promise<void> {
  const grown = await database.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema() and s.n_mod_since_analyze > 500 and (s.n_mod_since_analyze > 3 * c.reltuples
       or exists (select from pg_stats p where p.schemaname = s.schemaname and p.tablename = s.relname and p.attname = 'company_id'
         and p.n_distinct = cardinality(p.most_common_vals::text::uuid[])
         and exists (select from work w where w.company_id <> all(p.most_common_vals::text::uuid[]))))`,
  )
  for (const { name } of grown) await database.queryPlanned(`analyze ${name}`)
}
