import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../world/test-app.ts'
import { respondJson, anyClient, type Cli, openCli, openStandIn } from './command.ts'

interface Event {
  id: string
  type: string
  timestamp: string
  data: object
}

let events: Event[] = []
let endpoints: { id: string; url: string; status: string }[] = []
let isAway = false
let cli: Cli
let standIn: Awaited<ReturnType<typeof openStandIn>>
const received: { headers: NodeJS.Dict<string | string[]>; body: string }[] = []
let receiverStatus = 204
const receive = async (request: IncomingMessage, response: ServerResponse) => {
  received.push({ headers: request.headers, body: await text(request) })
  response.writeHead(receiverStatus, { location: 'http://127.0.0.1:9/' }).end()
}
const receiver = createServer((request, response) => void receive(request, response))

const page = (list: readonly object[], from: URLSearchParams) => {
  const [at, size] = [Number(from.get('page') ?? 1), Number(from.get('items-per-page') ?? 20)]
  const pagination = { 'next-page': at * size < list.length ? at + 1 : null }
  return { result: list.slice((at - 1) * size, at * size), pagination }
}

const event = (n: number, type = 'enrollment.completed'): Event => ({
  id: `01995e0c-6f3a-7c52-9d0e-${String(n).padStart(12, '0')}`,
  type,
  timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, n)).toISOString(),
  data: { n },
})

beforeAll(async () => {
  cli = await openCli()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  standIn = await openStandIn((call, response) => {
    if (isAway) response.destroy()
    else if (call.path === '/v1/webhook-event') respondJson(response, 200, page(events, call.query))
    else if (call.path === '/v1/webhook-endpoint') respondJson(response, 200, page(endpoints, call.query))
    else if (call.path.endsWith('/known/test')) respondJson(response, 200, { result: event(1, 'webhook.test') })
    else respondJson(response, 404, { error: 'Webhook endpoint not found' })
  })
  await cli.signIn(standIn.url, { partner: anyClient })
})
beforeEach(() => {
  events = []
  received.length = 0
  receiverStatus = 204
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await cli.clear()
  await standIn.close()
})

const target = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
const looked = async (times: number) => {
  const from = standIn.calls.length
  await until(
    async () => standIn.calls.length - from,
    (looks) => looks >= times,
  )
}

test('listen forwards what happens from now on, each once, in order, signed with the secret that it prints', async () => {
  // More than a page of the past.
  events = Array.from({ length: 130 }, (_, n) => event(130 - n))
  const running = cli.start(['webhook', 'listen', '--forward-to', target()])
  await until(
    async () => running.soFar.err,
    (err) => err.includes('Signing secret'),
  )
  await looked(2)
  events = [event(203), event(202), event(201), ...events]
  await until(
    async () => received.length,
    (count) => count === 3,
  )
  // An event that is listed late has an earlier time.
  events = [event(205), ...events.slice(0, 3), event(200), ...events.slice(3)]
  await until(
    async () => received.length,
    (count) => count === 5,
  )
  await looked(2)
  running.kill('SIGINT')
  const outcome = await running.outcome
  expect(outcome.code).toBe(130)
  expect(outcome.err).toContain('Stopped.')
  expect(received.map((one) => one.headers['webhook-id'])).toEqual([201, 202, 203, 200, 205].map((n) => event(n).id))
  expect(outcome.out.split('\n')[0]).toBe(`${event(201).timestamp}  enrollment.completed  ${event(201).id}  -> 204`)
  const secret = /Signing secret: whsec_(\S+)/.exec(outcome.err)?.[1] ?? ''
  for (const { headers, body } of received) {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['type', 'timestamp', 'data'])
  }
})

test('listen goes on when the service was away, when a receiver fails, and follows no redirect', async () => {
  receiverStatus = 302
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const words = [
    'webhook',
    'listen',
    '--forward-to',
    target(),
    '--secret',
    secret,
    '--type',
    'request.completed',
    '--json',
  ]
  const running = cli.start(words)
  await until(
    async () => running.soFar.err,
    (err) => err.includes(secret),
  )
  isAway = true
  await until(
    async () => running.soFar.err,
    (err) => err.includes('Waiting for it.'),
  )
  isAway = false
  events = [event(302, 'request.completed'), event(301)]
  await until(
    async () => running.soFar.out,
    (out) => out.includes('\n'),
  )
  running.kill('SIGTERM')
  const outcome = await running.outcome
  expect(outcome.json).toEqual({ ...event(302, 'request.completed'), forwarded: 302 })
  expect(received).toHaveLength(1)
})

test('--since lists past events; invalid URLs, times and secrets end with 2', async () => {
  events = [event(3), event(2), event(1)]
  const running = cli.start(['webhook', 'listen', '--since', event(2).timestamp])
  await until(
    async () => running.soFar.out,
    (out) => out.split('\n').length === 3,
  )
  running.kill('SIGINT')
  expect((await running.outcome).out).toMatch(new RegExp(`^\\S+  \\S+  ${event(2).id}\n\\S+  \\S+  ${event(3).id}\n$`))
  for (const wrong of [
    ['--forward-to', 'laptop:80'],
    ['--since', 'yesterday'],
    ['--secret', 'x'],
  ]) {
    expect((await cli.run(['webhook', 'listen', ...wrong])).code).toBe(2)
  }
})

test('trigger sends a test to one endpoint or to all that are enabled', async () => {
  endpoints = [
    { id: 'known', url: 'https://a.example', status: 'enabled' },
    { id: 'gone', url: 'https://b.example', status: 'disabled' },
  ]
  const all = await cli.run(['webhook', 'trigger', '--json'])
  expect(all).toMatchObject({ code: 0, json: { result: [event(1, 'webhook.test')] } })
  expect((await cli.run(['webhook', 'trigger', 'known'])).out).toBe(`endpoint known\tevent ${event(1).id}\n`)
  expect((await cli.run(['webhook', 'trigger', 'gone'])).code).toBe(1)
  endpoints = []
  expect((await cli.run(['webhook', 'trigger'])).code).toBe(1)
})
