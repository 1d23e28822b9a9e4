import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { covered, employee } from '../world/rosters.ts'
import { type Client, type Company, nextCpf, primary, type TestApp, until, useTestApp } from '../world/test-app.ts'
import { deliveriesOf, makeEndpoint, patch } from '../world/receiver.ts'

const testApp: TestApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let folder: string
let company: Company
let partner: Client

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-examples-'))
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})

afterAll(() => rm(folder, { recursive: true }))

const fileOf = (example: string) => fileURLToPath(new URL(`../../sdk/examples/${example}.ts`, import.meta.url))

/** An example as a process of its own. */
function start(example: string, parameters: string[], variables: Record<string, string> = {}, client = partner) {
  const child = spawn(process.execPath, [fileOf(example), ...parameters], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      VIGENCIA_URL: testApp.url,
      VIGENCIA_CLIENT_ID: client.clientId,
      VIGENCIA_CLIENT_SECRET: client.clientSecret,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return { child, lines, ended: once(child, 'close') }
}

/** @returns the lines that the example printed, and its exit code. */
async function run(
  example: string,
  parameters: string[] = [],
  variables: Record<string, string> = {},
  client = partner,
) {
  const { child, lines, ended } = start(example, parameters, variables, client)
  await ended
  return { lines, code: child.exitCode }
}

async function save(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('from nothing to the first active benefit: at most 20 lines', async () => {
  const own = await testApp.partner((await testApp.company()).taxId)
  expect((await readFile(fileOf('first-benefit'), 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(20)
  expect(await run('first-benefit', [], {}, own)).toEqual({ lines: ['Iara Campos Reis active'], code: 0 })
})

test('the nightly list confirms who is new and what differs, leaves exclusions to a person, and then has nothing to do', async () => {
  const own = await testApp.company()
  const payroll = await testApp.partner(own.taxId)
  const people = Array.from({ length: 10 }, (_, n) => employee(n))
  await covered(testApp, own, people)
  const [gone, married, ...rest] = people
  const incomplete = employee(20, { 'mothers-name': null })
  const list = [{ ...married, 'marital-status': 'married' }, ...rest, employee(21), incomplete]
  const path = await save('payroll.ndjson', list.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const first = await run('roster-sync', [own.taxId, path], {}, payroll)
  expect(first.lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^inclusion +2$/),
      expect.stringMatching(/^exclusion +1$/),
      `exclusion ${gone?.['name']} needs exclusion-reason, end-date`,
      `inclusion ${incomplete['name']} needs mothers-name`,
      `correction ${married?.['name']} marital-status`,
    ]),
  )
  expect(first.lines.at(-1)).toMatch(/^2 confirmed, requests: \S{36}, \S{36}$/)
  expect(first.code).toBe(1)
  const same = await save('payroll.ndjson', people.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const other = await testApp.company()
  const another = await testApp.partner(other.taxId)
  await covered(testApp, other, people)
  const equal = await run('roster-sync', [other.taxId, same], {}, another)
  expect(equal).toEqual({ lines: [expect.stringMatching(/^10 people as the list has them on /)], code: 0 })
  const unread = await save('payroll.csv', 'CPF\r\n52998224725\r\n')
  const failed = await run('roster-sync', [other.taxId, unread], {}, another)
  expect(failed).toEqual({ lines: [expect.stringMatching(/^scope-not-in-file/)], code: 1 })
})

test('leavers of a file are excluded together, once, or nobody is', async () => {
  const [one, two] = [primary(), primary()]
  await testApp.include(partner, company, [one, two], '?resolution=approve')
  const line = (taxId: string, reason: string) => `${taxId};2026-11-23;${reason}\n`
  const wrong = await save('leavers.csv', line(one['tax-id'], 'dismissal') + line(nextCpf(), 'sick of it'))
  expect(await run('leavers', [company.taxId, wrong])).toEqual({
    lines: [expect.stringMatching(/^line 2: .*invalid-exclusion-details/)],
    code: 1,
  })
  const right = await save('leavers.csv', line(one['tax-id'], 'dismissal') + line(two['tax-id'], 'dismissal'))
  const first = await run('leavers', [company.taxId, right])
  expect(first).toEqual({ lines: [expect.stringMatching(/^2 people, request \S+: completed$/)], code: 0 })
  expect(await run('leavers', [company.taxId, right])).toEqual(first)
})

test.each(['webhooks-fastify', 'webhooks-express'])(
  '%s verifies deliveries, processes an event once, refuses others',
  async (example) => {
    const receiving = await testApp.company()
    const own = await testApp.partner(receiving.taxId)
    const { id, secret } = await makeEndpoint(own, 'http://127.0.0.1:65535/')
    const { child, lines, ended } = start(example, [], { WEBHOOK_SECRET: secret, PORT: '0' }, own)
    try {
      const url = await until(
        async () => /listening on (\S+)/.exec(lines[0] ?? '')?.[1] ?? '',
        (found) => found !== '',
      )
      await patch(testApp, own, `/v1/webhook-endpoint/${id}`, {
        url: `${url}/webhooks`,
        'event-types': ['benefit.activated'],
      })
      const member = primary()
      await testApp.include(own, receiving, [member], '?resolution=approve')
      const succeeded = async (count: number) => {
        const { body } = await own.get('/v1/webhook-event?type=benefit.activated')
        const [event] = body.result
        if (event === undefined) return false
        const found = await deliveriesOf(own, event.id, (all) => all.length > 0)
        if (found.filter((one) => one.status === 'succeeded').length !== count) return false
        return event
      }
      const event = await until(
        () => succeeded(1),
        (found) => found !== false,
      )
      await own.post(`/v1/webhook-event/${event.id}/redeliver`)
      await until(
        () => succeeded(2),
        (found) => found !== false,
      )
      expect(lines.slice(1)).toEqual([`benefit.activated ${event.data['benefit-id']} active`])
      const now = String(Math.floor(Date.now() / 1_000))
      const forged = { 'webhook-id': 'x', 'webhook-timestamp': now, 'webhook-signature': `v1,${'A'.repeat(43)}=` }
      for (const headers of [forged, {}] as Record<string, string>[]) {
        const json = { ...headers, 'content-type': 'application/json' }
        expect((await fetch(`${url}/webhooks`, { method: 'POST', headers: json, body: '{}' })).status).toBe(401)
      }
    } finally {
      child.kill()
      await ended
    }
  },
)
