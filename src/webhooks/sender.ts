import { Resolver } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { isLocalhost, mayConnectTo, blockedTarget, type TargetRules } from './ssrf-filter.ts'

/** What became of one call. `error` is a word of ours, never a text of the receiver's. */
export interface SendResult {
  /** null when there was no answer. */
  readonly status: number | null
  readonly error: string | null
}

export interface Sender {
  /** One POST of JSON. Never throws: what went wrong is in the result. An abort ends it as `stopped`. */
  send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<SendResult>
  /** Lets go of the connections that are kept. */
  close(): void
}

/** The addresses of a name. @throws when it has none. */
export type Resolve = (hostname: string) => Promise<string[]>

export interface SenderOptions extends TargetRules {
  /** Asks DNS unless told otherwise. */
  readonly resolve?: Resolve
  /** 15 s unless told otherwise. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 15_000
const idleMs = 4_000
const maxAnswerBytes = 16 * 1024
const drainMs = 1_000

/**
 * Calls receivers: nothing but public addresses, checked on what is connected to, at every connection anew, so that a name that
 * changes its mind gains nothing; no redirects; 15 s for all of it; the answer's body is dropped, and cut off when it is long or slow.
 */
export function openSender(options: SenderOptions): Sender {
  // `timeout` ends connections that wait for a next call; a call under way has the limit of `send`.
  const agentOptions = { keepAlive: true, maxFreeSockets: 2, timeout: idleMs, scheduling: 'lifo' as const }
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }
  const lookup = guardedLookup(options.resolve ?? openResolver(), options.allowPrivate)
  const call = (url: URL, headers: Record<string, string>, body: string): ClientRequest => {
    const secure = url.protocol === 'https:'
    return (secure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: secure ? agents['https:'] : agents['http:'],
      lookup,
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Vigencia-Webhooks/1.0',
        accept: '*/*',
      },
    })
  }
  return {
    async send(text, headers, body, signal) {
      // Judged again: the rules may have become stricter since the endpoint was made.
      const fault = blockedTarget(text, options)
      if (fault !== null) return { status: null, error: fault }
      const url = new URL(text)
      const late = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
      const end = AbortSignal.any([late, signal])
      const first = await attempt(() => call(url, headers, body), body, end)
      // A kept connection may have been closed by the other side just then: nobody has seen the call.
      const result = first.staleConnection ? await attempt(() => call(url, headers, body), body, end) : first
      if (result.error !== 'aborted') return { status: result.status, error: result.error }
      return { status: null, error: late.aborted ? 'timeout' : 'stopped' }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

interface Attempt extends SendResult {
  readonly staleConnection?: boolean
}

function attempt(begin: () => ClientRequest, body: string, end: AbortSignal): Promise<Attempt> {
  return new Promise((resolve) => {
    const request = begin()
    const onEnd = () => {
      resolve({ status: null, error: 'aborted' })
      request.destroy()
    }
    if (end.aborted) onEnd()
    end.addEventListener('abort', onEnd, { once: true })
    request.on('response', (answer) => {
      end.removeEventListener('abort', onEnd)
      const status = answer.statusCode ?? 0
      resolve({ status, error: status >= 300 && status < 400 ? 'redirect' : null })
      drain(answer)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      end.removeEventListener('abort', onEnd)
      const staleConnection = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      resolve({ status: null, error: wordFor(error), staleConnection })
    })
    request.end(body)
  })
}

/** The status is all that counts. A short body is read, so that the connection can be kept; any other ends it. */
function drain(answer: IncomingMessage): void {
  let bytes = 0
  const timer = setTimeout(() => answer.destroy(), drainMs)
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) answer.destroy()
  })
  answer.on('error', () => {})
  answer.on('close', () => clearTimeout(timer))
}

class RefusedAddress extends Error {
  readonly code = 'EREFUSEDADDRESS'
}

/** Resolves for a connection about to be made, and hands over only addresses that may be connected to. */
function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  const find = callbackify(async (hostname: string): Promise<string[]> => {
    const addresses = await resolve(hostname)
    const allowed = addresses.filter((address) => mayConnectTo(address, allowPrivate))
    if (allowed.length === 0) throw new RefusedAddress()
    return allowed
  })
  return (hostname, { all }, callback) => {
    find(hostname, (error, allowed) => {
      const found = (allowed ?? []).map((address) => ({ address, family: familyOf(address) }))
      if (error !== null) callback(error, '', 0)
      else if (all === true) callback(null, found)
      else callback(null, found[0]?.address ?? '', found[0]?.family)
    })
  }
}

function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4
}

/**
 * Asks DNS itself: the system's resolver would do so on one of the few threads that files and password hashes need too, and a name
 * server that does not answer would hold them up.
 */
function openResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1']
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
}

const words: Record<string, string> = {
  EREFUSEDADDRESS: 'private-address',
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

function wordFor(error: NodeJS.ErrnoException): string {
  // Several addresses were tried, each failed in its way.
  const cause = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  const code = cause.code ?? ''
  if (/CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(code)) return 'tls'
  return words[code] ?? (code.startsWith('HPE_') ? 'bad-answer' : 'connection-failed')
}
