import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { type Client, expectOk, type TestApp, type Json, until } from './test-app.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Json
}

/** What a receiver answers; null holds the call up until the receiver is closed. */
export type Responder = (call: Received) => { status: number; headers?: Record<string, string> } | null

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly calls: Received[]
  /** Connections that were made to it. */
  readonly connections: number
  respond: Responder
  /** The calls for which the condition holds, once there are that many. */
  until(count: number, condition?: (call: Received) => boolean): Promise<Received[]>
  close(): Promise<void>
}

/** A receiver of webhooks on loopback, which answers 204 unless told otherwise. */
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
      return until(
        async () => receiver.calls.filter(condition),
        (found) => found.length >= count,
        60_000,
      )
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => void take(request, response))
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const text = String(await buffer(request))
    const call = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
    receiver.calls.push(call)
    const answer = receiver.respond(call)
    if (answer !== null) response.writeHead(answer.status, answer.headers).end()
  }
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}/hook`
  return receiver
}

/** Makes an endpoint of the client's. @returns it as answered, with its secret. */
export async function makeEndpoint(client: Client, url: string, eventTypes?: string[]): Promise<Json> {
  const body = { url, ...(eventTypes === undefined ? {} : { 'event-types': eventTypes }) }
  return expectOk(await client.post('/v1/webhook-endpoint', body)).body.result
}

/** Verifies what was received as its receiver does, with the standard's own library. Throws when it is not signed so. */
export function verified(call: Received, secret: string): Json {
  return new Webhook(secret).verify(call.text, call.headers as Record<string, string>)
}

/** The attempts to tell of an event, once the condition holds. */
export function deliveriesOf(client: Client, eventId: string, holds: (found: Json[]) => boolean): Promise<Json[]> {
  return until(
    async () => expectOk(await client.get(`/v1/webhook-event/${eventId}/delivery`)).body.result as Json[],
    holds,
    60_000,
  )
}

/** PATCH, which the client of the harness does not have. */
export function patch(testApp: TestApp, client: Client, path: string, body: unknown) {
  return testApp.call('PATCH', path, { token: client.token, body })
}
