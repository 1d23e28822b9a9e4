/*
 * The members of a country: companies of very different sizes, hundreds of clients, a year of past movements. Everything is a function of a
 * number, in SQL to write it and in JavaScript to read it: the load needs no list of what exists.
 */
import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { completeCnpj, completeCpf } from '../src/domain/tax-id.ts'
import { idOf, insertMembers, makeCompanies, people, requestId, withoutIndexes } from './population.ts'

export interface Company {
  /** From 1. */
  readonly number: number
  readonly taxId: string
  /** The number of its first family; the families of a company follow each other. */
  readonly firstFamily: number
  readonly families: number
}

const membersOfFamily = 3
const largestCompany = 10_000
/** The size of a company is its rank to the power of minus this: the smaller half of the companies has a tenth of the members. */
const skew = 0.95
/** Of the families of a company each fifth came by an inclusion of the past; so many families, of which it is a fifth, share a request. */
const familiesOfRequest = 50
const pastEvery = 5
const familiesPerStep = 50_000

/** Companies by falling size; with few members the largest has a twentieth of them. */
export function companiesOf(members: number, companies: number): Company[] {
  const wanted = Math.floor(members / membersOfFamily)
  const most = Math.max(1, Math.floor(Math.min(largestCompany, members / 20) / membersOfFamily))
  const sizeOf = (rank: number, scale: number) => Math.max(1, Math.min(most, Math.floor(scale * rank ** -skew)))
  const total = (scale: number) => {
    let sum = 0
    for (let rank = 1; rank <= companies; rank += 1) sum += sizeOf(rank, scale)
    return sum
  }
  let [low, high] = [0, wanted * companies]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (total(middle) > wanted) high = middle
    else low = middle
  }
  let firstFamily = 1
  return Array.from({ length: companies }, (_, n) => {
    const families = sizeOf(n + 1, low)
    const company = {
      number: n + 1,
      taxId: completeCnpj(String(n + 1).padStart(12, '0')),
      firstFamily,
      families,
    }
    firstFamily += families
    return company
  })
}

export const membersOf = (companies: readonly Company[]): number =>
  companies.reduce((sum, { families }) => sum + families * membersOfFamily, 0)

/** The number of a person: 0 is the primary of the family, 1 and 2 its dependents. */
export const personNumber = (family: number, person: number): number => family * membersOfFamily + person

/** As `people` in SQL. */
export function taxIdOf(person: number): string {
  return completeCpf(String((person * 387_420_489) % 1_000_000_007).padStart(9, '0'))
}

/** As `people` in SQL. */
export function memberIdOf(person: number): string {
  const hex = createHash('md5').update(`member${person}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The past inclusion of a person of a family for which `hasPast`. */
export const enrollmentIdOf = (person: number): string =>
  `01995e0c-0005-7000-8000-${person.toString(16).padStart(12, '0')}`

/** Whether the family came by an inclusion; the others were imported. */
export const hasPast = (family: number): boolean => family % pastEvery === 0

/** The request of the past inclusion of a family of the company. */
export function pastRequestId(company: Company, family: number): string {
  return requestId(Math.max(company.firstFamily, family - (family % familiesOfRequest)))
}

/** The client of a company's past requests, by its index of so many; others may be entitled to the company too. */
export const clientOf = (company: Company, clients: number): number => company.number % clients

/** Writes it all into a migrated database without companies. @param clientIds those entitled to the companies. */
export async function makePopulation(
  client: Client,
  companies: readonly Company[],
  clientIds: readonly string[],
): Promise<void> {
  await makeCompanies(client, companies.length)
  await client.query(
    `create temporary table numbered as
     select company, first_family, families, $4::text[] as client_ids, ($4::text[])[company % cardinality($4::text[]) + 1] as client_id
     from unnest($1::int[], $2::int[], $3::int[]) made (company, first_family, families)`,
    [
      companies.map(({ number }) => number),
      companies.map(({ firstFamily }) => firstFamily),
      companies.map(({ families }) => families),
      clientIds,
    ],
  )
  // The first client is a payroll bureau with each twentieth company; each third company has a second client.
  await client.query(
    `insert into entitlement (company_id, client_id, created_at)
     select ${idOf('0001', 'company')}, client_id, now() from (
       select company, client_id from numbered
       union select company, client_ids[1] from numbered where company % 20 = 0
       union select company, client_ids[company * 7 % cardinality(client_ids) + 1] from numbered where company % 3 = 0) e`,
  )
  const tables = ['member', 'benefit', 'request', 'enrollment', 'enrollment_history', 'audit', 'audit_pending']
  const write = async () => {
    for (let from = 1; from <= lastFamily(companies); from += familiesPerStep) {
      await insertMembers(client, people(numbersOf(from, '1')))
      await insertPast(client, from)
    }
  }
  // Citus writes the rows of a step to the nodes itself; its constraints are not taken away.
  if (await isCitus(client)) await write()
  else await withoutIndexes(client, tables, write)
  await client.query('drop table numbered')
  await client.query(`vacuum (analyze) ${[...tables, 'company', 'product', 'entitlement'].join()}`)
}

/** Whether the database is on the coordinator of a Citus cluster. */
export async function isCitus(client: Client): Promise<boolean> {
  return (await client.query(`select from pg_extension where extname = 'citus'`)).rows.length > 0
}

function lastFamily(companies: readonly Company[]): number {
  const last = companies.at(-1)
  return last === undefined ? 0 : last.firstFamily + last.families - 1
}

/** SQL of the people of a step, every so many families. */
const numbersOf = (from: number, every: string) =>
  `select family * ${membersOfFamily} + person as n, company
   from numbered, generate_series(greatest(first_family, ${from}), least(first_family + families, ${from + familiesPerStep}) - 1) family,
     generate_series(0, ${membersOfFamily - 1}) person
   where family % ${every} = 0`

/** Older than the events that are stored, so that none is missing. */
const pastAt = (family: string) =>
  `date_trunc('day', now()) - interval '100 days' - ${family} / ${familiesOfRequest} * 900 % 31000000 * interval '1 second'`

/** Each fifth family's inclusion, accepted by its client and completed a day later, with what the audit has of both. */
async function insertPast(client: Client, from: number): Promise<void> {
  const until = from + familiesPerStep
  const requests = `
    select company, client_id, greatest(first_family, bucket * ${familiesOfRequest}) as n, ${pastAt(`bucket * ${familiesOfRequest}`)} as at
    from (select company, client_id, first_family, families, bucket
      from numbered, generate_series(greatest(first_family, ${from}) / ${familiesOfRequest},
        (least(first_family + families, ${until}) - 1) / ${familiesOfRequest}) bucket
      where first_family < ${until} and first_family + families > ${from}) b
    where exists (select from generate_series(greatest(first_family, bucket * ${familiesOfRequest}),
      least(first_family + families, (bucket + 1) * ${familiesOfRequest}) - 1) family where family % ${pastEvery} = 0)
      and greatest(first_family, bucket * ${familiesOfRequest}) between ${from} and ${until - 1}`
  await client.query(
    `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
     select ${idOf('0001', 'company')}, ${idOf('0004', 'n')}, client_id, 'inclusion', 'completed', at, at + interval '1 second' from (${requests}) r`,
  )
  const request = `greatest(first_family, n / ${membersOfFamily} - n / ${membersOfFamily} % ${familiesOfRequest})`
  const past = `select p.*, ${request} as request, ${pastAt(`(n / ${membersOfFamily})`)} as at
    from (${people(numbersOf(from, String(pastEvery)))}) p join numbered using (company)`
  await client.query(
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
       primary_member_id, product_id, product_name, benefit_id, data, initial_status, created_at, updated_at)
     select company_id, ${idOf('0005', 'n')}, ${idOf('0004', 'request')}, 'inclusion', 'completed', id, tax_id,
       case when is_primary then 'primary' else 'dependent' end, case when not is_primary then primary_id end,
       ${idOf('0002', 'company * 2')}, 'Saúde Essencial Enfermaria', ${idOf('0003', 'n * 2')}, '{"employee-id":"E1","salary":2201631}',
       'created', at, at + interval '1 day'
     from (${past}) x`,
  )
  await client.query(
    `insert into enrollment_history (company_id, enrollment_id, step, status, at, actor)
     select company_id, ${idOf('0005', 'n')}, 1, 'completed', at + interval '1 day', 'operator' from (${past}) x`,
  )
  await client.query(
    `insert into audit (id, at, actor, action, target, company_id)
     select ${idOf('0006', 'n')}, at, client_id, 'inclusion.requested', ${idOf('0004', 'n')}::text, ${idOf('0001', 'company')} from (${requests}) r
     union all
     select ${idOf('0007', 'n')}, at + interval '1 day', 'bench-operator', 'enrollment.completed', ${idOf('0005', 'n')}::text, company_id from (${past}) x`,
  )
  await client.query(
    `insert into audit_pending (id, at)
     select ${idOf('0006', 'n')}, at from (${requests}) r
     union all select ${idOf('0007', 'n')}, at + interval '1 day' from (${past}) x`,
  )
}
