/*
 * The plans of the lists at 100,000 members: whatever is asked, an index leads to it, and nothing is read many times over. One
 * company has 22,000 people, 49 have about 1,600; one client has the large one alone, another four of the others too.
 */
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../src/platform/database.ts'
import { type HistoryFilter, listHistory } from '../../src/enrollments/history-queries.ts'
import { type BenefitFilter, listBenefits } from '../../src/benefits/queries.ts'
import type { MemberFilter } from '../../src/members/filter.ts'
import { listSettings, memberStatements } from '../../src/members/whole-list-queries.ts'
import { listMembers } from '../../src/members/page-queries.ts'
import { type House, type Json, openHouse } from './test-app.ts'

const people = 100_000
const companies = 50
/** The people of the client who has five companies. */
const largestScope = 30_000
const cpf = '00000050007'
const cnpj = '00000000000007'

let house: House
/** Set as a connection of a list is. */
let lister: Client

beforeAll(async () => {
  house = await openHouse()
  lister = new Client({ connectionString: house.databaseUrl })
  await lister.connect()
  await lister.query(listSettings)
  const id = (kind: string, n: string) => `md5('${kind}' || ${n})::uuid`
  // The planner takes every company for an average one: the large one shows what comes of it.
  const company = id('company', `(case n % 5 when 0 then 7 else n % ${companies} end)`)
  const statements = [
    `insert into company select ${id('company', 'n')}, lpad(n::text, 14, '0'), 'C', 'c', now(), now()
     from generate_series(0, ${companies - 1}) n`,
    `insert into product select id, id, 'P', 'p', 'K', 'health-insurance', '{}', '{}', null, null, 0, null from company`,
    `insert into client values ('one', 'partner', 'one', null, now()), ('five', 'partner', 'five', null, now())`,
    `insert into entitlement select id, 'one', now() from company where tax_id = '${cnpj}'`,
    `insert into entitlement select id, 'five', now() from company where tax_id::bigint % 10 = 7`,
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, employee_id, cost_center,
       created_at, updated_at)
     select ${company}, ${id('member', 'n')}, lpad(n::text, 11, '0'), 'N', 'M', '1990-01-01', 'male', 'E' || n,
       'C' || n / 500 % 20, now(), now() from generate_series(1, ${people}) n`,
    `insert into benefit (company_id, id, member_id, product_id, type, status, start_date, end_date, created_at, updated_at)
     select ${company}, ${id('benefit', 'n')}, ${id('member', 'n')}, ${company}, 'primary',
       case n / 50 % 10 when 0 then 'inactive' else 'active' end, '2025-01-01', '2027-01-01', now(), now()
     from generate_series(1, ${people}) n`,
    `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
     select id, id, 'one', 'inclusion', 'completed', now(), now() from company`,
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
       product_id, product_name, benefit_id, data, initial_status, created_at, updated_at)
     select ${company}, ${id('enrollment', 'n')}, ${company}, 'inclusion',
       case n / 50 % 20 when 0 then 'created' else 'completed' end, ${id('member', 'n')}, lpad(n::text, 11, '0'), 'primary',
       ${company}, 'P', ${id('benefit', 'n')}, '{}', 'created', timestamptz '2026-01-01' + n * interval '1 minute', now()
     from generate_series(1, ${people}) n`,
  ]
  // Checking 300,000 foreign keys one by one would take longer than all the rest.
  await house.sql(
    `set session_replication_role = replica; ${statements.join(';')}; set session_replication_role = origin`,
  )
  await house.sql('vacuum (analyze) member, benefit, enrollment, company, product, client, entitlement')
})

afterAll(async () => {
  await lister.end()
  await house.close()
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The plan of the statement that `ask` makes. */
async function planOf(ask: (sql: Sql) => Promise<unknown>): Promise<Plan[]> {
  const asked: { text: string; values: readonly unknown[] }[] = []
  const note = async (text: string, values: readonly unknown[] = []) => {
    asked.push({ text, values })
    return []
  }
  await ask({ rows: note, point: note, planned: note, keyed: note, run: async () => 0 })
  expect(asked).toHaveLength(1)
  return explained((text, values) => house.sql(text, values), asked[0]?.text ?? '', asked[0]?.values ?? [])
}

type Run = (text: string, values: unknown[]) => Promise<Json[]>

async function explained(run: Run, text: string, values: readonly unknown[]): Promise<Plan[]> {
  const [row] = await run(`explain (analyze, timing off, format json) ${text}`, [...values])
  return nodesOf(row?.['QUERY PLAN'][0].Plan)
}

/** Big tables that a plan reads from end to end. */
const readWhole = (plan: Plan[]) =>
  plan
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'])
    .filter((name) => ['member', 'benefit', 'enrollment'].includes(name ?? ''))

/** The most rows that one step of a plan looks at; a handful of companies and products may well be read through each time. */
const maxRows = (plan: Plan[]) =>
  Math.max(
    ...plan
      .filter((node) => !['company', 'product'].includes(node['Relation Name'] ?? ''))
      .map(
        (node) =>
          (node['Actual Rows'] + (node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) *
          node['Actual Loops'],
      ),
  )

/** Whatever the plan, every member of the client is looked at about once. */
function expectBounded(plan: Plan[]): void {
  expect(readWhole(plan)).toEqual([])
  expect(maxRows(plan)).toBeLessThan(2 * largestScope)
}

const indexesOf = (plan: Plan[]) => plan.flatMap((node) => node['Index Name'] ?? [])

const bounds = { limit: 20, offset: 0 }

async function companiesOf(clientId: string): Promise<string[]> {
  const rows = await house.sql<{ id: string }>('select company_id as id from entitlement where client_id = $1', [
    clientId,
  ])
  return rows.map(({ id }) => id)
}

describe.each(['one', 'five'])('for a client with %s of fifty companies', (clientId) => {
  const caller = { api: 'partner' as const, clientId }

  test.each<[string, Partial<MemberFilter> | null, boolean, string[]]>([
    ['everybody', null, false, ['member_listed', 'benefit_listed']],
    ['everybody ever', null, true, ['member_listed', 'benefit_listed']],
    ['a CPF', { taxIds: [cpf] }, false, ['member_tax_id_company_id_key']],
    ['a cost center', { costCenters: ['C3'] }, false, ['member_cost_center']],
    ['an employee id', { employeeIds: ['E50007'] }, false, ['member_employee_id']],
    [
      'any of the three',
      { taxIds: [cpf], costCenters: ['C3', 'C4'], employeeIds: ['E50007'] },
      true,
      ['member_tax_id_company_id_key', 'member_cost_center', 'member_employee_id'],
    ],
  ])('members: %s', async (_name, asked, includeInactive, indexes) => {
    const filter = asked === null ? null : { taxIds: [], costCenters: [], employeeIds: [], ...asked }
    const page = await planOf((sql) => listMembers(sql, caller, { includeInactive, filter }, bounds))
    expectBounded(page)
    expect(indexesOf(page)).toEqual(expect.arrayContaining(indexes))
    for (const { text, values } of memberStatements(caller, { includeInactive, filter }, await companiesOf(clientId))) {
      const whole = await explained(async (asked, of) => (await lister.query(asked, of)).rows, text, values)
      expectBounded(whole)
      expect(indexesOf(whole)).toEqual(expect.arrayContaining(asked === null ? ['member_by_tax_id'] : indexes))
      // Nobody waits for a sort of what is shown, only of keys.
      if (asked === null && clientId === 'one') expect(whole.map((node) => node['Node Type'])).not.toContain('Sort')
    }
  })

  test.each<[string, Partial<BenefitFilter>, string]>([
    ['all', {}, 'benefit_listed'],
    ['the ended too', { includeInactive: true }, 'benefit_listed'],
    ['of a member', { memberTaxId: cpf }, 'member_tax_id_company_id_key'],
    ['of a company', { companyTaxId: cnpj }, 'benefit_listed'],
  ])('benefits: %s', async (_name, asked, index) => {
    const filter = { companyTaxId: null, memberTaxId: null, includeInactive: false, ...asked }
    const plan = await planOf((sql) => listBenefits(sql, caller, filter, bounds))
    expectBounded(plan)
    expect(indexesOf(plan)).toContain(index)
  })

  test.each<[string, Partial<HistoryFilter>, string]>([
    ['all', {}, 'enrollment_listed'],
    ['of a member', { memberTaxId: cpf }, 'enrollment_of_member'],
    ['of a former CPF', { memberTaxId: cpf }, 'enrollment_member_tax_id'],
    ['of a company', { companyTaxId: cnpj }, 'enrollment_listed'],
    ['of a kind', { enrollmentType: 'exclusion' }, 'enrollment_listed'],
    ['in a state', { status: 'completed' }, 'enrollment_listed'],
    ['of some days', { from: '2026-02-01', until: '2026-02-05' }, 'enrollment_listed'],
  ])('movements: %s', async (_name, asked, index) => {
    const nothing = {
      memberTaxId: null,
      companyTaxId: null,
      enrollmentType: null,
      status: null,
      from: null,
      until: null,
    }
    const plan = await planOf((sql) => listHistory(sql, caller, { ...nothing, ...asked }, bounds))
    expectBounded(plan)
    expect(indexesOf(plan)).toContain(index)
  })
})

test('no foreign key’s check finds the indexes of the lists', async () => {
  const checks = [
    'select 1 from only member x where company_id = $1 and id = $2 for key share of x',
    'select 1 from only enrollment x where company_id = $1 and id = $2 for key share of x',
    'select 1 from only benefit x where company_id = $1 and id = $2 for key share of x',
  ]
  const nobody = '00000000-0000-7000-8000-000000000000'
  for (const check of checks) {
    const plan = await planOf((sql) => sql.rows(check, [nobody, nobody]))
    expect(indexesOf(plan)).not.toEqual(expect.arrayContaining([expect.stringContaining('_listed')]))
  }
})
