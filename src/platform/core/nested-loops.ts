import type { Sql } from './database.ts'

/**
 * Runs statements about all lines of a carrier's file without nested loops. The planner assumes one row where it knows nothing of lines that have
 * just been inserted or matched, and then takes loops that need minutes (decision 64). Statements that are run here are run nowhere else: a
 * prepared plan stays.
 */
export async function withoutNestedLoops<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  // Citus gives settings to the servers that run the statement only then; PostgreSQL alone has no use for the name.
  await sql.execute(`set local citus.propagate_set_commands = 'local'`)
  await sql.execute('set local enable_nestloop = off')
  // Parallel workers would take all cores of a small server from the reads of partners.
  await sql.execute('set local max_parallel_workers_per_gather = 0')
  const result = await work()
  await sql.execute('set local enable_nestloop to default')
  await sql.execute('set local max_parallel_workers_per_gather to default')
  return result
}
