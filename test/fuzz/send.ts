import { Agent, request as begin } from 'node:http'
import type { Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FuzzRequest } from './request.ts'

export interface FuzzResponse {
  readonly status: number
  readonly headers: Headers
  /** Decompressed. */
  readonly text: string
  /** A JSON response, parsed; undefined when it is not JSON. */
  readonly body: unknown
  /** From the first byte of the request to the last of the response. */
  readonly ms: number
}

export function openAgent(connections: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections })
}

/** A connection without any traffic for this time has no response. */
const noResponseMs = 60_000

/** The request of the latest response of a connection. */
const latest = new WeakMap<Socket, { readonly index: number; readonly time: number }>()

function historyOf(socket: Socket | null): string {
  const former = socket === null ? undefined : latest.get(socket)
  if (former === undefined) return ', on a new connection'
  return `, ${Math.round(performance.now() - former.time)} ms after the response to request ${former.index} on this connection`
}

/** Sends a request as it is, odd headers included. @throws when the connection breaks, or nothing is received. */
export function sendRequest(agent: Agent, url: string, request: FuzzRequest): Promise<FuzzResponse> {
  const { hostname, port, host } = new URL(url)
  const hasHost = request.headers.some(([name]) => name === 'host')
  const headers: string[] = [...(hasHost ? [] : ['host', host]), ...request.headers.flat()]
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = begin({ agent, hostname, port, method: request.method, path: request.target, headers })
    outgoing.setTimeout(noResponseMs, () => outgoing.destroy(new Error('nothing is received')))
    outgoing.once('error', (error) => reject(new Error(`${error.message}${historyOf(outgoing.socket)}`)))
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = []
      // Taken back by the agent before the end of the response is reported.
      const { socket } = incoming
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => {
        const ms = performance.now() - start
        latest.set(socket, { index: request.index, time: performance.now() })
        const names = new Headers()
        for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
          names.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '')
        }
        const text = decompressed(Buffer.concat(chunks), names.get('content-encoding')).toString('utf8')
        resolve({ status: incoming.statusCode ?? 0, headers: names, text, body: parsed(text), ms })
      })
    })
    outgoing.end(request.body ?? undefined)
  })
}

function decompressed(bytes: Buffer, encoding: string | null): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'gzip') return gunzipSync(bytes)
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Texts that must not be printed, with what is printed in their place. */
export type Secrets = ReadonlyMap<string, string>

/** The text without tokens, cookies, secrets and signatures. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  let safe = text
  for (const [secret, name] of secrets) safe = safe.replaceAll(secret, name)
  return safe
    .replaceAll(/(signature=)[^&"'\s\\]+/g, '$1$SIGNATURE')
    .replaceAll(/((?:client-)?secret"\s*:\s*")[^"]*/g, '$1$SECRET')
    .replaceAll(/(vigencia-session=)[\w-]{20,}/g, '$1$SESSION')
    .replaceAll(/(access-token"\s*:\s*")[^"]*/g, '$1$TOKEN')
}

const maxShown = 4_000

/** The request as a command line. A body that is no text is given in base64. */
export function curlOf(request: FuzzRequest, secrets: Secrets): string {
  const quoted = (text: string) => (/^[\w$./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
  const { body } = request
  const text = body?.toString('utf8') ?? ''
  const isText = body === null || (Buffer.from(text).equals(body) && !text.includes('\0'))
  const data = isText ? text.slice(0, maxShown) : (body?.toString('base64').slice(0, maxShown) ?? '')
  const lines = [
    ...(isText ? [] : [`echo ${data} | base64 -d |`]),
    `curl -sS -i -X ${request.method} --path-as-is --globoff "$URL"${quoted(request.target)}`,
    ...request.headers
      .filter(([name]) => name !== 'content-length')
      .map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : isText ? [`  --data-binary ${quoted(data)}`] : ['  --data-binary @-']),
  ]
  return withoutSecrets(lines.join(' \\\n'), secrets)
}
