import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Client as Database } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultLimits } from '#platform/core/limits.ts'
import { insertBenefit as putBenefit, insertMember as putMember, type Person } from '../../world/roster.ts'
import { responseWhenCut } from '../../world/cut-connection.ts'
import { scaled } from '../../scale.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  type Json,
  nextCpf,
  useTestApp,
  until,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const many = scaled(1_000, 3_000)

const list = (client: Client, query = '') => client.get(`/v1/member${query}`)

const cpfsOf = (body: Json): string[] => body.result.map((member: Json) => member.profile['tax-id'])

const insertMember = (company: Company, person: Person) => putMember(testApp, company, person)

const insertBenefit = (company: Company, memberId: string, more: Record<string, Json> = {}) =>
  putBenefit(testApp, company, memberId, more)

/** A company of its own with a partner. */
async function openCompany(): Promise<{ company: Company; partner: Client }> {
  const company = await testApp.company()
  return { company, partner: await testApp.partner(company.taxId) }
}

/** So many members with a benefit each; wide names of mothers fill the sockets when the client does not read. Returns their CPFs in order. */
async function insertMany(company: Company, count: number, nameLength = 20): Promise<string[]> {
  const cpfs = Array.from({ length: count }, nextCpf)
  await testApp.sql(
    `with made as (
       insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, created_at, updated_at)
       select $1, gen_random_uuid(), t, rpad('Nome ' || t, 20, 'á'), rpad('Mãe', $3, 'ê'), '1990-05-17', 'male', now(), now()
       from unnest($2::text[]) t returning company_id, id)
     insert into benefit (company_id, id, member_id, product_id, type, status, start_date, created_at, updated_at)
     select company_id, gen_random_uuid(), id, $4, 'primary', 'active', '2026-02-01', now(), now() from made`,
    [company.id, cpfs, nameLength, company.products[health]],
  )
  return cpfs.toSorted((a, b) => (a < b ? -1 : 1))
}

test('HEAD of the whole list, of one person and of a page: headers without a body; 401 for a revoked client', async () => {
  const { company, partner } = await openCompany()
  const [cpf = ''] = await insertMany(company, 3)
  const head = (query: string, token: string | null = partner.token) =>
    testApp.call('HEAD', `/v1/member${query}`, { token })
  for (const query of ['', `?filter=tax-id%3D${cpf}`, '?page=1']) {
    const response = await head(query)
    expect([response.status, response.text]).toEqual([200, ''])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('content-length')).not.toBe('0')
  }
  expect((await head('?filter=nothing')).status).toBe(400)
  expect((await head('', null)).status).toBe(401)
  await testApp.operator.delete(`/operator/v1/client/${partner.clientId}`)
  expect((await head('')).status).toBe(401)
})

describe('200', () => {
  test('an empty list for a client without companies, and for a company without members', async () => {
    const { partner } = await openCompany()
    for (const client of [partner, await testApp.partner()]) {
      const response = await list(client)
      expect(response.status).toBe(200)
      expect(response.text).toBe('{"result":[]}')
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('members by CPF, with every field of profile and benefits', async () => {
    const { company, partner } = await openCompany()
    const [first, second] = [nextCpf(), nextCpf()].toSorted((a, b) => (a < b ? -1 : 1)) as [string, string]
    const child = await insertMember(company, { cpf: second, name: 'Caio' })
    const mother = await insertMember(company, { cpf: first })
    const later = await insertBenefit(company, mother, {
      product: dental,
      start_date: '2026-03-01',
      card_number: '00 7',
    })
    const sooner = await insertBenefit(company, mother)
    const ofChild = await insertBenefit(company, child, {
      type: 'dependent',
      primary_member_id: mother,
      dependent_type: 'child',
      end_date: '2026-12-31',
    })
    const own = {
      status: 'active',
      'company-tax-id': company.taxId,
      'product-id': company.products[health],
      'product-name': health,
      'product-type': 'health-insurance',
      'carrier-name': 'Operadora Aurora',
      type: 'primary',
      'start-date': '2026-02-01',
      'end-date': null,
      'extension-plan': false,
      'card-number': null,
      'dependent-type': null,
      'primary-member-tax-id': null,
    }
    expect((await list(partner)).body).toEqual({
      result: [
        {
          id: mother,
          profile: {
            name: 'Ana "Ñ" \\ Lima',
            'mothers-name': 'Rita Lima',
            'date-of-birth': '1990-05-17',
            gender: 'female',
            'marital-status': 'married',
            'tax-id': first,
          },
          benefits: [
            { 'benefit-id': sooner, ...own },
            {
              ...own,
              'benefit-id': later,
              'product-id': company.products[dental],
              'product-name': dental,
              'product-type': 'dental-insurance',
              'carrier-name': 'Odonto Brisa',
              'start-date': '2026-03-01',
              'card-number': '00 7',
            },
          ],
        },
        {
          id: child,
          profile: expect.objectContaining({ name: 'Caio', 'tax-id': second }),
          benefits: [
            {
              ...own,
              'benefit-id': ofChild,
              type: 'dependent',
              'end-date': '2026-12-31',
              'dependent-type': 'child',
              'primary-member-tax-id': first,
            },
          ],
        },
      ],
    })
  })

  test('lists active benefits and the members who have one; include-inactive also pending and ended ones', async () => {
    const { company, partner } = await openCompany()
    const mixed = await insertMember(company, { cpf: nextCpf() })
    await insertBenefit(company, mixed)
    await insertBenefit(company, mixed, { status: 'inactive', start_date: '2025-01-01', end_date: '2025-12-31' })
    const pending = await insertMember(company, { cpf: nextCpf() })
    await insertBenefit(company, pending, { status: 'pending' })
    await insertMember(company, { cpf: nextCpf() })
    for (const query of ['', '?include-inactive=false']) {
      const { result } = (await list(partner, query)).body
      expect(result.map((member: Json) => member.id)).toEqual([mixed])
      expect(result[0].benefits.map((benefit: Json) => benefit.status)).toEqual(['active'])
    }
    const { result } = (await list(partner, '?include-inactive=true')).body
    const statuses = new Map(result.map((member: Json) => [member.id, member.benefits.map((one: Json) => one.status)]))
    expect(statuses).toEqual(
      new Map([
        [mixed, ['inactive', 'active']],
        [pending, ['pending']],
      ]),
    )
  })

  test('a person of several companies is one item: id of the row made first, profile updated last, benefits of all', async () => {
    const [one, two, foreign] = [await testApp.company(), await testApp.company(), await testApp.company()]
    const cpf = nextCpf()
    const former = await insertMember(one, { cpf, name: 'Ana Antiga', made: '2025-01-01' })
    const latter = await insertMember(two, { cpf, name: 'Ana Nova', made: '2025-06-01', updated: '2026-02-02' })
    const outside = await insertMember(foreign, { cpf, name: 'Ana Alheia', made: '2024-01-01', updated: '2026-11-01' })
    const benefits = [await insertBenefit(one, former), await insertBenefit(two, latter)]
    await insertBenefit(foreign, outside)
    const both = await testApp.partner(one.taxId, two.taxId)
    const { result } = (await list(both)).body
    expect(result).toHaveLength(1)
    expect(result[0]).toMatchObject({ id: former, profile: { name: 'Ana Nova' } })
    expect(new Set(result[0].benefits.map((benefit: Json) => benefit['benefit-id']))).toEqual(new Set(benefits))
    const onlyOne = (await list(await testApp.partner(one.taxId))).body.result
    expect(onlyOne[0]).toMatchObject({ id: former, profile: { name: 'Ana Antiga' } })
    expect(onlyOne[0].benefits).toHaveLength(1)
  })

  test('a row that has no benefit in one company neither names nor describes the person', async () => {
    const [one, two] = [await testApp.company(), await testApp.company()]
    const cpf = nextCpf()
    await insertMember(one, { cpf, name: 'Nunca Entrou', made: '2024-01-01', updated: '2026-05-01' })
    const id = await insertMember(two, { cpf, made: '2025-01-01' })
    await insertBenefit(two, id)
    const { result } = (await list(await testApp.partner(one.taxId, two.taxId))).body
    expect(result.map((member: Json) => [member.id, member.profile.name])).toEqual([[id, 'Ana "Ñ" \\ Lima']])
  })

  test('a company counts no longer once its entitlement is revoked', async () => {
    const [one, two] = [await testApp.company(), await testApp.company()]
    const [stored] = await insertMany(one, 1)
    await insertMany(two, 1)
    const partner = await testApp.partner(one.taxId, two.taxId)
    expect(cpfsOf((await list(partner)).body)).toHaveLength(2)
    expectOk(await testApp.operator.delete(`/operator/v1/client/${partner.clientId}/company/${two.taxId}`))
    expect(cpfsOf((await list(partner)).body)).toEqual([stored])
  })

  test(`${many} members, each once and in order, equal to what was inserted`, async () => {
    const { company, partner } = await openCompany()
    await insertMany(await testApp.company(), 500)
    const cpfs = await insertMany(company, many)
    const { result } = (await list(partner)).body
    expect(result.map((member: Json) => member.profile['tax-id'])).toEqual(cpfs)
    const stored = await testApp.sql<{ id: string; name: string; benefit: string }>(
      `select m.id, m.name, b.id as benefit from member m
       join benefit b on b.company_id = m.company_id and b.member_id = m.id where m.company_id = $1 order by m.tax_id`,
      [company.id],
    )
    expect(
      result.map((member: Json) => ({
        id: member.id,
        name: member.profile.name,
        benefit: member.benefits[0]['benefit-id'],
      })),
    ).toEqual(stored)
  })

  test('lists all members for lengths around the size of a batch', async () => {
    const { company, partner } = await openCompany()
    let all: string[] = []
    for (const more of [249, 1, 1, 249]) {
      all = [...all, ...(await insertMany(company, more))]
      expect(cpfsOf((await list(partner)).body)).toEqual(all.toSorted((a, b) => (a < b ? -1 : 1)))
    }
  })
})

test.each([
  'include-inactive=1',
  'include-inactive=TRUE',
  'include-inactive=',
  'x=1',
  'include-inactive=true&include-inactive=true',
])('400 for ?%s', async (query) => {
  const { partner } = await openCompany()
  const response = await list(partner, `?${query}`)
  expect(response.status).toBe(400)
  expect(response.body.error).toBe('Invalid parameter')
})

test('401 for a valid token of a revoked client, and without a token', async () => {
  const { company, partner } = await openCompany()
  await insertMany(company, 3)
  expectOk(await list(partner))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${partner.clientId}`))
  const response = await list(partner)
  expect(response.status).toBe(401)
  expect(response.body.error).toBe('Invalid credentials')
  expect((await testApp.call('GET', '/v1/member')).status).toBe(401)
})

/** Lists of this testApp under way in the database. */
const underWay = () =>
  testApp.sql<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query like '%select person.item::text%' and pid <> pg_backend_pid()`,
  )

const noneUnderWay = () => until(underWay, (rows) => rows.length === 0)

/** The response; nothing is read beyond the buffer of the socket. */
async function openUnread(url: string, client: Client): Promise<IncomingMessage> {
  const call = httpGet(`${url}/v1/member`, { headers: { authorization: `Bearer ${client.token}` }, agent: false })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

describe('a list longer than the sockets hold', () => {
  const long = scaled(2_000, 20_000)
  // Together as many bytes in each run.
  const nameLength = 12_000_000 / long
  let company: Company
  let partner: Client

  beforeAll(async () => {
    ;({ company, partner } = await openCompany())
    await insertMany(company, long, nameLength)
  })

  test('is of one moment: what changes while it is read does not show', async () => {
    const response = await openUnread(testApp.url, partner)
    expect(await underWay()).toHaveLength(1)
    await testApp.sql("update member set name = 'Depois' where company_id = $1", [company.id])
    const { result }: Json = JSON.parse((await buffer(response)).toString())
    expect(result).toHaveLength(long)
    expect(result.every((member: Json) => member.profile.name.startsWith('Nome '))).toBe(true)
    await noneUnderWay()
    await testApp.sql("update member set name = rpad('Nome ' || tax_id, 20, 'á') where company_id = $1", [company.id])
  })

  test('frees its connection when the reader hangs up in the middle', async () => {
    const response = await openUnread(testApp.url, partner)
    expect(await underWay()).toHaveLength(1)
    response.destroy()
    expect(await noneUnderWay()).toEqual([])
  })

  test('closes the connection when the database connection breaks in the middle, so that the client notices an incomplete list', async () => {
    const response = await openUnread(testApp.url, partner)
    const [mine] = await underWay()
    await testApp.sql('select pg_terminate_backend($1::int, 0)', [mine?.pid])
    await expect(buffer(response)).rejects.toThrow('aborted')
    expect((await list(partner)).body.result).toHaveLength(long)
  })

  test('a client alone may leave as many unread as are let in; its next one waits while another client reads, and is sent once they are gone', async () => {
    const { url } = testApp
    const open = await Promise.all(Array.from({ length: defaultLimits.streams }, () => openUnread(url, partner)))
    let isSent = false
    const next = openUnread(url, partner).then((response) => {
      isSent = true
      return response
    })
    const other = await testApp.partner(company.taxId)
    const read = await openUnread(url, other)
    expect(JSON.parse((await buffer(read)).toString()).result).toHaveLength(long)
    expect(isSent).toBe(false)
    for (const response of open) response.destroy()
    const sent = await next
    expect(sent.statusCode).toBe(200)
    sent.destroy()
    expect(await noneUnderWay()).toEqual([])
  })
})

test('a reader who hangs up before the first byte leaves no connection behind', async () => {
  const { company, partner } = await openCompany()
  await insertMany(company, 2_000, 400)
  const holder = new Database({ connectionString: testApp.databaseUrl })
  await holder.connect()
  await holder.query('begin; lock table benefit in access exclusive mode')
  const call = httpGet(`${testApp.url}/v1/member`, {
    headers: { authorization: `Bearer ${partner.token}` },
    agent: false,
  })
  call.on('error', () => {})
  await until(underWay, (rows) => rows.length === 1)
  call.destroy()
  await holder.query('rollback')
  await holder.end()
  expect(await noneUnderWay()).toEqual([])
})

test('503 when the database breaks off before the first byte', async () => {
  const { partner } = await openCompany()
  const response = await responseWhenCut(testApp, 'member', () => list(partner))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})
