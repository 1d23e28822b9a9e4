import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { rngOf } from '../crash/rng.ts'
import { seed } from '../seed.ts'
import { runChecked } from './checked-run.ts'
import { jsonText, mutated } from './hostile.ts'
import { Pool } from './pool.ts'
import { requestOf, type World } from './request.ts'
import { Fuzzer } from './run.ts'

let server: Server | undefined
afterEach(() => server?.close())

test('400 requests made from openapi.json get the responses it declares, none of 5xx, and break no rule of the database', async () => {
  const report = await runChecked(400)
  // Requests that are all refused would prove little.
  expect(report.succeeded.size).toBeGreaterThan(20)
  expect(report.statuses['200']).toBeGreaterThan(60)
})

const actor = {
  name: 'ADMIN_TOKEN',
  api: 'operator',
  token: 'a.secret.token',
  companyTaxIds: ['T0000001000105'],
} as const
const world: World = { actors: [actor], webhookUrls: { valid: ['http://127.0.0.1:1/'], invalid: [''] } }
const pools = { of: () => new Pool() }

test('a seed makes the same requests again, another seed others', () => {
  const made = (of: number) => Array.from({ length: 60 }, (_, index) => requestOf(of, index, world, pools))
  expect(made(7)).toEqual(made(7))
  expect(made(7).map(({ target }) => target)).not.toEqual(made(8).map(({ target }) => target))
})

test('values of a response are used in later requests, those of the senders are not', () => {
  const pool = new Pool(new Set(['sender']))
  pool.note('/v1/member', { result: [{ id: 'm1', profile: { 'tax-id': '1' }, benefits: [{ 'benefit-id': 'b1' }] }] })
  pool.note('/operator/v1/client', { result: [{ 'client-id': 'sender' }] })
  const rng = rngOf(1)
  expect(pool.pickRecord(['member-tax-id', 'benefit-id'], rng)).toMatchObject({
    'member-tax-id': '1',
    'benefit-id': 'b1',
  })
  expect([pool.pick('member-id', rng), pool.pick('client-id', rng)]).toEqual(['m1', null])
})

test('a mutation leaves the value as it was, and its text can hold what JSON.stringify does not write', () => {
  const value = { a: [1, { b: 'x' }] }
  const texts = Array.from({ length: 300 }, (_, n) => jsonText(mutated(rngOf(n), value)))
  expect(value).toEqual({ a: [1, { b: 'x' }] })
  expect(texts.filter((text) => text !== JSON.stringify(value)).length).toBeGreaterThan(280)
  expect(texts.filter((text) => text.includes('1e400') || text.includes('__proto__')).length).toBeGreaterThan(0)
})

test('a 500, an undeclared property and a broken connection are failures, told without secrets', async () => {
  server = createServer((request, response) => {
    if (['DELETE', 'PUT'].includes(request.method ?? '')) {
      request.socket.destroy()
      return
    }
    const isRead = request.method === 'GET'
    response.writeHead(isRead ? 200 : 500, { 'content-type': 'application/json', 'x-request-id': 'x' })
    response.end('{"undeclared": true}')
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const report = await new Fuzzer({ url, world, clientIds: [], requests: 120, seed, concurrency: 1 }).run()
  const texts = report.failures.map(({ text }) => text).join('\n')
  expect(texts).toContain('status 500')
  expect(texts).toContain('undeclared')
  expect(texts).toContain('no response: ')
  expect(texts).toMatch(/seed \d+, request \d+ \(/)
  expect(texts).toContain('curl -sS')
  expect(texts).toContain('Bearer $ADMIN_TOKEN')
  expect(texts).not.toContain('a.secret.token')
})
