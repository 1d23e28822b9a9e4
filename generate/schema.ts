/* `npm run schema`: sql/schema.sql, what the migrations of that folder make together, read from PostgreSQL's catalogs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, type Sql } from '#platform/core/database.ts'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { openLog } from '#platform/core/log.ts'
import { migrate } from '#platform/core/migrate.ts'

export const schemaFile = new URL('../sql/schema.sql', import.meta.url)

const head = `-- What the migrations of this folder make together. Made by \`npm run schema\`; read it, never run it.
`

/** The schema of a migrated database: functions, then the tables by name with their keys, checks and indexes. */
export async function schemaText(sql: Sql): Promise<string> {
  const functions = await sql.query<{ text: string }>(
    `select pg_get_functiondef(p.oid) as text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'public' order by p.proname, pg_get_function_identity_arguments(p.oid)`,
  )
  const types = await sql.query<{ text: string }>(
    `select format('create type %I as enum (%s);', t.typname, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)) as text
     from pg_type t join pg_namespace n on n.oid = t.typnamespace join pg_enum e on e.enumtypid = t.oid
     where n.nspname = 'public' group by t.typname order by t.typname`,
  )
  const tables = await sql.query<Table>(
    `select c.oid::int as oid, c.relname as name, c.relpersistence = 'u' as unlogged, c.reloptions as options
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') order by c.relname collate "C"`,
  )
  const parts = [
    ...types.map(({ text }) => text),
    ...functions.map(({ text }) => `${text.trim().replaceAll(/\bpublic\./g, '')};`),
  ]
  for (const table of tables) parts.push(await tableText(sql, table))
  return `${[head, ...parts].join('\n').trim()}\n`
}

interface Table {
  readonly oid: number
  readonly name: string
  readonly unlogged: boolean
  readonly options: string[] | null
}

async function tableText(sql: Sql, table: Table): Promise<string> {
  const columns = await sql.query<{ text: string }>(
    `select concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
       case when a.attstorage <> t.typstorage then 'storage ' || case a.attstorage
         when 'e' then 'external' when 'm' then 'main' when 'p' then 'plain' else 'extended' end end,
       case when a.attnotnull then 'not null' end,
       case when a.attgenerated = 's' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid, true) || ') stored'
         when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid, true) end) as text
     from pg_attribute a
     join pg_type t on t.oid = a.atttypid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table.oid],
  )
  const constraints = await sql.query<{ text: string }>(
    `select format('constraint %I %s', conname, pg_get_constraintdef(oid, true)) as text from pg_constraint
     where conrelid = $1 and contype in ('p', 'u', 'c', 'f', 'x')
     order by array_position('{p,u,f,c,x}', contype), conname collate "C"`,
    [table.oid],
  )
  const indexes = await sql.query<{ text: string }>(
    `select pg_get_indexdef(i.indexrelid, 0, true) || ';' as text from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1 and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = $1)
     order by c.relname collate "C"`,
    [table.oid],
  )
  const inside = [...columns, ...constraints].map(({ text }) => `  ${plain(text)}`).join(',\n')
  const options = table.options === null ? '' : ` with (${table.options.join(', ')})`
  const made = `\ncreate ${table.unlogged ? 'unlogged ' : ''}table ${table.name} (\n${inside}\n)${options};`
  return [made, ...indexes.map(({ text }) => plain(text))].join('\n')
}

/** PostgreSQL's own wording, closer to how the migrations say it. */
function plain(text: string): string {
  return text
    .replaceAll(/\bpublic\./g, '')
    .replaceAll(/'::(?:text|bpchar|character varying|jsonb)\b/g, "'")
    .replaceAll(/<> ALL \(ARRAY\[([^[\]]*)\]\)/g, 'not in ($1)')
    .replaceAll(/= ANY \(ARRAY\[([^[\]]*)\]\)/g, 'in ($1)')
    .replace(/^CREATE UNIQUE INDEX /, 'create unique index ')
    .replace(/^CREATE INDEX /, 'create index ')
    .replace(' USING btree ', ' ')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(/\bcharacter\((\d+)\)/g, 'char($1)')
    .replaceAll(/\b(PRIMARY KEY|FOREIGN KEY|REFERENCES|UNIQUE|CHECK|WHERE|AND|OR|NOT|IS|NULL|ON)\b/g, (word) =>
      word.toLowerCase(),
    )
}

/** Runs `work` on a migrated database of a throw-away engine. */
async function onMigrated(work: (database: Database) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigencia-schema-'))
  const engine = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
  const options = { url: engine.url, connections: 2, namedStatements: false, applicationName: 'schema' }
  const database = openDatabase(options, openLog('error'))
  try {
    await migrate(database)
    await work(database)
  } finally {
    await database.close()
    await engine.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) await onMigrated(async (database) => writeFile(schemaFile, await schemaText(database)))
