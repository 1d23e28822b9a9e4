import { beforeAll, describe, expect, test } from 'vitest'
import { insertBenefit, insertCovered, insertMember } from '../../world/roster.ts'
import { responseWhenCut } from '../../world/cut-connection.ts'
import { type Client, type Company, dental, expectOk, type Json, nextCpf, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let one: Company
let two: Company
let foreign: Company
let partner: Client

// In the order of the list.
const [ana, bia, caio, davi, eva] = Array.from({ length: 5 }, nextCpf).toSorted() as [
  string,
  string,
  string,
  string,
  string,
]

beforeAll(async () => {
  ;[one, two, foreign] = await Promise.all([testApp.company(), testApp.company(), testApp.company()])
  partner = await testApp.partner(one.taxId, two.taxId)
  await insertCovered(testApp, one, { cpf: ana, name: 'Zélia', costCenter: 'Usina=1', employeeId: '7' })
  const anaInTwo = await insertMember(testApp, two, { cpf: ana, name: 'Zélia', costCenter: 'Sede' })
  await insertBenefit(testApp, two, anaInTwo, { status: 'inactive', end_date: '2026-03-01' })
  await insertCovered(testApp, one, { cpf: bia, costCenter: 'Sede', employeeId: '8' })
  await insertCovered(testApp, two, { cpf: caio, costCenter: 'sede', employeeId: ' 7' })
  const davis = await insertMember(testApp, two, { cpf: davi, costCenter: 'R+D' })
  await insertBenefit(testApp, two, davis, { status: 'pending', product: dental })
  // Covered in the other company only: her row in this company alone does not make her a member.
  await insertCovered(testApp, one, { cpf: eva, name: 'Álvaro' })
  await insertMember(testApp, two, { cpf: eva, costCenter: 'Sem plano' })
  await insertCovered(testApp, foreign, { cpf: bia, costCenter: 'Alheio', employeeId: '99' })
  await insertCovered(testApp, foreign, { cpf: nextCpf(), costCenter: 'Sede', employeeId: '7' })
})

const cpfsOf = (body: Json): string[] => body.result.map((member: Json) => member.profile['tax-id'])

/** The CPFs that a filter finds, the same whole and in a page. */
async function found(filter: string, more = ''): Promise<string[]> {
  const path = `/v1/member?filter=${encodeURIComponent(filter)}${more}`
  const whole = expectOk(await partner.get(path)).body
  const page = expectOk(await partner.get(`${path}&page=1`)).body
  expect(page.result).toEqual(whole.result)
  expect(page.pagination['total-items']).toBe(whole.result.length)
  expect(whole).not.toHaveProperty('pagination')
  return cpfsOf(whole)
}

const formatted = (cpf: string) => cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')

describe('200: filter', () => {
  test('by CPF, formatted or not', async () => {
    expect(await found(`tax-id=${bia}`)).toEqual([bia])
    expect(await found(`tax-id=${formatted(bia)}`)).toEqual([bia])
    expect(await found(`tax-id=${nextCpf()}`)).toEqual([])
  })

  test('by cost center and employee id, compared exactly', async () => {
    expect(await found('cost-center=sede')).toEqual([caio])
    expect(await found('employee-id=7')).toEqual([ana])
    expect(await found('employee-id= 7')).toEqual([caio])
    expect(await found('employee-id=07')).toEqual([])
    expect(await found('cost-center=Sed%')).toEqual([])
    expect(await found('cost-center=R+D', '&include-inactive=true')).toEqual([davi])
  })

  test('splits a term at its first `=`', async () => {
    expect(await found('cost-center=Usina=1')).toEqual([ana])
    expect(await found('cost-center==')).toEqual([])
  })

  test('joins terms by OR and shows a person once', async () => {
    expect(await found(`employee-id=8|tax-id=${formatted(ana)}`)).toEqual([ana, bia])
    expect(await found('cost-center=sede|cost-center=Usina=1|employee-id=7|employee-id=7')).toEqual([ana, caio])
    const raw = await partner.get('/v1/member?filter=employee-id=8|cost-center=sede')
    expect(cpfsOf(raw.body)).toEqual([bia, caio])
  })

  test('one row that matches in any of the caller’s companies shows the person with all benefits in scope', async () => {
    expect(await found('cost-center=Sede')).toEqual([ana, bia])
    const { result } = expectOk(await partner.get('/v1/member?filter=cost-center=Sede&include-inactive=true')).body
    expect(result[0].benefits.map((benefit: Json) => [benefit['company-tax-id'], benefit.status])).toEqual(
      expect.arrayContaining([
        [one.taxId, 'active'],
        [two.taxId, 'inactive'],
      ]),
    )
    expect(result[0].benefits).toHaveLength(2)
  })

  test('a member without an active benefit needs include-inactive', async () => {
    expect(await found(`tax-id=${davi}`)).toEqual([])
    expect(await found(`tax-id=${davi}`, '&include-inactive=true')).toEqual([davi])
  })

  test('another tenant’s row neither matches nor shows', async () => {
    expect(await found('cost-center=Alheio|employee-id=99')).toEqual([])
    const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id=${bia}`)).body
    expect(result[0].benefits).toHaveLength(1)
  })

  test('a row without any benefit does not match', async () => {
    expect(await found('cost-center=Sem plano', '&include-inactive=true')).toEqual([])
  })
})

test.each([
  '',
  '|',
  'tax-id',
  'tax-id=',
  'tax-id=123',
  'tax-id=111.111.111-11',
  'cost-center',
  'cost-center=',
  '=x',
  'name=Ana',
  'Tax-Id=52998224725',
  ' cost-center=A',
  'cost-center=A|',
  '|cost-center=A',
  'cost-center=A||employee-id=1',
  'cost-center=A|name=x',
  '__proto__=x',
])('400 Invalid filter for %j', async (filter) => {
  for (const more of ['', '&page=1']) {
    const response = await partner.get(`/v1/member?filter=${encodeURIComponent(filter)}${more}`)
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ error: 'Invalid filter', details: [{ field: 'filter', code: 'invalid' }] })
  }
})

test('400 for a filter sent twice', async () => {
  const response = await partner.get('/v1/member?filter=cost-center=A&filter=cost-center=B')
  expect(response.status).toBe(400)
  expect(response.body.error).toBe('Invalid parameter')
})

describe('200: pages', () => {
  const page = async (query: string) => expectOk(await partner.get(`/v1/member?${query}`)).body

  test('either parameter asks for pages, 20 items by default', async () => {
    for (const query of ['page=1', 'items-per-page=500', 'page=1&items-per-page=20']) {
      const { result, pagination } = await page(query)
      expect(result).toEqual((await page('')).result)
      expect(pagination).toEqual({
        'current-page': 1,
        'total-items': 4,
        'total-pages': 1,
        'next-page': null,
        'previous-page': null,
      })
    }
  })

  test('follow each other in the order of the list', async () => {
    const pages = [await page('page=1&items-per-page=2'), await page('page=2&items-per-page=2')]
    expect(pages.map(cpfsOf)).toEqual([
      [ana, bia],
      [caio, eva],
    ])
    expect(pages.map((body) => [body.pagination['previous-page'], body.pagination['next-page']])).toEqual([
      [null, 2],
      [1, null],
    ])
    expect(cpfsOf(await page('page=2&items-per-page=3&include-inactive=true'))).toEqual([davi, eva])
  })

  test('are by name where that is asked for', async () => {
    const body = expectOk(await partner.get('/v1/member?include-inactive=true&page=1&sort=name')).body
    expect(cpfsOf(body)).toEqual([eva, bia, caio, davi, ana])
  })

  test('of a card number, as it is printed or not, are of the caller’s companies only', async () => {
    const [mine, alien] = await Promise.all([
      insertCovered(testApp, one, { cpf: nextCpf() }),
      insertCovered(testApp, foreign, { cpf: nextCpf() }),
    ])
    await testApp.sql(`update benefit set card_number = '0045 7788' where member_id = any($1)`, [[mine, alien]])
    const found = async (q: string) =>
      cpfsOf(expectOk(await partner.get(`/v1/member?page=1&q=${encodeURIComponent(q)}`)).body)
    expect(
      [await found('0045 7788'), await found('00457788'), await found('0045 778')].map(({ length }) => length),
    ).toEqual([1, 1, 0])
    await testApp.sql(`delete from benefit where member_id = $1`, [mine])
  })

  test('one past the end is empty and names the last that exists', async () => {
    for (const n of [3, Number.MAX_SAFE_INTEGER]) {
      expect(await page(`page=${n}&items-per-page=3`)).toEqual({
        result: [],
        pagination: {
          'current-page': n,
          'total-items': 4,
          'total-pages': 2,
          'next-page': null,
          'previous-page': 2,
        },
      })
    }
  })

  test('empty without a match', async () => {
    const { body } = await (await testApp.partner()).get('/v1/member?page=1')
    expect(body).toEqual({
      result: [],
      pagination: { 'current-page': 1, 'total-items': 0, 'total-pages': 0, 'next-page': null, 'previous-page': null },
    })
  })
})

test('401 for a valid token of a revoked client, before errors of the filter', async () => {
  const other = await testApp.partner(one.taxId)
  expectOk(await other.get('/v1/member?page=1'))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
  for (const query of ['page=1', 'filter=cost-center=Sede', 'filter=', 'page=0']) {
    expect((await other.get(`/v1/member?${query}`)).status).toBe(401)
  }
})

test('503 when the connection to the database breaks', async () => {
  const response = await responseWhenCut(testApp, 'benefit', () => partner.get('/v1/member?page=1'))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})
