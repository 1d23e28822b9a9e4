import { type Database, queriesOn, type Sql } from './database.ts'
import { StartError } from './errors.ts'
import { migrationLock } from './migrate.ts'

/**
 * Tables that every node has whole. Statements of all companies join them: who may do what, the carriers, the companies with their products, and
 * which company an invoice belongs to. They are small, and written seldom.
 */
export const referenceTables = [
  'carrier',
  'client',
  'client_secret',
  'company',
  'product',
  'entitlement',
  'person',
  'invoice_owner',
  'requirement_rule',
  'legal_hold',
  'broker_setting',
] as const

/**
 * Tables of companies that stay on the coordinator: the outbox is a queue, which the dispatcher reads over all companies, together with the
 * batches, the endpoints and the deliveries.
 */
const localTables = ['event'] as const

interface Table {
  readonly name: string
  /** Whether its primary key begins with company_id. */
  readonly isOfCompany: boolean
  readonly isDistributed: boolean
  readonly isUnlogged: boolean
}

interface ForeignKey {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly definition: string
}

/**
 * The statements that distribute the tables over the nodes of a Citus cluster, in order; none when it is done. Each table whose primary key
 * begins with `company_id` is distributed by it, except `referenceTables`; all others stay on the coordinator. Foreign keys of the tables
 * are dropped before and added after: Citus distributes no table that has one to a table that is not distributed yet.
 * @throws StartError when the database is not that of a coordinator with workers.
 */
export async function distributionPlan(sql: Pick<Sql, 'query'>): Promise<string[]> {
  await requireCoordinator(sql)
  const tables = await sql.query<Table>(
    `select relname as name, coalesce((select attname = 'company_id' from pg_index
         join pg_attribute on attrelid = pg_class.oid and attnum = indkey[0] where indrelid = pg_class.oid and indisprimary), false)
         as "isOfCompany",
       exists (select 1 from pg_dist_partition where logicalrelid = pg_class.oid and (partmethod = 'h' or repmodel = 't')) as "isDistributed",
       relpersistence = 'u' as "isUnlogged"
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  )
  const isReference = (name: string) => (referenceTables as readonly string[]).includes(name)
  const isLocal = (name: string) => (localTables as readonly string[]).includes(name)
  const todo = tables.filter(
    ({ name, isOfCompany, isDistributed }) => !isDistributed && ((isOfCompany && !isLocal(name)) || isReference(name)),
  )
  if (todo.length === 0) return []
  const keys = await sql.query<ForeignKey>(
    `select conname as name, referencing.relname as from, referenced.relname as to, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint
     join pg_class referencing on referencing.oid = conrelid join pg_class referenced on referenced.oid = confrelid
     where contype = 'f' and connamespace = 'public'::regnamespace order by referencing.relname, conname`,
  )
  const distributed = new Set([...todo, ...tables.filter(({ isDistributed }) => isDistributed)].map(({ name }) => name))
  // With a key to a reference table Citus would plan every statement on a table of the coordinator, and refuse those of the queues. A lock
  // of an entitlement would also lock the tables that it refers to.
  const hasNoKeys = (name: string) => !distributed.has(name) || name === 'entitlement'
  const names = new Set(todo.map(({ name }) => name))
  const dropped = keys.filter(({ from, to }) => names.has(from) || names.has(to))
  const functions = await sql.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc where pronamespace = 'public'::regnamespace
       and not exists (select 1 from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
     order by 1`,
  )
  const references = todo.filter(({ name }) => isReference(name))
  // The order of their names, so that the first is the one that the others are placed with.
  const ofCompanies = todo.filter(({ name }) => !isReference(name))
  const already = tables.find(({ name, isDistributed }) => isDistributed && !isReference(name))
  const colocation = already?.name ?? ofCompanies[0]?.name
  return [
    ...dropped.map(({ name, from }) => `alter table ${from} drop constraint ${name}`),
    // An unlogged table has no logical replication, by which Citus moves rows to another node while they are written.
    ...ofCompanies.filter(({ isUnlogged }) => isUnlogged).map(({ name }) => `alter table ${name} set logged`),
    ...functions.map(({ signature }) => `select create_distributed_function('${signature}')`),
    ...references.map(({ name }) => `select create_reference_table('${name}')`),
    ...ofCompanies.map(({ name }) => {
      const placed = name === colocation ? 'none' : colocation
      return `select create_distributed_table('${name}', 'company_id', colocate_with => '${placed}')`
    }),
    ...todo.map(({ name }) => `select truncate_local_data_after_distributing_table('${name}')`),
    ...dropped
      .filter(({ from }) => !hasNoKeys(from))
      .map(({ name, from, definition }) => `alter table ${from} add constraint ${name} ${definition}`),
  ]
}

/**
 * Runs the statements of `distributionPlan` in one transaction; safe to run twice. Calls wait meanwhile.
 * @returns the statements.
 * @throws StartError when the database is not that of a coordinator with workers.
 */
export async function distribute(database: Database): Promise<string[]> {
  const client = await database.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query("begin; set local citus.multi_shard_modify_mode = 'sequential'")
    const plan = await distributionPlan(queriesOn(client))
    for (const statement of plan) await client.query(statement)
    await client.query('commit')
    return plan
  } finally {
    await client.end()
  }
}

async function requireCoordinator(sql: Pick<Sql, 'query'>): Promise<void> {
  const [extension] = await sql.query("select from pg_extension where extname = 'citus'")
  if (extension === undefined) {
    throw new StartError(
      'This database has no extension citus: run `create extension citus` in it on each node, then add the workers with `select citus_add_node(host, port)`.',
    )
  }
  const [cluster] = await sql.query<{ isCoordinator: boolean; knowsItself: boolean; workers: number }>(
    `select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
       exists (select 1 from pg_dist_node where groupid = 0) as "knowsItself",
       (select count(*)::int from pg_dist_node where groupid <> 0 and isactive and shouldhaveshards) as workers`,
  )
  if (!cluster?.isCoordinator) {
    throw new StartError('This node is a worker of Citus: let VIGENCIA_DATABASE_URL lead to the coordinator.')
  }
  if (!cluster.knowsItself) {
    throw new StartError(
      'The coordinator does not know its own address, which the workers need: run `select citus_set_coordinator_host(host, port)` on it.',
    )
  }
  if (cluster.workers === 0) {
    throw new StartError('The coordinator has no workers: add them with `select citus_add_node(host, port)`.')
  }
}
