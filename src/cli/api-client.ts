import { setTimeout as pause } from 'node:timers/promises'
import { trimEnd } from '../platform/trim-end.ts'
import { CommandError, ResponseError } from './errors.ts'
import { type Credentials, findCredentials, type Kind } from './profiles.ts'
import { oneLine, printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface CallOptions {
  readonly query?: Query
  /** Sent as JSON; a Buffer or a Blob is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Calls a running service as one client. */
export interface ApiClient {
  readonly url: string
  readonly clientId: string
  /** The response, whatever its status, after retries while the service is busy. */
  send(method: string, path: string, options?: CallOptions): Promise<Response>
  /** The parsed body of a 2xx response. @throws ResponseError for another status. */
  call<Body>(method: string, path: string, options?: CallOptions): Promise<Body>
}

const maxTries = 6
const maxPauseSeconds = 60

/** The API client for the selected profile. The token is requested at the first call and kept in memory only. */
export function openApiClient(context: CommandContext, kind: Kind, options: { readonly profile?: string }): ApiClient {
  return apiClientFor(context, findCredentials(context, kind, options.profile))
}

/** The API client for these credentials. */
export function apiClientFor(context: CommandContext, credentials: Credentials): ApiClient {
  let token: string | null = null
  const bearer = async () => `Bearer ${(token ??= await authenticate(context, credentials))}`
  const send: ApiClient['send'] = async (method, path, options = {}) => {
    const once = async () => reach(context, credentials.url, method, path, options, { authorization: await bearer() })
    const first = await once()
    if (first.status !== 401) return first
    // The token has expired: it is valid for an hour.
    await first.arrayBuffer()
    token = null
    return once()
  }
  return {
    url: credentials.url,
    clientId: credentials['client-id'],
    send,
    async call<Body>(method: string, path: string, options?: CallOptions) {
      const response = await send(method, path, options)
      if (!response.ok) throw await responseError(response)
      return (response.status === 204 ? null : await readJson(response)) as Body
    },
  }
}

/** A token for the credentials. @throws CommandError `credentials` when the service refuses them. */
export async function authenticate(context: CommandContext, credentials: Credentials): Promise<string> {
  const { url, 'client-id': clientId, 'client-secret': clientSecret } = credentials
  const body = { 'client-id': clientId, 'client-secret': clientSecret }
  const response = await reach(context, url, 'POST', '/v1/authenticate', { body }, {})
  if (!response.ok) throw await responseError(response)
  const read = (await readJson(response)) as { 'access-token'?: unknown } | null
  const token = read?.['access-token']
  if (typeof token !== 'string') throw notVigencia(url)
  return token
}

/** One call, retried while the service is busy: a call that got 429 or 503 had no effect. */
async function reach(
  context: CommandContext,
  base: string,
  method: string,
  path: string,
  options: CallOptions,
  more: Record<string, string>,
): Promise<Response> {
  const url = urlOf(base, path, options.query)
  const { body } = options
  const isRaw = Buffer.isBuffer(body) || body instanceof Blob
  const signal = options.signal ?? context.interruption
  for (let tries = 1; ; tries += 1) {
    let response: Response
    try {
      response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined || isRaw ? {} : jsonType),
          ...options.headers,
          ...more,
        },
        ...(body === undefined ? {} : { body: isRaw ? (body as Blob) : JSON.stringify(body) }),
        redirect: 'error',
        signal,
      })
    } catch (error) {
      throw unreachable(base, error)
    }
    // 409 with Retry-After: a call with the same idempotency key is in progress.
    const isBusy =
      [429, 503].includes(response.status) || (response.status === 409 && response.headers.has('retry-after'))
    if (!isBusy || tries === maxTries) return response
    await response.arrayBuffer()
    const seconds = Math.min(maxPauseSeconds, Math.max(1, Number(response.headers.get('retry-after')) || 1))
    if (tries === 2) printMessage(context, `The service is busy (${response.status}); waiting.`)
    await pause(seconds * 1_000, undefined, { signal })
  }
}

const jsonType = { 'content-type': 'application/json' }

function urlOf(base: string, path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return `${trimEnd(base, '/')}${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`
}

async function readJson(response: Response): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw unreachable(new URL(response.url).origin, error)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw notVigencia(new URL(response.url).origin)
  }
}

/** A network error as a CommandError; a CommandError and an AbortError unchanged. */
export function unreachable(base: string, error: unknown): unknown {
  if (error instanceof CommandError) return error
  if (error instanceof Error && error.name === 'AbortError') return error
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause
  const code = typeof cause?.code === 'string' ? cause.code : 'the connection broke'
  return new CommandError('unreachable', `${base} does not answer (${code}).`, {
    next: 'See that the service runs there (npm start), or name another one: vigencia login, --profile',
    cause: error,
  })
}

function notVigencia(url: string): CommandError {
  return new CommandError('unreachable', `What answers at ${url} is no Vigencia.`, {
    next: 'Sign in with its right address: vigencia login --url URL',
  })
}

interface ErrorBody {
  readonly error?: unknown
  readonly details?: readonly { field?: unknown; code?: unknown }[]
  readonly 'request-trace-id'?: unknown
}

/** The error for a response that is not 2xx, with what to do next. */
export async function responseError(response: Response): Promise<ResponseError> {
  const text = await response.text().catch(() => '')
  let body: ErrorBody
  try {
    body = JSON.parse(text) as ErrorBody
  } catch {
    body = {}
  }
  const error = typeof body.error === 'string' ? body.error : `The service answered ${response.status}`
  const details = (Array.isArray(body.details) ? body.details : []).map(
    ({ field, code }) => `  ${oneLine(String(field))}: ${oneLine(String(code))}`,
  )
  const trace = typeof body['request-trace-id'] === 'string' ? ` (trace ${body['request-trace-id']})` : ''
  const message = [`${oneLine(error)}${trace}`, ...details].join('\n')
  const exitStatus =
    response.status === 401
      ? 'credentials'
      : response.status === 429 || response.status >= 500
        ? 'unreachable'
        : 'refused'
  return new ResponseError(response.status, exitStatus, message, nextAfter(response.status, error), body)
}

function nextAfter(status: number, error: string): string | null {
  if (status === 401) return 'Sign in again, or ask for a new secret: vigencia login'
  if (error === 'Not allowed for this role') return 'Use an operator of another role: vigencia login --profile NAME'
  if (status === 403)
    return 'If the company exists, an operator grants it: vigencia entitlement grant CLIENT-ID COMPANY-TAX-ID'
  if (error === 'Company not found') return 'An operator makes it first: vigencia company put FILE'
  if (status === 429 || status >= 500) return 'Repeat the command later; quote the trace id if it stays so.'
  return null
}

interface Page<Item> {
  readonly result: readonly Item[]
  readonly pagination: { readonly 'next-page': number | null }
}

/** Every item of a paginated list. */
export async function* everyItem<Item>(client: ApiClient, path: string, query: Query = {}): AsyncGenerator<Item> {
  for (let page: number | null = 1; page !== null;) {
    const read: Page<Item> = await client.call<Page<Item>>('GET', path, {
      query: { ...query, page, 'items-per-page': 500 },
    })
    yield* read.result
    page = read.pagination['next-page']
  }
}

/** A path with percent-encoded values. */
export function pathOf(pieces: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: pieces.raw }, ...values.map(encodeURIComponent))
}
