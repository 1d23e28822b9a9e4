import { ApiError, ConnectionError, InvalidResponseError, TimeoutError, VigenciaError, errorOf } from './errors.ts'
import { pause, retryDelay } from './retry.ts'
import { TokenSource } from './token.ts'
import type { CallInfo, ClientOptions, OperationId, RequestOptions, ResponseBody, Result, Schemas } from './types.ts'

/** An operation, as src/generated has it of openapi.json. */
export interface Operation {
  readonly method: string
  readonly path: string
  /** `items`: a list without pages; `result`: of a body that has nothing else. */
  readonly returns: 'pages' | 'items' | 'result' | 'body' | 'nothing' | 'file'
  /** What its method takes between the values of the path and the options. */
  readonly takes?: 'body' | 'query'
  /** `key`: it takes an Idempotency-Key; `open`: it takes no token. */
  readonly mark?: 'key' | 'open'
  /** Query parameters that its method takes among the options. */
  readonly inOptions?: readonly string[]
}

/** The operations of an API by their ids. */
export type OperationTable = Readonly<Record<string, Operation>>

export type Bytes = NonNullable<RequestInit['body']>

/** The bytes of a request and their type. */
export interface RawBody {
  /** A function makes those of one attempt. */
  readonly bytes: Bytes | (() => Bytes)
  /** Without it that of the bytes: a form has a boundary. */
  readonly type?: string
  /** Whether the bytes can be sent a second time: those of a stream cannot. */
  readonly isRepeatable: boolean
}

export interface Call {
  /** The values of the path, in their order. */
  readonly path?: readonly string[]
  /** @internal Instead of the path of the operation. */
  readonly url?: string
  readonly query?: object | undefined
  readonly json?: unknown
  readonly raw?: RawBody
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly options?: RequestOptions | undefined
  /** @internal Whether the response is read as a stream: the timeout ends with its headers. */
  readonly isStream?: boolean
  /** @internal The status that says, when a call is repeated, that it had been executed. */
  readonly doneStatus?: number
}

const defaultTimeout = 60_000
const fileTimeout = 900_000
const defaultRetries = 8

/** Sends the calls of one client: with its token, timeouts and retries. */
export class Transport {
  readonly #options: ClientOptions
  readonly #operations: OperationTable
  readonly #base: string
  readonly #tokens: TokenSource

  /** @throws TypeError for a URL that is none. */
  constructor(options: ClientOptions, operations: OperationTable) {
    this.#base = baseOf(options.url)
    this.#options = options
    this.#operations = operations
    this.#tokens = new TokenSource(() => this.#fetchToken())
  }

  operation(id: OperationId): Operation {
    const operation = this.#operations[id]
    if (operation === undefined) throw new TypeError(`${id} is no operation of this API`)
    return operation
  }

  /** The JSON body of the response. */
  json<Id extends OperationId>(id: Id, call: Call = {}): Promise<ResponseBody<Id>> {
    return this.send(id, call, readJson<ResponseBody<Id>>)
  }

  /** `result` of the JSON body of the response. */
  async result<Id extends OperationId>(id: Id, call: Call = {}): Promise<Result<Id>> {
    const body: unknown = await this.json(id, call)
    return resultOf(body) as Result<Id>
  }

  /** What `read` makes of the response: it is part of the attempt. @throws ApiError for a status that is not 2xx. */
  async send<T>(id: OperationId, call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { method, path, mark } = this.operation(id)
    const { options = {}, raw } = call
    const { signal = this.#options.signal, maxRetries = this.#options.maxRetries ?? defaultRetries } = options
    const isSafe = (method !== 'POST' || mark !== undefined || call.url !== undefined) && raw?.isRepeatable !== false
    // A dry run stores nothing, and gets no key.
    const { 'dry-run': isDryRun = false }: { readonly 'dry-run'?: boolean } = call.query ?? {}
    const key = mark === 'key' && !isDryRun ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    const headers = {
      accept: 'application/json',
      ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(raw?.type === undefined ? {} : { 'content-type': raw.type }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...this.#options.headers,
      ...call.headers,
      ...options.headers,
    }
    const request = {
      url: call.url ?? this.#base + fill(path, call.path) + queryOf(call.query),
      method,
      headers,
    }
    const bytesOf = () => (typeof raw?.bytes === 'function' ? raw.bytes() : raw?.bytes)
    const json = call.json === undefined ? null : JSON.stringify(call.json)
    let refused: string | null = null
    // A call without a response may have been executed.
    let isUncertain = false
    for (let attempt = 1; ;) {
      const info = { operationId: id, method, path, attempt }
      const token: string | null = mark === 'open' ? null : await unlessAborted(this.token(refused), signal)
      try {
        return await this.#attempt({ ...request, body: bytesOf() ?? json }, token, call, info, read)
      } catch (error) {
        const status = error instanceof ApiError ? error.status : null
        if (isUncertain && status === call.doneStatus) return undefined as T
        if (token !== null && refused === null && isExpired(error)) {
          refused = token
          this.#tokens.discard(token)
          continue
        }
        const delay = attempt > maxRetries ? null : retryDelay(error, isSafe, attempt)
        if (delay === null || raw?.isRepeatable === false) throw error
        const retry = { ...info, status, milliseconds: Math.round(delay) }
        if (this.#options.shouldRetry?.(retry) === false) throw error
        isUncertain ||= status === null
        this.#options.onRetry?.(retry)
        await pause(delay, signal)
        attempt += 1
      }
    }
  }

  async #attempt<T>(
    { url, headers, ...request }: { url: string; method: string; headers: Record<string, string>; body: Bytes | null },
    token: string | null,
    { options = {}, raw, isStream }: Call,
    info: CallInfo,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const {
      signal = this.#options.signal,
      timeout = raw === undefined ? (this.#options.timeout ?? defaultTimeout) : fileTimeout,
    } = options
    const controller = new AbortController()
    const timer = timeout > 0 ? setTimeout(() => controller.abort(), timeout) : undefined
    const fetch = this.#options.fetch ?? globalThis.fetch
    const start = performance.now()
    // The template of the path: its values may be a tax id or a secret.
    const address = `${info.method} ${this.#base}${info.path}`
    try {
      signal?.throwIfAborted()
      this.#options.onRequest?.(info)
      const response = await fetch(url, {
        ...request,
        headers: token === null ? headers : { ...headers, authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
        // Needed for a stream that is sent; not in the types of every runtime.
        ...({ duplex: 'half' } as object),
      }).catch(broken(address))
      addresses.set(response, address)
      this.#options.onResponse?.({
        ...info,
        status: response.status,
        milliseconds: Math.round(performance.now() - start),
        requestTraceId: response.headers.get('x-request-id'),
      })
      if (!response.ok) throw await errorOf(response)
      if (isStream) clearTimeout(timer)
      return await read(response)
    } catch (error) {
      signal?.throwIfAborted()
      if (controller.signal.aborted) throw new TimeoutError(`No response to ${info.operationId} within ${timeout} ms`)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** The token that the calls have; null for none. @param refused the one that a call was refused with. */
  async token(refused: string | null = null): Promise<string | null> {
    const { token } = this.#options
    if (token === undefined) return this.#tokens.get()
    return typeof token === 'function' ? token(refused) : token
  }

  async #fetchToken() {
    const { clientId, clientSecret } = this.#options
    const json = { 'client-id': clientId, 'client-secret': clientSecret }
    const body = await this.send('authenticate', { json }, readJson<Schemas['AccessToken']>)
    if (typeof body?.['access-token'] !== 'string') throw new InvalidResponseError('The response has no access token')
    return { token: body['access-token'], validFor: body['expires-in'] * 1_000 }
  }
}

/** The JSON of a response; undefined for 204. */
export async function readJson<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T
  const text = await response.text().catch(broken(response))
  try {
    return JSON.parse(text) as T
  } catch {
    // Without the cause: it quotes the text.
    throw new InvalidResponseError(`The response with the status ${response.status} is not JSON`)
  }
}

/** @throws InvalidResponseError for a body without `result`. */
export function resultOf(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && 'result' in body) return body.result
  throw new InvalidResponseError('The response has no result')
}

/** What was called for a response. */
const addresses = new WeakMap<Response, string>()

/** @param called the response whose body is read, or what is called. @returns what throws ConnectionError for an error of the network. */
export function broken(called: Response | string): (error: unknown) => never {
  return (error) => {
    if (error instanceof VigenciaError) throw error
    const address = typeof called === 'string' ? called : addresses.get(called)
    throw new ConnectionError(`The connection failed: ${address}`, error)
  }
}

/** The start of all addresses. @throws TypeError for a URL that is none of a service. */
function baseOf(url: string): string {
  if (!URL.canParse(url)) throw new TypeError(`url is not an address: ${url}`)
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/$/, '')
  if (!origin.startsWith('http')) throw new TypeError(`url must begin with http:// or https://`)
  if (path.endsWith('/v1')) throw new TypeError(`url is the address of the service, without /v1`)
  return origin + path
}

function isExpired(error: unknown): boolean {
  return error instanceof ApiError && ['token-expired', 'token-invalid'].includes(error.code)
}

function fill(path: string, values: readonly string[] = []): string {
  let index = 0
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = values[index++]
    // Dots would lead to another path.
    if (!value || /^\.+$/.test(value)) throw new VigenciaError(`${name} is empty or not valid`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const text = parameters.toString()
  return text && `?${text}`
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
