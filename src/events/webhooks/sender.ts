import { Resolver } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { isLocalhost, mayConnectTo, blockedTarget, type TargetRules } from './ssrf-filter.ts'

/** The result of one call. `error` is a code of the service, never text of the receiver. */
export interface SendResult {
  /** null when there was no response. */
  readonly status: number | null
  readonly error: string | null
  /** The first 16 KiB of the response, where they are asked for. */
  readonly text?: string
}

export interface Sender {
  /** Sends one POST of JSON. Never throws: errors are in the result, `stopped` after an abort. */
  send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<SendResult>
  /** Closes the idle connections. */
  close(): void
}

/** The addresses of a name. @throws when it has none. */
export type Resolve = (hostname: string) => Promise<string[]>

export interface SenderOptions extends TargetRules {
  /** Default: a DNS query. */
  readonly resolve?: Resolve
  /** The timeout of a whole call. Default: 15 s. */
  readonly timeoutMs?: number
  /** Whether the result has the text of the response. Default: it is discarded. */
  readonly readsResponse?: boolean
}

const defaultTimeoutMs = 15_000
const idleMs = 4_000
const maxResponseBytes = 16 * 1024
const drainMs = 1_000

/**
 * Calls receivers. The address is checked at every connection after the name is resolved, which prevents DNS rebinding. Redirects are
 * not followed, a call has 15 s, and the response body is discarded unless it is asked for.
 */
export function openSender(options: SenderOptions): Sender {
  // `timeout` ends idle connections; a call has the limit of `send`.
  const agentOptions = { keepAlive: true, maxFreeSockets: 2, timeout: idleMs, scheduling: 'lifo' as const }
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) }
  const lookup = guardedLookup(options.resolve, options.allowPrivate)
  const { readsResponse = false } = options
  return {
    async send(text, headers, body, signal) {
      // Checked again: the rules may have become stricter since the endpoint was created.
      const blocked = blockedTarget(text, options)
      if (blocked !== null) return { status: null, error: blocked }
      const url = new URL(text)
      const secure = url.protocol === 'https:'
      const timeout = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
      const call = () =>
        (secure ? httpsRequest : httpRequest)(url, {
          method: 'POST',
          agent: secure ? agents.https : agents.http,
          lookup,
          signal: AbortSignal.any([timeout, signal]),
          headers: {
            ...headers,
            'content-type': 'application/json; charset=utf-8',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Vigencia-Webhooks/1.0',
            accept: '*/*',
          },
        })
      const first = await attempt(call(), body, readsResponse)
      // The receiver closed a kept-alive connection before it read the call.
      const { staleConnection, ...result } = first
      const { error, ...last } = staleConnection ? await attempt(call(), body, readsResponse) : result
      return { ...last, error: error === 'aborted' ? (timeout.aborted ? 'timeout' : 'stopped') : error }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

interface Attempt extends SendResult {
  readonly staleConnection?: boolean
}

function attempt(request: ClientRequest, body: string, readsResponse: boolean): Promise<Attempt> {
  return new Promise((resolve) => {
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      const result = { status, error: status >= 300 && status < 400 ? 'redirect' : null }
      if (!readsResponse) resolve(result)
      drain(response, (text) => resolve(readsResponse ? { ...result, text } : result))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      const staleConnection = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      resolve({ status: null, error: codeOf(error), staleConnection })
    })
    request.end(body)
  })
}

/** Reads a short body, so that the connection can be kept alive; destroys the connection of a long or slow one. */
function drain(response: IncomingMessage, onEnd: (text: string) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), drainMs)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxResponseBytes) response.destroy()
    else chunks.push(chunk)
  })
  response.on('error', () => {})
  response.on('close', () => {
    clearTimeout(timer)
    onEnd(Buffer.concat(chunks).toString())
  })
}

class AddressNotAllowed extends Error {
  readonly code = 'EADDRNOTALLOWED'
}

/** The lookup of a connection; returns only addresses that may be connected to. @param given instead of a DNS query. */
export function guardedLookup(given: Resolve | undefined, allowPrivate: boolean): LookupFunction {
  const resolve = given ?? openResolver()
  const resolveAllowed = callbackify(async (hostname: string): Promise<string[]> => {
    const addresses = await resolve(hostname)
    const allowed = addresses.filter((address) => mayConnectTo(address, allowPrivate))
    if (allowed.length === 0) throw new AddressNotAllowed()
    return allowed
  })
  return (hostname, { all }, callback) => {
    resolveAllowed(hostname, (error, allowed) => {
      const found = (allowed ?? []).map((address) => ({ address, family: isIP(address) }))
      if (error !== null) callback(error, '', 0)
      else if (all === true) callback(null, found)
      else callback(null, found[0]?.address ?? '', found[0]?.family)
    })
  }
}

/** Queries DNS from the event loop. `dns.lookup` would block threads of the pool that files and password hashes need. */
function openResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1']
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [four, six].flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []))
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
}

const codes: Record<string, string> = {
  ABORT_ERR: 'aborted',
  EADDRNOTALLOWED: 'private-address',
  ENOTFOUND: 'name-not-found',
  ENODATA: 'name-not-found',
  ESERVFAIL: 'name-not-resolved',
  EREFUSED: 'name-not-resolved',
  ETIMEOUT: 'name-not-resolved',
  EAI_AGAIN: 'name-not-resolved',
  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ETIMEDOUT: 'timeout',
  EPROTO: 'tls',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
}

function codeOf(error: NodeJS.ErrnoException): string {
  // Several addresses were tried; the first error is reported.
  const cause = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  const code = cause.code ?? ''
  if (/CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(code)) return 'tls'
  return codes[code] ?? (code.startsWith('HPE_') ? 'bad-answer' : 'connection-failed')
}
