import * as fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { completeCpf } from '#kernel/tax-id.ts'
import { scaled } from '../../scale.ts'
import { rosters, costCenters, employeeIds, saveRoster, type MemberTerms, modelOf } from './roster-model.ts'
import { type Client, type Company, expectOk, type Json, nextCpf, useTestApp } from '../../world/test-app.ts'

const mine = [0, 1, 2]
// One of the first hundredth of all CPFs: a list of several companies reads it apart from the others.
const cpfs = [...Array.from({ length: 4 }, nextCpf), completeCpf('004711042')]

const testApp = useTestApp()
/** The last one is another tenant's. */
let companies: Company[]
let requestIds: string[]
let partner: Client
/** A client of the first company alone, whose list is read another way. */
let single: Client

beforeAll(async () => {
  companies = []
  for (let n = 0; n < 4; n += 1) companies.push(await testApp.company())
  partner = await testApp.partner(...mine.map((n) => companies[n]?.taxId ?? ''))
  single = await testApp.partner(companies[0]?.taxId ?? '')
  await testApp.partner(companies[3]?.taxId ?? '')
  requestIds = companies.map(() => uuidv7())
  await testApp.sql(
    `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
     select c, r, $3, 'inclusion', 'completed', now(), now() from unnest($1::uuid[], $2::uuid[]) as x(c, r)`,
    [companies.map(({ id }) => id), requestIds, partner.clientId],
  )
})

const query = (parameters: Record<string, string | number | boolean | null>) =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&')

/** All pages of a list joined; each page's `pagination` is checked against the others. */
async function joined(
  path: string,
  parameters: Record<string, string | boolean | null>,
  size: number,
): Promise<Json[]> {
  const all: Json[] = []
  for (let page = 1; ; page += 1) {
    const requested = query({ ...parameters, page, 'items-per-page': size })
    const { result, pagination } = expectOk(await partner.get(`${path}?${requested}`)).body
    all.push(...result)
    const pages = pagination['total-pages']
    expect(pages).toBe(Math.ceil(pagination['total-items'] / size))
    expect(pagination['previous-page']).toBe(page === 1 ? null : page - 1)
    if (pagination['next-page'] === null) {
      expect(page).toBe(Math.max(pages, 1))
      expect(all).toHaveLength(pagination['total-items'])
      return all
    }
    expect(result).toHaveLength(size)
  }
}

const some = <T>(from: readonly T[]) => fc.uniqueArray(fc.constantFrom(...from), { maxLength: 2 })

const memberTerms = fc
  .record({ taxIds: some(cpfs), costCenters: some(costCenters), employeeIds: some(employeeIds.slice(0, 2)) })
  .filter(({ taxIds, costCenters, employeeIds }) => taxIds.length + costCenters.length + employeeIds.length > 0)

const filterOf = (terms: MemberTerms) =>
  [
    ...terms.employeeIds.map((value) => `employee-id=${value}`),
    ...terms.taxIds.map((value) => `tax-id=${value}`),
    ...terms.costCenters.map((value) => `cost-center=${value}`),
  ].join('|')

const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { freq: 2 })

const questions = fc.record({
  terms: fc.option(memberTerms, { freq: 4 }),
  includeInactive: fc.boolean(),
  size: fc.integer({ min: 1, max: 4 }),
  company: maybe(...mine),
  cpf: maybe(...cpfs),
  type: maybe('inclusion', 'exclusion', 'alteration'),
  status: maybe('created', 'completed', 'rejected', 'pending-documents'),
  days: maybe(['2026-03-10', '2026-03-11'], ['2026-03-10', null], [null, '2026-03-10'], ['2026-03-09', '2026-03-12']),
})

const inShort = (body: Json) =>
  body.result.map((member: Json) => ({
    id: member.id,
    name: member.profile.name,
    cpf: member.profile['tax-id'],
    benefits: member.benefits.map((benefit: Json) => benefit['benefit-id']),
  }))

test('for any roster and filter, the pages together equal the whole list and the model, without members of other clients', async () => {
  await fc.assert(
    fc.asyncProperty(
      rosters(companies.length, cpfs),
      fc.array(questions, { minLength: 3, maxLength: 3 }),
      async (roster, requested) => {
        await saveRoster(testApp, companies, requestIds, roster)
        const model = modelOf(roster, companies, mine)
        for (const { terms, includeInactive, size, company, cpf, type, status, days } of requested) {
          const selection = { filter: terms === null ? null : filterOf(terms), 'include-inactive': includeInactive }
          const whole = expectOk(await partner.get(`/v1/member?${query(selection)}`)).body
          expect(await joined('/v1/member', selection, size)).toEqual(whole.result)
          expect(inShort(whole)).toEqual(model.members(terms, includeInactive))
          const ofOne = expectOk(await single.get(`/v1/member?${query(selection)}`)).body
          expect(inShort(ofOne)).toEqual(modelOf(roster, companies, [0]).members(terms, includeInactive))

          const of = {
            'company-tax-id': company === null ? null : (companies[company]?.taxId ?? ''),
            'member-tax-id': cpf,
          }
          const benefits = await joined('/v1/benefit', { ...of, 'include-inactive': includeInactive }, size)
          expect(
            benefits.map((one) => ({ id: one['benefit-id'], cpf: one['member-tax-id'], memberId: one['member-id'] })),
          ).toEqual(model.benefits(company, cpf, includeInactive))

          const [from, until] = days ?? [null, null]
          const narrowed = { 'enrollment-type': type, status, 'from-dt': from ?? null, 'until-dt': until ?? null }
          const movements = await joined('/v1/enrollment/history', { ...of, ...narrowed }, size)
          expect(movements.map((one) => one.id)).toEqual(
            model.movements({ company, cpf, type, status, from: from ?? null, until: until ?? null }),
          )
        }
      },
    ),
    { numRuns: scaled(12, 200) },
  )
}, 3_600_000)
