import { beforeAll, describe, expect, test } from 'vitest'
import { insertBenefit, insertCovered, insertMember } from '../../world/roster.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  type Json,
  nextCpf,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

/* Members of one company, of a day, by a part of their names; and their families. */

const testApp = useTestApp()
let one: Company
let two: Company
let foreign: Company
let partner: Client

const [ana, bia, caio] = Array.from({ length: 3 }, nextCpf).toSorted() as [string, string, string]

beforeAll(async () => {
  ;[one, two, foreign] = await Promise.all([testApp.company(), testApp.company(), testApp.company()])
  partner = await testApp.partner(one.taxId, two.taxId)
  await insertCovered(testApp, one, { cpf: ana, employeeId: 'MAT-77' })
  await insertCovered(testApp, two, { cpf: ana })
  const bias = await insertMember(testApp, one, { cpf: bia })
  await insertBenefit(testApp, one, bias, { status: 'inactive', start_date: '2025-01-10', end_date: '2026-03-01' })
  await insertCovered(testApp, two, { cpf: caio })
  await insertCovered(testApp, foreign, { cpf: nextCpf(), employeeId: 'MAT-78' })
})

/** The CPFs that a query finds, the same whole and in a page. */
async function found(query: Record<string, string>): Promise<string[]> {
  const path = `/v1/member?${new URLSearchParams(query).toString()}`
  const whole = expectOk(await partner.get(path)).body
  const page = expectOk(await partner.get(`${path}&page=1`)).body
  expect(page.result).toEqual(whole.result)
  expect(page.pagination['total-items']).toBe(whole.result.length)
  return whole.result.map((member: Json) => member.profile['tax-id'])
}

describe('200: the members', () => {
  test('of one company, each with all benefits and the same id', async () => {
    expect(await found({ 'company-tax-id': one.taxId })).toEqual([ana])
    expect(await found({ 'company-tax-id': one.taxId, 'include-inactive': 'true' })).toEqual([ana, bia])
    expect(await found({ 'company-tax-id': two.taxId })).toEqual([ana, caio])
    const read = async (query: string) => expectOk(await partner.get(`/v1/member?${query}`)).body.result[0]
    expect(await read(`company-tax-id=${two.taxId}&page=1`)).toEqual(await read(`filter=tax-id%3D${ana}`))
  })

  test('who were covered on a day', async () => {
    expect(await found({ 'active-on': '2026-03-01', 'company-tax-id': one.taxId })).toContain(bia)
    for (const day of ['2025-01-09', '2026-03-02']) expect(await found({ 'active-on': day })).not.toContain(bia)
  })

  test('by a part of the name, the e-mail address or the employee id, without case and accents', async () => {
    expect(await found({ q: 'mat-7' })).toEqual([ana])
    expect(await found({ q: 'mat-7', 'company-tax-id': two.taxId })).toEqual([])
    expect(await found({ q: 'mat-7', filter: `tax-id=${caio}` })).toEqual([])
    const members = [primary({ name: 'Conceição Além', 'email-private': 'alem@casa.example' })]
    await testApp.include(partner, two, members, '?resolution=approve')
    for (const q of ['conceicao a', '@CASA']) expect(await found({ q })).toEqual([members[0]?.['tax-id']])
    expect(await found({ q: '%%%' })).toEqual([])
  })
})

test('400 for a part that is too short; 403 for a company that is not the caller’s, as for an unknown one', async () => {
  const refusal = async (query: string) => {
    const { status, body } = await partner.get(`/v1/member?${query}`)
    return [status, body.code]
  }
  expect(await refusal('q=ab')).toEqual([400, 'invalid-parameter'])
  expect(await refusal('q=%20%20%20%20')).toEqual([400, 'invalid-parameter'])
  expect(await refusal('active-on=2026-02-30')).toEqual([400, 'invalid-parameter'])
  for (const taxId of [foreign.taxId, '11222333000181']) {
    for (const more of ['', '&page=1'])
      expect(await refusal(`company-tax-id=${taxId}${more}`)).toEqual([403, 'not-entitled'])
  }
})

test('a member has the family, of the caller’s companies only', async () => {
  const mother = primary({ name: 'Dora Prado' })
  const child = dependent(mother['tax-id'], { name: 'Enzo Prado' })
  await testApp.include(partner, one, [mother, child], '?resolution=approve')
  const stranger = await testApp.partner(foreign.taxId)
  const son = dependent(mother['tax-id'], { name: 'Filho de Fora' })
  await testApp.include(stranger, foreign, [mother, son], '?resolution=approve')
  const familyOf = async (client: Client, taxId: string) => {
    const list = expectOk(await client.get(`/v1/member?filter=tax-id%3D${taxId}`)).body.result
    const { family } = expectOk(await client.get(`/v1/member/${list[0].id}`)).body.result
    return family.map((relative: Json) => [relative.name, relative.type, relative['dependent-type'], relative.status])
  }
  expect(await familyOf(partner, mother['tax-id'])).toEqual([['Enzo Prado', 'dependent', 'child', 'active']])
  expect(await familyOf(partner, child['tax-id'])).toEqual([['Dora Prado', 'primary', null, 'active']])
  expect(await familyOf(stranger, mother['tax-id'])).toEqual([['Filho de Fora', 'dependent', 'child', 'active']])
})
