import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { checkWebhook } from './conformance.ts'
import { type Client, expectOk, type TestApp, type Json, until } from './test-app.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Json
}

/** The response of a receiver; null: no response until the receiver is closed. */
type Responder = (call: Received) => { status: number; headers?: Record<string, string>; body?: string } | null

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly calls: Received[]
  /** The number of connections to it. */
  readonly connections: number
  respond: Responder
  /** Waits for `count` calls that satisfy the condition. */
  until(count: number, condition?: (call: Received) => boolean): Promise<Received[]>
  close(): Promise<void>
}

/** A receiver of webhooks on loopback; the default response is 204. */
export async function openReceiver(): Promise<Receiver> {
  let connections = 0
  const receiver = {
    url: '',
    port: 0,
    calls: [] as Received[],
    respond: (() => ({ status: 204 })) as Responder,
    get connections() {
      return connections
    },
    async until(count: number, condition: (call: Received) => boolean = () => true) {
      const found = await until(
        async () => receiver.calls.filter(condition),
        (calls) => calls.length >= count,
        60_000,
      )
      for (const { body } of found) checkWebhook(body)
      return found
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => void receive(request, response))
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const text = String(await buffer(request))
    const call = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
    receiver.calls.push(call)
    const reply = receiver.respond(call)
    if (reply !== null) response.writeHead(reply.status, reply.headers).end(reply.body)
  }
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}/hook`
  return receiver
}

/** Creates an endpoint of the client. @returns the endpoint of the response, with its secret. */
export async function makeEndpoint(client: Client, url: string, eventTypes?: string[]): Promise<Json> {
  const body = { url, ...(eventTypes === undefined ? {} : { 'event-types': eventTypes }) }
  return expectOk(await client.post('/v1/webhook-endpoint', body)).body.result
}

/** Verifies a call with the library of Standard Webhooks. @throws when the signature is invalid. */
export function verified(call: Received, secret: string): Json {
  return new Webhook(secret).verify(call.text, call.headers as Record<string, string>)
}

/** The deliveries of an event, once they satisfy the condition. */
export function deliveriesOf(client: Client, eventId: string, condition: (found: Json[]) => boolean): Promise<Json[]> {
  return until(
    async () => expectOk(await client.get(`/v1/webhook-event/${eventId}/delivery`)).body.result as Json[],
    condition,
    60_000,
  )
}

/** PATCH, which `Client` does not have. */
export function patch(testApp: TestApp, client: Client, path: string, body: unknown) {
  return testApp.call('PATCH', path, { token: client.token, body })
}
