/*
 * The rows that the lists read, among 100,000 members of 50 companies. One company has 22,000 people, the others about 1,600 each; one
 * client may access the large one, one a small one, one the large one and four others.
 */
import { openMovements } from '#coverage/enrollments/open-movement.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  findCarriers,
  findClaims,
  findCompanies,
  findContracts,
  findInvoices,
  findMembers,
  findMovements,
  findRequests,
  findShipments,
} from '#apps/search/queries.ts'
import { parseSearch } from '#kernel/search.ts'
import { listHistory } from '#coverage/enrollments/history-queries.ts'
import type { HistoryFilter } from '#coverage/enrollments/schema.ts'
import { type BenefitFilter, listBenefits } from '#coverage/benefits/queries.ts'
import type { MemberFilter } from '#coverage/members/filter.ts'
import { listMembers, wholeList } from '#coverage/members/queries.ts'
import { listRequests } from '#movements/requests/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { explained, maxRows, planOf } from '../world/plans.ts'
import { type Json, useTestApp } from '../world/test-app.ts'

const people = 100_000
const companies = 50
const cpf = '00000050007'
const cnpj = '00000000000007'
const smallCnpj = '00000000000003'
const noShared = { taxIds: [], shown: [] }

const testApp = useTestApp()

beforeAll(async () => {
  const id = (kind: string, n: string) => `md5('${kind}' || ${n})::uuid`
  // The planner takes every company for an average one: the large one shows what comes of it.
  const company = id('company', `(case n % 5 when 0 then 7 else n % ${companies} end)`)
  // With a single value the index of `updated_at` would be one of companies.
  const at = `now() - n * interval '1 second'`
  const statements = [
    `insert into company (id, tax_id, name, search_name, created_at, updated_at)
     select ${id('company', 'n')}, lpad(n::text, 14, '0'), 'C', 'c', now(), now()
     from generate_series(0, ${companies - 1}) n`,
    `insert into carrier (id, name, created_at, updated_at) values (gen_random_uuid(), 'K', now(), now())`,
    `insert into product (company_id, id, name, name_key, carrier_name, product_type, allowed_dependent_types, allowed_start_options, position)
     select id, id, 'P', 'p', 'K', 'health-insurance', '{}', '{}', 0 from company`,
    `insert into client (id, api, name, created_at) select name, 'partner', name, now() from unnest(array['large', 'small', 'five']) name`,
    `insert into entitlement select id, 'large', now() from company where tax_id = '${cnpj}'`,
    `insert into entitlement select id, 'small', now() from company where tax_id = '${smallCnpj}'`,
    `insert into entitlement select id, 'five', now() from company where tax_id::bigint % 10 = 7`,
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, employee_id, cost_center,
       created_at, updated_at)
     select ${company}, ${id('member', 'n')}, lpad(n::text, 11, '0'), 'N', 'M', '1990-01-01', 'male', 'E' || n,
       'C' || n / 500 % 20, ${at}, ${at} from generate_series(1, ${people}) n`,
    `insert into benefit (company_id, id, member_id, product_id, type, status, start_date, end_date, created_at, updated_at)
     select ${company}, ${id('benefit', 'n')}, ${id('member', 'n')}, ${company}, 'primary',
       case n / 50 % 10 when 0 then 'inactive' else 'active' end, '2025-01-01', '2027-01-01', ${at}, ${at}
     from generate_series(1, ${people}) n`,
    `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
     select id, id, 'large', 'inclusion', 'completed', now(), now() from company`,
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
       product_id, product_name, benefit_id, data, initial_status, created_at, updated_at)
     select ${company}, ${id('enrollment', 'n')}, ${company}, 'inclusion',
       case n / 50 % 20 when 0 then 'created' else 'completed' end, ${id('member', 'n')}, lpad(n::text, 11, '0'), 'primary',
       ${company}, 'P', ${id('benefit', 'n')}, '{}', 'created', timestamptz '2026-01-01' + n * interval '1 minute', ${at}
     from generate_series(1, ${people}) n`,
    openMovements('true'),
    `insert into enrollment_history (company_id, enrollment_id, step, status, at, actor)
     select company_id, id, 1, status, updated_at, 'operator' from enrollment where status = 'completed'`,
    `insert into contract (company_id, id, carrier_id, contract_number, sub_contract, contacts, answer_within_business_days, status,
       created_at, updated_at)
     select company.id, company.id, carrier.id, 'A1', '', '[]', 5, 'active', now(), now() from company, carrier`,
    `insert into shipment (company_id, id, contract_id, number, status, created_at, updated_at)
     select id, id, id, 1, 'open', now(), now() from company`,
    `insert into shipment_item (company_id, shipment_id, movement_company_id, enrollment_id, position, status, line_numbers,
       carrier_protocol, updated_at)
     select ${company}, ${company}, ${company}, ${id('enrollment', 'n')}, n, 'accepted', '{}', 'PR' || n, now()
     from generate_series(1, ${people}) n`,
  ]
  // Checking 300,000 foreign keys one by one would take longer than all the rest.
  await testApp.sql(
    `set session_replication_role = replica; ${statements.join(';')}; set session_replication_role = origin`,
  )
  await testApp.sql(
    `vacuum (analyze) member, benefit, enrollment, open_movement, enrollment_history, company, product, client, entitlement, contract,
       shipment, shipment_item`,
  )
})

const bounds = { limit: 20, offset: 0 }
const firstPage = { page: 1, 'items-per-page': 20 }
const fewRows = 200

/** A list reads each table once at most; a filter by CPF or employee id a few rows. */
describe.each(['large', 'five', 'small'])('for the client %s', (clientId) => {
  const caller = { api: 'partner' as const, clientId }

  test.each<[string, Partial<MemberFilter> | null, boolean, number]>([
    ['everybody', null, false, people],
    ['everybody ever', null, true, people],
    ['a CPF', { 'tax-id': [cpf] }, false, fewRows],
    ['a cost center', { 'cost-center': ['C3'] }, false, people],
    ['an employee id', { 'employee-id': ['E50007'] }, false, fewRows],
    ['any of the three', { 'tax-id': [cpf], 'cost-center': ['C3', 'C4'], 'employee-id': ['E50007'] }, true, people],
  ])('members: %s', async (_name, requested, includeInactive, maxRead) => {
    const filter = requested === null ? null : { 'tax-id': [], 'cost-center': [], 'employee-id': [], ...requested }
    expect(
      maxRows(await planOf(testApp.sql, (sql) => listMembers(sql, caller, { includeInactive, filter }, bounds))),
    ).toBeLessThanOrEqual(maxRead)
    const { text, values } = wholeList(caller, { includeInactive, filter }, noShared)
    expect(maxRows(await explained(testApp.sql, text, values))).toBeLessThanOrEqual(maxRead)
  })

  test('what changed since: a list reads each table once at most, and few rows when nothing changed', async () => {
    const ever = '2020-01-01T00:00:00Z'
    const never = '2999-01-01T00:00:00Z'
    for (const [updatedSince, maxRead] of [
      [ever, people],
      [never, fewRows],
    ] as const) {
      const selection = { includeInactive: true, filter: null, updatedSince }
      const { text, values } = wholeList(caller, selection, noShared)
      const plans = [
        await planOf(testApp.sql, (sql) => listMembers(sql, caller, selection, bounds)),
        await explained(testApp.sql, text, values),
        await planOf(testApp.sql, (sql) =>
          listBenefits(sql, caller, { 'include-inactive': true, 'updated-since': updatedSince, ...firstPage }),
        ),
        await planOf(testApp.sql, (sql) => listHistory(sql, caller, { 'updated-since': updatedSince, ...firstPage })),
        await planOf(testApp.sql, (sql) => listRequests(sql, caller, { 'updated-since': updatedSince, ...firstPage })),
      ]
      expect([updatedSince, plans.map(maxRows).filter((read) => read > maxRead)]).toEqual([updatedSince, []])
    }
  })

  test.each<[string, Partial<BenefitFilter>, number]>([
    ['all', {}, people],
    ['the ended too', { 'include-inactive': true }, people],
    ['of a member', { 'member-tax-id': cpf }, fewRows],
    ['of a company', { 'company-tax-id': cnpj }, people],
  ])('benefits: %s', async (_name, requested, maxRead) => {
    const query = { 'include-inactive': false, ...requested, ...firstPage }
    expect(maxRows(await planOf(testApp.sql, (sql) => listBenefits(sql, caller, query)))).toBeLessThanOrEqual(maxRead)
  })

  test.each<[string, Partial<HistoryFilter>, number]>([
    ['all', {}, people],
    ['of a member', { 'member-tax-id': cpf }, fewRows],
    ['of a former CPF', { 'member-tax-id': '00000050008' }, fewRows],
    ['of a company', { 'company-tax-id': cnpj }, people],
    ['of a kind', { 'enrollment-type': 'exclusion' }, people],
    ['in a status', { status: ['completed'] }, people],
    ['of some days', { 'from-dt': '2026-02-01', 'until-dt': '2026-02-05' }, people],
  ])('movements: %s', async (_name, requested, maxRead) => {
    const plan = await planOf(testApp.sql, (sql) => listHistory(sql, caller, { ...requested, ...firstPage }))
    expect(maxRows(plan)).toBeLessThanOrEqual(maxRead)
  })
})

test('a foreign key’s check reads one row by the primary key', async () => {
  const keyed = ['member', 'enrollment']
  for (const table of keyed) {
    const [known] = await testApp.sql<Json>(`select company_id, id from ${table} limit 1`)
    const plan = await planOf(testApp.sql, (sql) =>
      sql.query(`select 1 from only ${table} x where company_id = $1 and id = $2 for key share of x`, [
        known?.company_id,
        known?.id,
      ]),
    )
    expect(maxRows(plan)).toBe(1)
  }
})

test.each([
  ['a part of an employee id that many have', 'e50'],
  ['a word that nothing has', 'quixotesca'],
  ['a part of a CPF', '50007'],
  ['a part of a protocol that many have', 'pr9'],
])('the search of all objects reads each table once at most: %s', async (_name, q) => {
  const term = parseSearch(q)
  if (term === null) throw new Error('no search')
  const finds = {
    members: (sql: Sql) => findMembers(sql, q, term, true),
    companies: (sql: Sql) => findCompanies(sql, q),
    carriers: (sql: Sql) => findCarriers(sql, q),
    contracts: (sql: Sql) => findContracts(sql, q),
    movements: (sql: Sql) => findMovements(sql, q, term),
    requests: (sql: Sql) => findRequests(sql, q),
    shipments: (sql: Sql) => findShipments(sql, q),
    claims: (sql: Sql) => findClaims(sql, q),
    invoices: (sql: Sql) => findInvoices(sql, q, '2026-11-23'),
  }
  const read: Record<string, number> = {}
  for (const [type, find] of Object.entries(finds)) {
    read[type] = maxRows(await planOf(testApp.sql, find))
  }
  expect(Object.entries(read).filter(([, rows]) => rows > people)).toEqual([])
})
