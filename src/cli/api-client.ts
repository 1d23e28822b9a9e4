import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '../http/caller.ts'
import { trimEnd } from '../platform/trim-end.ts'
import { CommandError } from './errors.ts'
import { type Credentials, findCredentials } from './profiles.ts'
import { interruption, oneLine, printMessage } from './terminal.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface CallOptions {
  readonly query?: Query
  /** Sent as JSON; a Buffer or a Blob is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls a running service as one client. */
export interface ApiClient {
  readonly url: string
  readonly api: Api
  /** The response, whatever its status, after retries while the service is busy. */
  send(method: string, path: string, options?: CallOptions): Promise<Response>
  /** The parsed body of a 2xx response. @throws CommandError for another status. */
  call<Body>(method: string, path: string, options?: CallOptions): Promise<Body>
}

const maxTries = 6
const maxPauseSeconds = 60

/**
 * The API client for the selected profile. The token is requested at the first call and kept in memory only.
 * @param choice `either`: the API of the credentials, the operator's where the profile has both.
 */
export async function openApiClient(choice: Api | 'either', profile: string | undefined): Promise<ApiClient> {
  const { credentials, api: known } = findCredentials(choice, profile)
  const { url } = credentials
  // Credentials of the environment: the token tells their API.
  let token: string | null = known === null ? await authenticate(credentials) : null
  const api = known ?? apiOf(token ?? '')
  const send: ApiClient['send'] = async (method, path, options = {}) => {
    const once = async () => {
      const authorization = `Bearer ${(token ??= await authenticate(credentials))}`
      return reach(url, method, path, { ...options, headers: { ...options.headers, authorization } })
    }
    const first = await once()
    if (first.status !== 401) return first
    // The token has expired: it is valid for an hour.
    await first.arrayBuffer()
    token = null
    return once()
  }
  return {
    url,
    api,
    send,
    async call<Body>(method: string, path: string, options?: CallOptions) {
      const response = await send(method, path, options)
      if (!response.ok) throw await responseError(response)
      return (response.status === 204 ? null : await readJson(response)) as Body
    },
  }
}

/** The API of a token, from its audience. */
export function apiOf(token: string): Api {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as { aud?: unknown }
  return String(claims.aud).endsWith(':operator') ? 'operator' : 'partner'
}

/** A token for the credentials. @throws CommandError `credentials` when the service refuses them. */
export async function authenticate({ url, ...body }: Credentials): Promise<string> {
  const response = await reach(url, 'POST', '/v1/authenticate', { body })
  if (!response.ok) throw await responseError(response)
  const read = (await readJson(response)) as { 'access-token'?: unknown } | null
  const token = read?.['access-token']
  if (typeof token !== 'string') throw notVigencia(url)
  return token
}

/** One call, retried while the service is busy: a call that got 429 or 503 had no effect. */
async function reach(base: string, method: string, path: string, options: CallOptions): Promise<Response> {
  const { body } = options
  const isRaw = body === undefined || Buffer.isBuffer(body) || body instanceof Blob
  const signal = interruption()
  const request: RequestInit = {
    method,
    headers: { accept: 'application/json', ...(isRaw ? {} : jsonType), ...options.headers },
    body: isRaw ? ((body ?? null) as Blob | null) : JSON.stringify(body),
    redirect: 'error',
    signal,
  }
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(urlOf(base, path, options.query), request).catch((error: unknown) => {
      throw unreachable(base, error)
    })
    // 409 with Retry-After: a call with the same idempotency key is in progress.
    const isBusy =
      [429, 503].includes(response.status) || (response.status === 409 && response.headers.has('retry-after'))
    if (!isBusy || tries === maxTries) return response
    await response.arrayBuffer()
    const seconds = Math.min(maxPauseSeconds, Math.max(1, Number(response.headers.get('retry-after')) || 1))
    if (tries === 2) printMessage(`The service is busy (${response.status}); waiting.`)
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
  const { origin } = new URL(response.url)
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(origin, error)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw notVigencia(origin)
  }
}

/** A network error as a CommandError; a CommandError and an AbortError unchanged. */
export function unreachable(base: string, error: unknown): unknown {
  if (error instanceof CommandError) return error
  if (error instanceof Error && error.name === 'AbortError') return error
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause
  const code = typeof cause?.code === 'string' ? cause.code : 'the connection broke'
  const next = 'See that the service runs there (npm start), or name another one: vigencia login, --profile'
  return new CommandError('unreachable', `${base} does not answer (${code}).`, next, { cause: error })
}

function notVigencia(url: string): CommandError {
  const next = 'Sign in with its right address: vigencia login --url URL'
  return new CommandError('unreachable', `What answers at ${url} is no Vigencia.`, next)
}

interface ErrorBody {
  readonly error?: unknown
  readonly details?: readonly { field?: unknown; code?: unknown; message?: unknown }[]
  readonly allowed?: unknown
  readonly 'request-trace-id'?: unknown
}

/** The error for a response that is not 2xx, with what to do next. */
export async function responseError(response: Response): Promise<CommandError> {
  const { status: httpStatus } = response
  const body = await response.json().then(
    (read) => (read ?? {}) as ErrorBody,
    (): ErrorBody => ({}),
  )
  const error = typeof body.error === 'string' ? body.error : `The service answered ${httpStatus}`
  const details = (Array.isArray(body.details) ? body.details : []).map(
    ({ field, code, message }) =>
      `  ${oneLine(String(field))}: ${oneLine(String(code))}${typeof message === 'string' ? ` (${oneLine(message)})` : ''}`,
  )
  if (Array.isArray(body.allowed)) details.push(`  allowed: ${oneLine(body.allowed.join(', ')) || 'nothing'}`)
  const trace = typeof body['request-trace-id'] === 'string' ? ` (trace ${body['request-trace-id']})` : ''
  const message = [`${oneLine(error)}${trace}`, ...details].join('\n')
  const isBusy = httpStatus === 429 || httpStatus >= 500
  const exitStatus = httpStatus === 401 ? 'credentials' : isBusy ? 'unreachable' : 'refused'
  return new CommandError(exitStatus, message, nextAfter(httpStatus, error), { body, httpStatus })
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
  readonly pagination?: { readonly 'next-page': number | null }
}

/**
 * Every item of a list; pages of 500 unless the query says otherwise.
 * @param isWhole for a list without pages.
 */
export async function* everyItem<Item>(
  client: ApiClient,
  path: string,
  query: Query = {},
  isWhole = false,
): AsyncGenerator<Item> {
  for (let page: number | null = 1; page !== null;) {
    const read: Page<Item> = await client.call<Page<Item>>('GET', path, {
      query: isWhole ? query : { 'items-per-page': 500, ...query, page },
    })
    yield* read.result
    page = read.pagination?.['next-page'] ?? null
  }
}

/** The start of the paths of an API. */
export const root: Readonly<Record<Api, string>> = { partner: '/v1', operator: '/operator/v1' }

/** A path with percent-encoded values. */
export function pathOf(pieces: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: pieces.raw }, ...values.map(encodeURIComponent))
}
