import { setTimeout as pause } from 'node:timers/promises'
import { trimEnd } from '../platform/trim-end.ts'
import { CommandError, RefusedError } from './errors.ts'
import { type Credentials, findCredentials, type Kind } from './profiles.ts'
import { oneLine, tell } from './terminal.ts'
import type { CommandContext } from './context.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface CallOptions {
  readonly query?: Query
  /** Sent as JSON; a Buffer or a Blob goes as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A running service, spoken to as one client. */
export interface ApiClient {
  readonly url: string
  readonly clientId: string
  /** The answer, whatever its status; a busy or absent service was asked again for a while. */
  send(method: string, path: string, options?: CallOptions): Promise<Response>
  /** The parsed body of a 2xx answer. @throws RefusedError for another one. */
  call<Body>(method: string, path: string, options?: CallOptions): Promise<Body>
}

const maxTries = 6
const longestPauseSeconds = 60

/** The client of an API, for the profile asked for. The token is got at the first call and kept in memory only. */
export function openApiClient(context: CommandContext, kind: Kind, asked: { readonly profile?: string }): ApiClient {
  return apiClientFor(context, findCredentials(context, kind, asked.profile))
}

/** The client of the API that these credentials are for. */
export function apiClientFor(context: CommandContext, credentials: Credentials): ApiClient {
  let token: string | null = null
  const bearer = async () => `Bearer ${(token ??= await authenticate(context, credentials))}`
  const send: ApiClient['send'] = async (method, path, options = {}) => {
    const once = async () => reach(context, credentials.url, method, path, options, { authorization: await bearer() })
    const first = await once()
    if (first.status !== 401) return first
    // It lives for an hour: a long watch outlives it.
    await first.arrayBuffer()
    token = null
    return once()
  }
  return {
    url: credentials.url,
    clientId: credentials['client-id'],
    send,
    async call<Body>(method: string, path: string, options?: CallOptions) {
      const answer = await send(method, path, options)
      if (!answer.ok) throw await refusal(answer)
      return (answer.status === 204 ? null : await readJson(answer)) as Body
    },
  }
}

/** A token for the credentials. @throws CommandError `credentials` when the service refuses them. */
export async function authenticate(context: CommandContext, credentials: Credentials): Promise<string> {
  const { url, 'client-id': clientId, 'client-secret': clientSecret } = credentials
  const body = { 'client-id': clientId, 'client-secret': clientSecret }
  const answer = await reach(context, url, 'POST', '/v1/authenticate', { body }, {})
  if (!answer.ok) throw await refusal(answer)
  const read = (await readJson(answer)) as { 'access-token'?: unknown } | null
  const token = read?.['access-token']
  if (typeof token !== 'string') throw notVigencia(url)
  return token
}

/** One call, repeated while the service is busy: nothing of such a call was done. */
async function reach(
  context: CommandContext,
  base: string,
  method: string,
  path: string,
  options: CallOptions,
  more: Record<string, string>,
): Promise<Response> {
  const url = addressOf(base, path, options.query)
  const { body } = options
  const isRaw = Buffer.isBuffer(body) || body instanceof Blob
  const signal = options.signal ?? context.interruption
  for (let tries = 1; ; tries += 1) {
    let answer: Response
    try {
      answer = await fetch(url, {
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
    // 409 with that header: the same call, made before, is still being answered.
    const isBusy = [429, 503].includes(answer.status) || (answer.status === 409 && answer.headers.has('retry-after'))
    if (!isBusy || tries === maxTries) return answer
    await answer.arrayBuffer()
    const seconds = Math.min(longestPauseSeconds, Math.max(1, Number(answer.headers.get('retry-after')) || 1))
    if (tries === 2) tell(context, `The service is busy (${answer.status}); waiting.`)
    await pause(seconds * 1_000, undefined, { signal })
  }
}

const jsonType = { 'content-type': 'application/json' }

function addressOf(base: string, path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return `${trimEnd(base, '/')}${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`
}

async function readJson(answer: Response): Promise<unknown> {
  let text: string
  try {
    text = await answer.text()
  } catch (error) {
    throw unreachable(new URL(answer.url).origin, error)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw notVigencia(new URL(answer.url).origin)
  }
}

/** What went wrong on the way; an interruption stays what it is. */
export function unreachable(base: string, error: unknown): unknown {
  if (error instanceof CommandError) return error
  if (error instanceof Error && error.name === 'AbortError') return error
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause
  const code = typeof cause?.code === 'string' ? cause.code : 'the connection broke off'
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

/** The error for an answer that is not 2xx, with what to do next. */
export async function refusal(answer: Response): Promise<RefusedError> {
  const text = await answer.text().catch(() => '')
  let body: ErrorBody
  try {
    body = JSON.parse(text) as ErrorBody
  } catch {
    body = {}
  }
  const said = typeof body.error === 'string' ? body.error : `The service answered ${answer.status}`
  const details = (Array.isArray(body.details) ? body.details : []).map(
    ({ field, code }) => `  ${oneLine(String(field))}: ${oneLine(String(code))}`,
  )
  const trace = typeof body['request-trace-id'] === 'string' ? ` (trace ${body['request-trace-id']})` : ''
  const message = [`${oneLine(said)}${trace}`, ...details].join('\n')
  const ending =
    answer.status === 401 ? 'credentials' : answer.status === 429 || answer.status >= 500 ? 'unreachable' : 'refused'
  return new RefusedError(answer.status, ending, message, nextAfter(answer.status, said), body)
}

function nextAfter(status: number, said: string): string | null {
  if (status === 401) return 'Sign in again, or ask for a new secret: vigencia login'
  if (said === 'Not allowed for this role') return 'Use an operator of another role: vigencia login --profile NAME'
  if (status === 403)
    return 'If the company exists, an operator grants it: vigencia entitlement grant CLIENT-ID COMPANY-TAX-ID'
  if (said === 'Company not found') return 'An operator makes it first: vigencia company put FILE'
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

/** A path whose pieces came from the command line. */
export function pathOf(pieces: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: pieces.raw }, ...values.map(encodeURIComponent))
}
