/* Books of any size, made by the database itself: the service's own doors would take hours. */
import type { Client } from 'pg'
import { completeCnpj } from '../src/domain/tax-id.ts'

export interface Book {
  readonly companies: number
  readonly members: number
  /** Each member's inclusion too, so many to a request; 0: none. */
  readonly membersOfRequest?: number
  /** A primary and its dependents: three when absent. */
  readonly familySize?: number
}

/** The members by number from 1: SQL over the column n, and the same in JavaScript. */
export const idOf = (kind: string, n: string) => `('01995e0c-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** The id of a request of the book. */
export const requestId = (n: number) => `01995e0c-0004-7000-8000-${n.toString(16).padStart(12, '0')}`

/** Spread over all that there are, as CPFs are: nine digits that follow no order of the members', each once. */
const nineDigits = (n: string) => `((${n})::bigint * 387420489 % 1000000007)`

/** SQL of a CPF with its check digits, over nine digits in `nine`. */
const cpfOf = (nine: string) => {
  const digit = (position: number) => `((${nine} / ${10 ** (8 - position)}) % 10)`
  const sum = (first: number) => Array.from({ length: 9 }, (_, n) => `${digit(n)} * ${first - n}`).join(' + ')
  const check = (total: string) => `(case when (${total}) % 11 < 2 then 0 else 11 - (${total}) % 11 end)`
  return { first: check(sum(10)), second: (first: string) => check(`${sum(11)} + ${first} * 2`) }
}

/**
 * SQL of people: number, company, id, CPF; every third is the primary of the two after, or the first of as many as `familySize` says.
 * @param numbers SQL that selects `n`, from 3, and `company`, the number of the company from 1.
 */
export const people = (numbers: string, familySize = 3) => `
  select n, company, ${idOf('0001', 'company')} as company_id, md5('member' || n)::uuid as id,
    md5('member' || n - n % ${familySize})::uuid as primary_id, n % ${familySize} = 0 as is_primary,
    lpad(nine::text, 9, '0') || first || ${cpfOf('nine').second('first')} as tax_id
  from (select n, company, nine, ${cpfOf('nine').first} as first
    from (select n, company, ${nineDigits('n')} as nine from (${numbers}) numbered) x
    where nine < 1000000000) y`

/** The people of a book, spread evenly over its companies. */
const evenly = (book: Book, from: number, to: number) =>
  people(`select n, (n / 3) % ${book.companies} + 1 as company from generate_series(${from}, ${to}) n`, book.familySize)

/** Makes so many companies, numbered from 1, with two products each. */
export async function makeCompanies(client: Client, companies: number): Promise<void> {
  const taxIds = Array.from({ length: companies }, (_, n) => completeCnpj(String(n + 1).padStart(12, '0')))
  await client.query(
    `insert into company (id, tax_id, name, search_name, created_at, updated_at)
     select ${idOf('0001', 'n')}, tax_id, 'Companhia ' || n, 'companhia ' || n, now(), now()
     from unnest($1::text[]) with ordinality made (tax_id, n)
     on conflict (id) do nothing`,
    [taxIds],
  )
  await client.query(
    `insert into product (company_id, id, name, name_key, carrier_name, product_type, allowed_dependent_types, allowed_start_options, position)
     select ${idOf('0001', 'n')}, ${idOf('0002', 'n * 2 + k')}, p.name, fold(p.name), 'Operadora Aurora', p.type,
       '{spouse,child}', '{on-inclusion-date}', k
     from generate_series(1, ${companies}) n,
       (values (0, 'Saúde Essencial Enfermaria', 'health-insurance'), (1, 'Sorriso Pleno', 'dental-insurance')) p (k, name, type)
     on conflict do nothing`,
  )
}

/** Entitles a client to the companies of those numbers. */
export async function entitle(client: Client, clientId: string, first: number, last: number): Promise<void> {
  await client.query(
    `insert into entitlement (company_id, client_id, created_at)
     select c.id, $1, now() from generate_series($2::int, $3::int) n join company c on c.id = ${idOf('0001', 'n')}
     on conflict do nothing`,
    [clientId, first, last],
  )
}

/**
 * Puts a book into empty tables: families of three of one company, a health benefit each, a dental one too for every fifth
 * family, and as many requests as their inclusions take. Indexes are made after the rows.
 */
export async function makeBook(client: Client, book: Book): Promise<void> {
  await makeCompanies(client, book.companies)
  const perRequest = book.membersOfRequest ?? 0
  const tables = ['member', 'benefit', ...(perRequest > 0 ? ['enrollment'] : [])]
  await withoutIndexes(client, tables, async () => {
    // In pieces, so that the time limit of a bench can end it in between.
    for (let from = 3; from < book.members + 3; from += 250_000) {
      const to = Math.min(from + 249_999, book.members + 2)
      await insertMembers(client, evenly(book, from, to))
      if (perRequest > 0) await insertMovements(client, book, evenly(book, from, to), perRequest)
    }
  })
  await client.query(`vacuum (analyze) ${[...tables, 'company', 'product', 'request', 'entitlement'].join()}`)
}

/** Inserts those people and their benefits. @param from SQL of `people`. */
export async function insertMembers(client: Client, from: string): Promise<void> {
  await client.query(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
       employee_id, cost_center, salary, details, created_at, updated_at)
     select company_id, id, tax_id, 'Conceição Letícia Kobayashi Müller ' || n, 'Ana Helena da Silva Kobayashi',
       date '1950-01-01' + n % 20000, case when n % 2 = 0 then 'female' else 'male' end, 'single', '2022-05-03', 'E' || n,
       'CC-' || n % 200, 2201631, '{"job-title":"Analista de Produção","phone":"11925618483"}', now(), now()
     from (${from}) p`,
  )
  await client.query(
    `insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
       card_number, created_at, updated_at)
     select company_id, ${idOf('0003', 'n * 2 + k')}, id, ${idOf('0002', 'company * 2 + k')},
       case when is_primary then 'primary' else 'dependent' end, case when not is_primary then primary_id end,
       case when not is_primary then 'child' end, 'active', '2025-01-01', '0076' || n, now(), now()
     from (${from}) x, generate_series(0, case when n / 3 % 5 = 0 then 1 else 0 end) k`,
  )
}

/** A request is of one company: `n / (3 * companies * perRequest)` with the company are its key. */
async function insertMovements(client: Client, book: Book, from: string, perRequest: number) {
  const request = `(n / 3 / ${book.companies} / ${perRequest}) * ${book.companies} + (n / 3) % ${book.companies} + 1`
  await client.query(
    `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
     select distinct company_id, ${idOf('0004', request)}, (select id from client where api = 'partner' limit 1), 'inclusion', 'completed',
       timestamptz '2026-01-01', timestamptz '2026-01-01'
     from (${from}) p
     on conflict do nothing`,
  )
  await client.query(
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
       primary_member_id, product_id, product_name, benefit_id, data, initial_status, created_at, updated_at)
     select company_id, ${idOf('0005', 'n')}, ${idOf('0004', request)}, 'inclusion', 'completed', id, tax_id,
       case when is_primary then 'primary' else 'dependent' end, case when not is_primary then primary_id end,
       (select p.id from product p where p.company_id = x.company_id and p.position = 0), 'Saúde Essencial Enfermaria',
       ${idOf('0003', 'n * 2')}, '{"employee-id":"E1","salary":2201631}', 'created', timestamptz '2026-01-01' + n * interval '1 second', now()
     from (${from}) x`,
  )
}

/** Takes the indexes and foreign keys of the tables away while `work` fills them: one by one, entries cost several times as much. */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const constraints = await client.query<{ drop: string; make: string }>(
    `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
       format('alter table %s add constraint %I %s%s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid),
         case when c.contype = 'f' then ' not valid' else '' end) as make
     from pg_constraint c
     where c.contype in ('f', 'p', 'u') and (c.conrelid = any($1::text[]::regclass[]) or c.confrelid = any($1::text[]::regclass[]))
     order by c.contype = 'f' desc, c.conname`,
    [tables],
  )
  const indexes = await client.query<{ drop: string; make: string }>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make from pg_index i
     where i.indrelid = any($1::text[]::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))`,
    [tables],
  )
  await client.query(`set maintenance_work_mem = '512MB'; set session_replication_role = replica`)
  for (const { drop } of [...constraints.rows, ...indexes.rows]) await client.query(drop)
  await work()
  for (const { make } of [...constraints.rows.toReversed(), ...indexes.rows]) await client.query(make)
  await client.query(`reset maintenance_work_mem; reset session_replication_role`)
}
