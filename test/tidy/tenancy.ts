// What the tables of sql/ say of tenancy, and whether a statement stays inside it.
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../sql/', import.meta.url)

export interface TableText {
  readonly file: string
  readonly name: string
  /** What stands between the brackets, comments removed. */
  readonly body: string
}

/** The migrations, comments removed. */
export function readMigrations(): { file: string; text: string }[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_/.test(name))
    .sort()
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8').replaceAll(/--[^\n]*/g, '') }))
}

/** Every table that a migration makes. */
export function readTables(): TableText[] {
  return readMigrations().flatMap(({ file, text }) =>
    [...text.matchAll(/create (?:unlogged )?table (\w+) \((.*?)\n\)/gs)].map((found) => ({
      file,
      name: found[1] ?? '',
      body: found[2] ?? '',
    })),
  )
}

// They have a company, and are no tenant's: who may see what, what is to do, what is to tell, what was done.
const besideTenants = new Set(['entitlement', 'audit', 'work', 'event_batch', 'webhook_fan_out', 'webhook_delivery'])

/** The names of the tables whose rows belong to a company. */
export function tenantTables(): string[] {
  return readTables()
    .filter(({ name, body }) => /^\s*company_id uuid\b/m.test(body) && !besideTenants.has(name))
    .map(({ name }) => name)
}

const notAnAlias =
  /^(where|set|on|join|left|right|inner|cross|full|using|values|select|order|group|limit|for|union|returning|as|natural|lateral|offset|having|default|and|when)$/i

interface Use {
  readonly table: string
  readonly alias: string
}

/**
 * The uses of a tenant's table in a statement that nothing ties to a company of the caller's: no `company_id = $n`, no company
 * named in what the program handed over, and no join that leads to `entitlement` with the client's id.
 * It reads words, not meanings: an alias used twice in one statement counts as one, and an `or` beside a condition is not seen.
 */
export function unscoped(text: string, tenants: readonly string[]): string[] {
  const uses = usesOf(text, tenants)
  const scoped = new Set<string>(rootsOf(text, uses))
  const ties = tiesOf(text)
  for (let grew = true; grew;) {
    grew = false
    for (const [one, other] of ties) {
      if (scoped.has(one) === scoped.has(other)) continue
      scoped.add(one).add(other)
      grew = true
    }
  }
  return uses
    .filter(({ alias }) => !scoped.has(alias))
    .map(({ table, alias }) => (table === alias ? table : `${table} ${alias}`))
}

function usesOf(text: string, tenants: readonly string[]): Use[] {
  const words = tenants.join('|')
  const read = new RegExp(
    String.raw`(?:\b(?:from|join|update)|,)\s+(?:only )?(${words})\b(?!\s*\.)(?:\s+(?:as\s+)?(\w+))?`,
    'gi',
  )
  const reads = [...text.matchAll(read)].map((found) => {
    const [, table = '', alias = ''] = found
    return { table, alias: alias === '' || notAnAlias.test(alias) ? table : alias }
  })
  // An insert names the company of the row that it makes.
  const insert = new RegExp(String.raw`\binsert into (${words})\b[^(]*\(([^)]*)\)`, 'gi')
  const blind = [...text.matchAll(insert)].filter((found) => !/\bcompany_id\b/.test(found[2] ?? ''))
  return [...reads, ...blind.map((found) => ({ table: found[1] ?? '', alias: `new ${found[1]}` }))]
}

/** Aliases that a condition ties to the caller itself. */
function rootsOf(text: string, uses: readonly Use[]): string[] {
  // A `?` is a piece of SQL that the program puts in: at least the company is compared.
  const given = String.raw`(?:\$\d+|\?|any\(\$\d+|any\(array\(select company_id from entitlement where client_id = \$\d+|\w+\."\w*[cC]ompanyId"|\(select \w*company_id from (?:scope|target|caller)\b)`
  const qualified = [...text.matchAll(new RegExp(String.raw`(\w+)\.company_id = ${given}`, 'g'))].map(
    (found) => found[1] ?? '',
  )
  const bare = new RegExp(String.raw`(?<![.\w])company_id = ${given}`).test(text)
  const unnamed = bare ? uses.filter(({ table, alias }) => table === alias).map(({ alias }) => alias) : []
  // Until a movement takes it, a document belongs to the client who uploaded it.
  const own = uses.filter(({ table, alias }) => table === 'document' && ownedBy(text, alias)).map(({ alias }) => alias)
  const entitlements = [...text.matchAll(/\bentitlement (?:as )?(\w+)/g)].map((found) => found[1] ?? '')
  const entitled = entitlements.filter((alias) =>
    new RegExp(String.raw`\b${alias}\.client_id = (\$\d+|\w+\.id)`).test(text),
  )
  const named = [...text.matchAll(/(?:\bwith(?: recursive)?|,) (\w+) as (?:materialized |not materialized )?\(/g)]
  const common = named.map((found) => found[1] ?? '').filter((name) => isScopedPart(text, name))
  const commonAliases = common.flatMap((name) => [
    name,
    ...[...text.matchAll(new RegExp(String.raw`\b(?:from|join) ${name} (?:as )?(\w+)`, 'g'))].map(
      (found) => found[1] ?? '',
    ),
  ])
  return [...qualified, ...unnamed, ...own, ...entitled, ...commonAliases]
}

function ownedBy(text: string, alias: string): boolean {
  const column = alias === 'document' ? String.raw`(?<!\.)client_id` : String.raw`${alias}\.client_id`
  return new RegExp(String.raw`\b${column} = (\$\d+|\w+\.id)`).test(text)
}

/** Whether the part `name as (...)` of a statement begins from the caller. */
function isScopedPart(text: string, name: string): boolean {
  const start = text.search(new RegExp(String.raw`\b${name} as (?:materialized |not materialized )?\(`))
  let depth = 0
  let end = text.indexOf('(', start)
  for (; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1
    if (text[end] === ')') depth -= 1
    if (depth === 0) break
  }
  const body = text.slice(start, end)
  return /company_id = (\$\d+|any\(\$\d+)/.test(body) || /\bentitlement\b.*client_id = /.test(body)
}

/** Pairs of aliases that a condition holds in one company. */
function tiesOf(text: string): [string, string][] {
  const equal = /(\w+)\.(?:\w*company_id|id) = (\w+)\.\w*company_id|(\w+)\.\w*company_id = (\w+)\.(?:id|\w*company_id)/g
  const either = /(\w+)\.company_id = coalesce\((\w+)\.\w*company_id, \2\.company_id\)/g
  return [
    ...[...text.matchAll(equal)].map((found): [string, string] => [
      found[1] ?? found[3] ?? '',
      found[2] ?? found[4] ?? '',
    ]),
    ...[...text.matchAll(either)].map((found): [string, string] => [found[1] ?? '', found[2] ?? '']),
  ]
}
