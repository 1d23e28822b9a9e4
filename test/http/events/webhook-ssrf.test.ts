import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openSender } from '#events/webhooks/sender.ts'
import {
  invalidHosts,
  neverCalledHosts,
  privateAddresses,
  privateHosts,
  publicHosts,
} from '../../events/webhooks/ssrf-corpus.ts'
import { openNetwork } from '../../events/webhooks/network.ts'
import { startDispatcher } from '../../world/dispatcher.ts'
import { deliveriesOf, makeEndpoint, openReceiver, patch } from '../../world/receiver.ts'
import { type Client, expectOk, useTestApp } from '../../world/test-app.ts'

/* Where a partner may let the service call: refused when the endpoint is registered, or, for names, before the connection. */

const testApp = useTestApp({ VIGENCIA_ROLE: 'api' })
const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const newPartner = async (): Promise<Client> => testApp.partner((await testApp.company()).taxId)
const base = '/v1/webhook-endpoint'

test('a URL of the corpus is refused at POST and at PATCH with the reason, and the endpoint stays as it is', async () => {
  const partner = await newPartner()
  const { id, url } = await makeEndpoint(partner, 'http://payroll.example/hook')
  const blocked = [...privateHosts, ...neverCalledHosts].map((host) => [host, 'private-address'] as const)
  const invalid = invalidHosts.map((host) => [host, 'invalid'] as const)
  expect(blocked.length).toBeGreaterThan(150)
  for (const [host, code] of [...blocked, ...invalid]) {
    const body = { url: `http://${host}/` }
    const responses = [await partner.post(base, body), await patch(testApp, partner, `${base}/${id}`, body)]
    for (const response of responses) {
      expect([response.status, response.body.details?.[0]], `the host ${host}`).toEqual([
        400,
        expect.objectContaining({ code }),
      ])
    }
  }
  const list = expectOk(await partner.get(base)).body.result
  expect(list.map((one: { url: string }) => one.url)).toEqual([url])
  for (const host of publicHosts) expectOk(await patch(testApp, partner, `${base}/${id}`, { url: `http://${host}/` }))
})

test('a name that resolves to private addresses fails its deliveries without a connection', async () => {
  const canary = createServer().listen(0, '127.0.0.1')
  let connections = 0
  canary.on('connection', (socket) => {
    connections += 1
    socket.destroy()
  })
  await once(canary, 'listening')
  closing.push(() => void canary.close())
  const { port } = canary.address() as AddressInfo
  const names = new Map(privateAddresses.map((address, n) => [`n${n}.example`, address]))
  const sender = openSender({
    httpsOnly: false,
    allowPrivate: false,
    resolve: async (hostname) => [names.get(hostname) ?? '127.0.0.1'],
  })
  const dispatcher = startDispatcher(testApp, { sender })
  closing.push(() => dispatcher.stop())
  const hosts = [...names.keys()]
  for (const some of [hosts.slice(0, 20), hosts.slice(20)]) {
    const partner = await newPartner()
    for (const host of some) {
      const { id } = await makeEndpoint(partner, `http://${host}:${port}/`)
      const event = expectOk(await partner.post(`${base}/${id}/test`)).body.result
      const [made] = await deliveriesOf(partner, event.id, (all) => all[0]?.status === 'failed')
      expect(made, `${names.get(host)}`).toMatchObject({ 'response-status': null, error: 'private-address' })
    }
  }
  expect(connections).toBe(0)
})

test('a name that is public when it is registered and private at the next connection is called once', async () => {
  const receiver = await openReceiver()
  closing.push(() => receiver.close())
  receiver.respond = () => ({ status: 204, headers: { connection: 'close' } })
  const network = openNetwork(receiver.port)
  closing.push(() => network.close())
  const zone = [['93.184.216.34'], ['127.0.0.1'], ['10.0.0.1', '::1'], ['127.0.0.1', '93.184.216.34']]
  let queries = 0
  const sender = openSender({
    httpsOnly: false,
    allowPrivate: false,
    // Deliveries of the test before may be tried again meanwhile.
    resolve: async (hostname) => (hostname === 'rebind.example' ? (zone[queries++] ?? []) : []),
  })
  const dispatcher = startDispatcher(testApp, { sender })
  closing.push(() => dispatcher.stop())
  const partner = await newPartner()
  const errors: unknown[] = []
  for (let n = 0; n < zone.length; n += 1) {
    const { id } = await makeEndpoint(partner, `http://rebind.example/${n}`)
    const event = expectOk(await partner.post(`${base}/${id}/test`)).body.result
    const [made] = await deliveriesOf(
      partner,
      event.id,
      (all) => all[0] !== undefined && all[0]['attempted-at'] !== null,
    )
    errors.push(made.error)
    expectOk(await partner.delete(`${base}/${id}`))
  }
  expect({ errors, queries, connected: network.connected }).toEqual({
    errors: [null, 'private-address', 'private-address', null],
    queries: 4,
    connected: [['93.184.216.34'], ['93.184.216.34']],
  })
})
