import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { defaultLimits } from '#platform/core/limits.ts'
import { clearPrograms, type Program, startProgram } from '../../crash/program.ts'
import {
  dental,
  dependent,
  expectOk,
  health,
  type Json,
  useTestApp,
  primary,
  send,
  until,
  useCompany,
} from '../../world/test-app.ts'
import { scaled } from '../../scale.ts'
import { rosterOf, csv, dependentOf, holder, memberOf, ndjson, newId, path, sendImport } from '../../world/import.ts'

const testApp = useTestApp({}, { instances: 'all' })
/** Lines of an import that is read while it runs, that outlives its client, and whose process dies. */
const [chunkLines, abandonedLines, killedLines] = [scaled(5_000, 20_000), scaled(1_500, 6_000), scaled(12_000, 30_000)]
const badLines = scaled(1_500, 6_000)
const { company, partner } = useCompany(testApp)

afterAll(async () => {
  await clearPrograms()
})

const read = async (id: string) => expectOk(await testApp.operator.get(`${path}/${id}`)).body
const people = (count: number) => Array.from({ length: count }, () => holder(company))

/** Sends the parts of a body on demand. */
function slowImport(url: string, token: string, id: string) {
  const outgoing = request(`${url}${path}?import-id=${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${token}` },
  })
  outgoing.on('error', () => {})
  return {
    outgoing,
    write: (text: string) => new Promise<void>((resolve) => outgoing.write(text, () => resolve())),
    received: async () => {
      outgoing.end()
      const [response] = await once(outgoing, 'response')
      response.resume()
      return response.statusCode as number
    },
  }
}

describe('an import', () => {
  test('is read by its id while it runs and afterwards', async () => {
    const id = newId()
    const slow = slowImport(testApp.url, testApp.operator.token, id.toUpperCase())
    await slow.write(ndjson(people(2)))
    const running = await until(
      () => testApp.operator.get(`${path}/${id}`),
      (response) => response.status === 200,
    )
    expect(running.body).toEqual({
      'import-id': id,
      status: 'running',
      'dry-run': false,
      lines: 0,
      accepted: 0,
      rejected: 0,
      'created-at': expect.any(String),
      'finished-at': null,
      errors: [],
    })
    expect(await slow.received()).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'done', lines: 2, accepted: 2, 'finished-at': expect.any(String) })
  })

  test('counts chunk by chunk', async () => {
    const id = newId()
    const lines = people(chunkLines)
    const seen = new Set<number>()
    const sent = sendImport(testApp.operator, csv(lines), { query: `?import-id=${id}`, type: 'text/csv' })
    const done = await until(
      async () => {
        const response = await testApp.operator.get(`${path}/${id}`)
        if (response.status === 200) seen.add(response.body.lines)
        return response
      },
      (response) => response.body?.status === 'done',
    )
    expect(done.body).toMatchObject({ lines: chunkLines, accepted: chunkLines })
    expect((await sent).body).toEqual(done.body)
    expect(seen.size).toBeGreaterThan(2)
  })

  test('shows the first 1,000 errors, and all of them at /error', async () => {
    const bad = Array.from({ length: badLines }, (_, n) =>
      holder(company, n % 2 === 0 ? { gender: 'x' } : { name: '' }),
    )
    const response = expectOk(await sendImport(testApp.operator, csv(bad), { type: 'text/csv' })).body
    expect(response).toMatchObject({ lines: badLines, accepted: 0, rejected: badLines })
    const lineError = (n: number) => ({ line: n + 2, offenses: [n % 2 === 0 ? 'invalid-gender' : 'missing-name'] })
    expect(response.errors).toEqual(Array.from({ length: 1_000 }, (_, n) => lineError(n)))
    const all = expectOk(await testApp.operator.get(`${path}/${response['import-id']}/error`))
    expect(all.headers.get('content-type')).toMatch(/^application\/x-ndjson/)
    expect(all.headers.get('cache-control')).toBe('no-store')
    const lines = all.text.trimEnd().split('\n')
    const stored = lines.map((line) => JSON.parse(line))
    expect(stored.map(({ line, offenses }) => ({ line, offenses }))).toEqual(
      Array.from({ length: badLines }, (_, n) => lineError(n)),
    )
  })

  test('without errors has an empty list of them', async () => {
    const { body } = await sendImport(testApp.operator, ndjson(people(1)))
    expect((await testApp.operator.get(`${path}/${body['import-id']}/error`)).text).toBe('')
  })

  test('whose id was used before: 409, also of a dry run, also while that one runs', async () => {
    const id = newId()
    const query = `?import-id=${id}`
    const slow = slowImport(testApp.url, testApp.operator.token, id)
    await slow.write(ndjson(people(1)))
    await until(
      () => testApp.operator.get(`${path}/${id}`),
      (response) => response.status === 200,
    )
    const before = await rosterOf(testApp)
    for (const again of [query, `${query}&dry-run=true`]) {
      const response = await sendImport(testApp.operator, ndjson(people(1)), { query: again })
      expect([response.status, response.body.error]).toEqual([409, 'Import id already used'])
    }
    expect(await rosterOf(testApp)).toEqual(before)
    expect(await slow.received()).toBe(200)
    expect((await sendImport(testApp.operator, ndjson(people(1)), { query })).status).toBe(409)
    expect((await read(id)).lines).toBe(1)
  })

  test('that was refused as a whole has not used its id', async () => {
    const query = `?import-id=${newId()}`
    expect((await sendImport(testApp.operator, 'a;b\n1;2\n', { query, type: 'text/csv' })).status).toBe(400)
    expect((await sendImport(testApp.operator, '', { query })).status).toBe(400)
    expect((await sendImport(testApp.operator, ndjson(people(1)), { query })).status).toBe(200)
  })

  test('unknown: 404; a malformed id: 400', async () => {
    for (const ending of ['', '/error']) {
      const unknown = await testApp.operator.get(`${path}/${newId()}${ending}`)
      expect([unknown.status, unknown.body.error]).toEqual([404, 'Import not found'])
      const malformed = await testApp.operator.get(`${path}/1${ending}`)
      expect([malformed.status, malformed.body.error]).toEqual([400, 'Invalid import-id'])
    }
  })
})

describe('a transfer that breaks off', () => {
  test('leaves the book as it was; the import is broken', async () => {
    const id = newId()
    const before = await rosterOf(testApp)
    const slow = slowImport(testApp.url, testApp.operator.token, id)
    await slow.write(ndjson(people(50)))
    await until(
      () => testApp.operator.get(`${path}/${id}`),
      (response) => response.status === 200,
    )
    slow.outgoing.destroy()
    const broken = await until(
      () => read(id),
      (body) => body.status !== 'running',
    )
    expect(broken).toMatchObject({ status: 'broken', lines: 0, accepted: 0, 'finished-at': expect.any(String) })
    expect(await rosterOf(testApp)).toEqual(before)
  })
})

test('an import continues when the client disconnects', async () => {
  const id = newId()
  const lines = people(abandonedLines)
  const slow = slowImport(testApp.url, testApp.operator.token, id)
  await slow.write(ndjson(lines))
  slow.outgoing.end()
  await until(
    async () => (await testApp.operator.get(`${path}/${id}`)).body,
    (body) => body.lines > 0,
  )
  slow.outgoing.destroy()
  const done = await until(
    () => read(id),
    (body) => body.status !== 'running',
  )
  expect(done).toMatchObject({ status: 'done', accepted: abandonedLines })
})

describe('a service that is', () => {
  let program: Program
  const begin = async () => {
    program = await startProgram({
      VIGENCIA_DATABASE_URL: testApp.databaseUrl,
      VIGENCIA_MASTER_KEY: testApp.masterKey,
      VIGENCIA_ENVIRONMENT: 'staging',
      VIGENCIA_DATA_DIR: testApp.dataDir,
      VIGENCIA_RATE_LIMITS: 'off',
    })
  }
  /** A running import in the program, with a part stored. */
  const underWay = async () => {
    const id = newId()
    const slow = slowImport(program.url, testApp.operator.token, id)
    await slow.write(ndjson(people(killedLines)))
    slow.outgoing.end()
    await until(
      async () => (await testApp.operator.get(`${path}/${id}`)).body,
      (body) => body.lines > 0,
    )
    return id
  }
  const expectErrors = async (id: string, rows: number) => {
    const broken = await read(id)
    expect(broken.status).toBe('broken')
    expect(broken.accepted).toBeGreaterThan(0)
    expect(broken.accepted).toBeLessThan(killedLines)
    const [{ count }] = (await testApp.sql('select count(*)::int as count from benefit')) as [{ count: number }]
    expect(count - rows).toBe(broken.accepted)
  }
  const benefits = async () => ((await testApp.sql('select count(*)::int as count from benefit'))[0] as Json).count

  /** Killed with its process, and not read: to read an import marks it too. */
  const unread = newId()

  test('killed: the import shows at once what was imported', async () => {
    await begin()
    const rows = await benefits()
    await slowImport(program.url, testApp.operator.token, unread).write(ndjson(people(1)))
    await until(
      () => testApp.sql('select 1 from member_import where id = $1', [unread]),
      (found) => found.length === 1,
    )
    const killed = await underWay()
    await program.kill()
    await until(
      () => read(killed),
      (body) => body.status !== 'running',
    )
    await expectErrors(killed, rows)
  })

  test('started again marks what was killed with it', async () => {
    await begin()
    await until(
      () => testApp.sql('select status from member_import where id = $1', [unread]),
      (found) => found[0]?.['status'] === 'broken',
    )
    expect((await read(unread)).status).toBe('broken')
  })

  test('stopped ends the import after the chunk under way', async () => {
    const rows = await benefits()
    const id = await underWay()
    expect(await program.stop()).toBe(0)
    await expectErrors(id, rows)
  })
})

describe('at once', () => {
  test('two imports of the same people make each of them once', async () => {
    const count = scaled(250, 800)
    const families = Array.from({ length: count }, () => {
      const one = holder(company)
      return [one, dependentOf(company, one['tax-id'])]
    })
    const responses = await Promise.all([
      sendImport(testApp.operator, ndjson(families.flat())),
      sendImport(testApp.operator, ndjson(families.toReversed().flat())),
    ])
    expect(responses.map(({ status, body }) => [status, body.accepted])).toEqual([
      [200, 2 * count],
      [200, 2 * count],
    ])
    const taxIds = families.flat().map((line) => line['tax-id'])
    const [row] = await testApp.sql(
      `select count(distinct m.id)::int as members, count(*)::int as benefits from member m
       join benefit b on b.company_id = m.company_id and b.member_id = m.id where m.tax_id = any($1)`,
      [taxIds],
    )
    expect(row).toEqual({ members: 2 * count, benefits: 2 * count })
  })

  test('an import and an inclusion of the same people: never two benefits, and both say what became of each', async () => {
    const both = scaled(150, 300)
    const members = Array.from({ length: both }, () => primary())
    const lines = members.map((one) => holder(company, { 'tax-id': one['tax-id'] }))
    const [response, accepted] = await Promise.all([
      sendImport(testApp.operator, ndjson(lines)),
      partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members }),
    ])
    expect(response.status).toBe(200)
    expect([200, 400]).toContain(accepted.status)
    if (accepted.status === 200) await testApp.finished(partner, accepted.body['request-id'])
    for (const error of response.body.errors) expect(error.offenses).toEqual(['ongoing-enrollment'])
    const rows = await testApp.sql(
      `select m.tax_id, count(*)::int as count from member m join benefit b on b.company_id = m.company_id and b.member_id = m.id
       where m.tax_id = any($1) and b.status in ('pending', 'active') group by 1`,
      [members.map((one) => one['tax-id'])],
    )
    expect(rows).toHaveLength(both)
    expect(rows.filter(({ count }) => count !== 1)).toEqual([])
  })

  test('dependents are imported while their primaries are ended: afterwards no dependent is active without an active primary', async () => {
    const each = scaled(200, 400)
    const primaries = people(each)
    const dependents = primaries.map((one) => dependentOf(company, one['tax-id']))
    await sendImport(testApp.operator, ndjson(primaries))
    const [joined, ended] = await Promise.all([
      sendImport(testApp.operator, ndjson(dependents)),
      sendImport(testApp.operator, ndjson(primaries.map((one) => ({ ...one, 'end-date': '2026-10-31' })))),
    ])
    expect([joined.status, ended.body.accepted]).toEqual([200, each])
    for (const error of joined.body.errors) expect(error.offenses).toEqual(['primary-member-not-enrolled-in-product'])
    const alone = await testApp.sql(
      `select d.id from benefit d where d.type = 'dependent' and d.status = 'active' and not exists (
         select 1 from benefit p where p.company_id = d.company_id and p.member_id = d.primary_member_id
           and p.product_id = d.product_id and p.type = 'primary' and p.status = 'active')`,
    )
    expect(alone).toEqual([])
  })

  test('lines of people whose inclusion is rejected meanwhile are imported or refused, without an error', async () => {
    const members = Array.from({ length: 60 }, () => primary())
    const finished = await testApp.include(partner, company, members)
    const parts = Object.values<Json>(finished['status-by-tax-id'])
    const lines = members.map((one) => holder(company, { 'tax-id': one['tax-id'], 'product-name': dental }))
    const [response, moved] = await Promise.all([
      sendImport(testApp.operator, ndjson(lines)),
      testApp.operator.post('/operator/v1/enrollment/transition', {
        'enrollment-ids': parts.map((part) => part[health]['enrollment-id']),
        status: 'rejected',
        reason: 'Refused by the carrier',
      }),
    ])
    expect([response.status, response.body.accepted, moved.status]).toEqual([200, 60, 200])
    for (const one of members) expect((await memberOf(partner, one['tax-id'])).benefits).toHaveLength(1)
  })
})

test('an operator alone may run as many imports as a process takes: its next one waits, another operator’s is accepted, and all succeed', async () => {
  const { url } = testApp
  const { token } = testApp.operator
  const open = Array.from({ length: defaultLimits.streams }, () => {
    const id = newId()
    return { id, slow: slowImport(url, token, id) }
  })
  for (const { id, slow } of open) {
    await slow.write(ndjson(people(1)))
    await until(
      () => testApp.operator.get(`${path}/${id}`),
      (response) => response.status === 200,
    )
  }
  const headers = { 'content-type': 'application/x-ndjson' }
  const importOf = (client: { readonly token: string }) =>
    send(url + path, 'POST', { token: client.token, body: ndjson(people(1)), headers })
  let isDone = false
  const next = importOf(testApp.operator).then(({ status }) => {
    isDone = true
    return status
  })
  expect((await importOf(await testApp.operatorOf('analyst'))).status).toBe(200)
  expect(isDone).toBe(false)
  expect(new Set(await Promise.all(open.map(({ slow }) => slow.received())))).toEqual(new Set([200]))
  expect(await next).toBe(200)
})

describe('roles', () => {
  test.for([
    ['admin', 200, 200],
    ['analyst', 200, 200],
    ['auditor', 403, 200],
    ['finance', 403, 403],
  ] as const)('%s: import %i, reading %i', async ([role, importing, reading]) => {
    const { body } = await sendImport(testApp.operator, ndjson(people(1)))
    const operator = await testApp.operatorOf(role)
    const sent = await sendImport(operator, ndjson(people(1)))
    expect(sent.status).toBe(importing)
    for (const ending of ['', '/error']) {
      const response = await operator.get(`${path}/${body['import-id']}${ending}`)
      expect(response.status).toBe(reading)
      if (reading === 403) expect(response.body.error).toBe('Not allowed for this role')
    }
  })

  test('no token, or a partner’s: 401, whatever the body', async () => {
    for (const token of [null, partner.token]) {
      const response = await testApp.call('POST', path, { token, body: 'x', headers: { 'content-type': 'text/plain' } })
      expect([response.status, response.body.error]).toEqual([401, 'Invalid credentials'])
      expect((await testApp.call('GET', `${path}/${newId()}`, { token })).status).toBe(401)
    }
  })

  test('no other tenant sees what was imported', async () => {
    const line = holder(company)
    await sendImport(testApp.operator, ndjson([line]))
    const stranger = await testApp.partner((await testApp.company()).taxId)
    expect(await memberOf(stranger, line['tax-id'])).toBeUndefined()
    expect(await memberOf(partner, line['tax-id'])).toBeDefined()
  })
})

test('a file larger than 1 GiB is refused by its declared length: 413, before it is sent', async () => {
  const outgoing = request(testApp.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'text/csv',
      'content-length': 1024 ** 3 + 1,
      authorization: `Bearer ${testApp.operator.token}`,
    },
  })
  outgoing.flushHeaders()
  const [response] = await once(outgoing, 'response')
  expect(response.statusCode).toBe(413)
  outgoing.destroy()
})

test('dependents of an imported primary can be included', async () => {
  const line = holder(company)
  await sendImport(testApp.operator, ndjson([line]))
  const status = await testApp.include(partner, company, [dependent(line['tax-id'])])
  expect(status.status).toBe('completed')
  expect((await send(`${testApp.url}/v1/health`, 'GET')).status).toBe(200)
})
