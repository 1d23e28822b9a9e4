import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Vigencia, type ClientOptions } from '@vigencia/client'

interface StubCall {
  /** `GET /v1/member?page=1` */
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Writes the response. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void

export interface Stub {
  readonly url: string
  /** Without those for a token. */
  readonly calls: StubCall[]
  /** How many tokens were given. */
  readonly tokens: number
  /** Seconds that a token is valid. */
  expiresIn: number
  /** The next replies, in their order; then 200 with `{}`. */
  readonly replies: Reply[]
  client(options?: Partial<ClientOptions>): Vigencia
  close(): Promise<void>
}

/** A server that responds as the test says: for responses that the service seldom gives. */
export async function openStub(): Promise<Stub> {
  let tokens = 0
  const stub = {
    url: '',
    calls: [] as StubCall[],
    get tokens() {
      return tokens
    },
    expiresIn: 3_600,
    replies: [] as Reply[],
    client: (options: Partial<ClientOptions> = {}) =>
      new Vigencia({ url: stub.url, clientId: 'id', clientSecret: 'secret', ...options } as ClientOptions),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    if (request.url === '/v1/authenticate') {
      tokens += 1
      const token = { 'access-token': `token-${tokens}`, 'token-type': 'Bearer', 'expires-in': stub.expiresIn }
      return json(200, token)(response, request)
    }
    stub.calls.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    const reply = stub.replies.shift() ?? json(200, {})
    return reply(response, request)
  }
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return stub
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** An error of the service. */
export const failure = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Reply =>
  json(status, { error: 'A sentence', code, 'request-trace-id': 'trace', ...more }, headers)

/** The connection breaks before there is a response. */
export const cut: Reply = (_, request) => void request.socket.destroy()

/** The connection breaks in the middle of the body. */
export const cutAfter =
  (start: string): Reply =>
  (response, request) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '10000' })
    response.write(start, () => request.socket.destroy())
  }

/** No response. */
export const silence: Reply = () => {}
