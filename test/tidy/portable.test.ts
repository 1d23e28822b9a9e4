import { expect, test } from 'vitest'
import { readStatements } from './statements.ts'
import { readMigrations, readTables, tenantTables } from './tenancy.ts'

/*
 * The SQL that also runs where the tables are distributed by company (Citus), held by its words: what a rule cannot see is what a
 * function, or a piece of SQL that is not a text in src/, does.
 */

const statements = readStatements()
const tenants = tenantTables()
const tenantWords = tenants.join('|')

interface Rule {
  readonly name: string
  readonly mend: string
  readonly breaks: (text: string) => boolean
}

const rules: Rule[] = [
  {
    name: 'a row lock names the company, but on the queues and tables of clients',
    mend: 'add `company_id = $n` to what is locked, or let an update that changes nothing hold the row',
    breaks: (text) =>
      /\bfor (?:no key update|update|key share|share)\b/i.test(text) &&
      !/\bcompany_id = \$\d+/.test(text) &&
      !/\b(?:from|join) (?:client|work|work_turn|event_batch|webhook_fan_out|webhook_delivery|webhook_endpoint)\b/.test(
        text,
      ),
  },
  {
    name: 'DO UPDATE SET takes its time from the row that was to be inserted',
    mend: 'write `excluded.x` instead of a function of time',
    breaks: (text) =>
      /\bdo update set\b.*?(?:\bnow\(\)|_timestamp\(\)|\bcurrent_(?:timestamp|date)\b)/i.test(
        text.replace(/\b(?:where|returning)\b.*$/i, ''),
      ),
  },
  {
    name: 'an update of a tenant’s table calls nothing volatile',
    mend: 'hand the value over as a parameter',
    breaks: (text) =>
      new RegExp(
        String.raw`\bupdate (?:${tenantWords})\b.*\bset\b.*(?:\bclock_timestamp|\bgen_random_uuid|\brandom)\(`,
        'i',
      ).test(text),
  },
  {
    name: 'there is no MERGE',
    mend: 'write INSERT ... ON CONFLICT, or an update and an insert',
    breaks: (text) => /\bmerge into\b/i.test(text),
  },
]

test.for(rules)('$name', ({ breaks, mend }) => {
  const faults = statements.filter(({ text }) => breaks(text)).map(({ where }) => where)
  expect({ mend, faults }).toEqual({ mend, faults: [] })
})

test('no migration makes a trigger or a rule', () => {
  const faults = readMigrations().filter(({ text }) =>
    /\bcreate (?:or replace )?(?:constraint )?(?:trigger|rule)\b/i.test(text),
  )
  expect(faults.map(({ file }) => `${file}: do it in the statement that writes`)).toEqual([])
})

test('no foreign key sets null or cascades: with company_id in it that breaks the row', () => {
  const faults = readMigrations().filter(({ text }) =>
    /\bon (?:delete|update) (?:set null|set default|cascade)\b/i.test(text),
  )
  expect(
    faults.map(({ file }) => file),
    'delete what refers to it first',
  ).toEqual([])
})

test('keys, unique and foreign, of a tenant’s table hold its company', () => {
  const faults = readTables()
    .filter(({ name }) => tenants.includes(name))
    .flatMap(({ name, body }) => [
      ...keysOf(body, /\bprimary key \(([^)]*)\)/g)
        .filter((columns) => columns[0] !== 'company_id')
        .map(() => `${name}: primary key`),
      ...(/\bprimary key\b(?! \()/.test(body) ? [`${name}: primary key`] : []),
      ...keysOf(body, /\bunique \(([^)]*)\)/g)
        .filter((columns) => !columns.includes('company_id'))
        .map((columns) => `${name}: unique ${columns.join()}`),
      ...keysOf(body, /\bforeign key \(([^)]*)\)/g)
        .filter((columns) => !columns.some((column) => column.endsWith('company_id')))
        .map((columns) => `${name}: foreign key ${columns.join()}`),
    ])
  expect(
    faults.filter((fault) => !beyond.includes(fault)),
    'lead the key with company_id',
  ).toEqual([])
  expect(
    beyond.filter((fault) => !faults.includes(fault)),
    'take it out of the list',
  ).toEqual([])
})

/** Not led by company_id, each for a reason that stands in its migration. */
const beyond = ['document: primary key', 'invoice_owner: primary key']

test('a unique index on a tenant’s table holds its company', () => {
  const faults = readMigrations().flatMap(({ text }) =>
    [...text.matchAll(/create unique index (\w+)\s+on (\w+)\s+(?:using \w+ )?\(([^;]*?)\)(?: where|;)/g)]
      .filter((found) => tenants.includes(found[2] ?? '') && !/\bcompany_id\b/.test(found[3] ?? ''))
      .map((found) => found[1]),
  )
  expect(faults, 'a unique index must contain company_id').toEqual([])
})

function keysOf(body: string, pattern: RegExp): string[][] {
  return [...body.matchAll(pattern)].map((found) => (found[1] ?? '').split(',').map((column) => column.trim()))
}

test.for([
  ['a row lock', 0, 'select 1 from member where id = $1 for update'],
  ['a time in DO UPDATE SET', 1, 'insert into x (a) values ($1) on conflict (a) do update set at = now()'],
  ['a volatile function', 2, 'update member set updated_at = clock_timestamp() where company_id = $1'],
  ['a merge', 3, 'merge into member m using x on true'],
] as const)('the rules see %s', ([, index, text]) => {
  expect(rules[index]?.breaks(text)).toBe(true)
})
