import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  ApiError,
  BadRequestError,
  type CallInfo,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  GoneError,
  InvalidMembersError,
  InvalidResponseError,
  NotFoundError,
  PayloadTooLargeError,
  type ResponseInfo,
  type RetryInfo,
  ServerError,
  ServiceUnavailableError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
  UnsupportedMediaTypeError,
  VigenciaError,
} from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'
import { until } from '../world/test-app.ts'
import { cut, cutAfter, failure, json, openStub, type Reply, silence, type Stub } from './stub.ts'

let stub: Stub

beforeEach(async () => {
  // No jitter: a retry without Retry-After is immediate.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  stub = await openStub()
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await stub.close()
})

const body = { 'company-tax-id': '7B4XK2M9000194', members: [] }

const operatorOf = (url: string) => new VigenciaOperator({ url, clientId: 'id', clientSecret: 'secret' })

/** The error of a call. */
const errorOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => expect.unreachable('there was no error'),
    (error: unknown) => error,
  )

test('one token serves concurrent calls, and is renewed before it expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const vigencia = stub.client()
  await Promise.all(Array.from({ length: 20 }, () => vigencia.requests.get('id')))
  expect(stub.tokens).toBe(1)
  expect(stub.calls.map(({ headers }) => headers.authorization)).toEqual(Array(20).fill('Bearer token-1'))
  vi.setSystemTime(Date.now() + 3_500_000)
  await vigencia.requests.get('id')
  expect(stub.tokens).toBe(1)
  vi.setSystemTime(Date.now() + 50_000)
  await Promise.all([vigencia.requests.get('id'), vigencia.requests.get('id')])
  expect(stub.tokens).toBe(2)
})

test('an expired token is renewed once for all calls that it was refused for, which are sent once more', async () => {
  const vigencia = stub.client()
  await vigencia.requests.get('id')
  const refused: Reply = (response, request) => {
    const isOld = request.headers.authorization === 'Bearer token-1'
    return (isOld ? failure(401, 'token-expired') : json(200, {}))(response, request)
  }
  stub.replies.push(...Array<Reply>(10).fill(refused))
  await Promise.all(Array.from({ length: 5 }, () => vigencia.requests.get('id')))
  expect(stub.tokens).toBe(2)
  expect(stub.replies).toEqual([])
  stub.replies.push(failure(401, 'token-expired'), failure(401, 'token-expired'))
  const error = await errorOf(vigencia.requests.get('id'))
  expect(error).toBeInstanceOf(UnauthorizedError)
  expect(stub.replies).toEqual([])
})

test('a revoked client is an error at once', async () => {
  stub.replies.push(failure(401, 'client-revoked'))
  expect(await errorOf(stub.client().requests.get('id'))).toMatchObject({ code: 'client-revoked', status: 401 })
  expect(stub.calls).toHaveLength(1)
})

test('without a token no call has one, and none is fetched: a cookie of the browser authenticates', async () => {
  const operator = new VigenciaOperator({ url: stub.url, token: null })
  stub.replies.push(json(200, { result: { name: 'Ana' } }), failure(401, 'session-ended'))
  expect(await operator.session.read()).toEqual({ name: 'Ana' })
  await expect(operator.operators.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'session-ended',
  })
  expect(stub.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  expect(stub.tokens).toBe(0)
  await expect(operator.operations.token()).rejects.toThrow('The client has no token')
})

test('a token of the caller is used as it is', async () => {
  let count = 0
  const refused: (string | null)[] = []
  const token = (one: string | null) => {
    refused.push(one)
    return `mine-${(count += 1)}`
  }
  const credentials = { clientId: undefined, clientSecret: undefined, token }
  const vigencia = stub.client(credentials as object)
  stub.replies.push(failure(401, 'token-expired'))
  await vigencia.requests.get('id')
  expect(stub.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer mine-1', 'Bearer mine-2'])
  expect(refused).toEqual([null, 'mine-1'])
  expect(stub.tokens).toBe(0)
})

test('a POST is sent again with the same key and the same bytes, whatever went wrong', async () => {
  const retries: RetryInfo[] = []
  stub.replies.push(
    cut,
    failure(503, 'unavailable'),
    failure(409, 'idempotency-key-in-use'),
    failure(429, 'rate-limited'),
    cutAfter('{"request'),
    json(502, 'a proxy'),
    json(200, { 'request-id': 'the id' }),
  )
  const response = await stub.client({ onRetry: (info) => retries.push(info) }).inclusions.create(body)
  expect(response).toEqual({ 'request-id': 'the id' })
  expect(stub.calls).toHaveLength(7)
  expect(new Set(stub.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(stub.calls[0]?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/)
  expect(new Set(stub.calls.map((call) => call.body))).toEqual(new Set([JSON.stringify(body)]))
  expect(retries.map(({ status, attempt }) => [status, attempt])).toEqual([
    [null, 1],
    [503, 2],
    [409, 3],
    [429, 4],
    [null, 5],
    [502, 6],
  ])
})

test('each call has a key of its own, or the one that the caller gives', async () => {
  const vigencia = stub.client()
  await vigencia.inclusions.create(body)
  await vigencia.inclusions.create(body)
  await vigencia.inclusions.create(body, { idempotencyKey: 'mine' })
  await vigencia.requests.get('id')
  const keys = stub.calls.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(4)
  expect(keys.slice(2)).toEqual(['mine', undefined])
})

test('the wait is exponential with full jitter, at least Retry-After, and too long a Retry-After is an error', async () => {
  vi.restoreAllMocks()
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.01)
  const waits: number[] = []
  const vigencia = stub.client({ onRetry: ({ milliseconds }) => waits.push(milliseconds) })
  stub.replies.push(...Array.from({ length: 8 }, () => cut))
  await vigencia.requests.get('id')
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
  random.mockReturnValue(0)
  stub.replies.push(failure(429, 'rate-limited', { 'retry-after': '1' }))
  await vigencia.requests.get('id')
  expect(waits.at(-1)).toBe(1_000)
  stub.replies.push(failure(429, 'rate-limited', { 'retry-after': '3600' }))
  const error = await errorOf(vigencia.requests.get('id'))
  expect(error).toBeInstanceOf(TooManyRequestsError)
  expect(error).toMatchObject({ retryAfter: 3_600, code: 'rate-limited' })
})

test('after the last retry the error is thrown', async () => {
  stub.replies.push(...Array.from({ length: 3 }, () => failure(503, 'unavailable')))
  expect(await errorOf(stub.client({ maxRetries: 2 }).requests.get('id'))).toBeInstanceOf(ServiceUnavailableError)
  expect(stub.calls).toHaveLength(3)
})

test('a POST of the operator API may have been executed: it is not sent again, but for 429', async () => {
  const operator = operatorOf(stub.url)
  const decision = { status: 'completed' } as const
  for (const reply of [cut, failure(503, 'unavailable')]) {
    stub.replies.push(reply)
    expect(await errorOf(operator.enrollments.transition('id', decision))).toBeInstanceOf(VigenciaError)
  }
  expect(stub.calls).toHaveLength(2)
  stub.replies.push(failure(429, 'rate-limited'), json(200, { result: { id: 'id' } }))
  expect(await operator.enrollments.transition('id', decision)).toEqual({ id: 'id' })
  stub.replies.push(cut, json(200, { result: { id: 'id' } }))
  await operator.companies.put('7B4XK2M9000194', { name: 'A', products: [] })
  expect(stub.replies).toEqual([])
})

test('a DELETE whose response was lost has succeeded when the second says not found', async () => {
  const vigencia = stub.client()
  stub.replies.push(cut, failure(404, 'webhook-endpoint-not-found'))
  await vigencia.webhookEndpoints.delete('id')
  stub.replies.push(failure(404, 'webhook-endpoint-not-found'))
  expect(await errorOf(vigencia.webhookEndpoints.delete('id'))).toBeInstanceOf(NotFoundError)
})

test('an attempt without a response ends after the timeout and is sent again', async () => {
  stub.replies.push(silence, silence)
  const error = await errorOf(stub.client({ timeout: 30, maxRetries: 1 }).requests.get('id'))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(stub.calls).toHaveLength(2)
  stub.replies.push(silence)
  // Long enough for a reply of the stub on a busy machine.
  await stub.client().requests.get('id', { timeout: 2_000 })
  expect(stub.calls).toHaveLength(4)
})

test('a signal ends the call, the wait for a retry, and the reading of a stream; others that wait for the token go on', async () => {
  const vigencia = stub.client()
  const early = errorOf(vigencia.requests.get('id', { signal: AbortSignal.abort(new Error('early')) }))
  await vigencia.requests.get('id')
  expect(await early).toMatchObject({ message: 'early' })
  expect(stub.tokens).toBe(1)

  const inCall = new AbortController()
  stub.replies.push(silence)
  const called = errorOf(vigencia.requests.get('id', { signal: inCall.signal }))
  await until(
    async () => stub.calls.length,
    (count) => count === 2,
  )
  inCall.abort()
  expect(await called).toMatchObject({ name: 'AbortError' })

  const inPause = new AbortController()
  stub.replies.push(failure(503, 'unavailable', { 'retry-after': '100' }))
  const onRetry = () => inPause.abort(new Error('enough'))
  expect(await errorOf(stub.client({ onRetry }).requests.get('id', { signal: inPause.signal }))).toMatchObject({
    message: 'enough',
  })

  const inStream = new AbortController()
  stub.replies.push((response) => void response.writeHead(200).write('{"result":[{"id":"one"},'))
  const read = async () => {
    for await (const member of vigencia.members.stream({}, { signal: inStream.signal })) {
      expect(member).toEqual({ id: 'one' })
      inStream.abort(new Error('seen'))
    }
  }
  expect(await errorOf(read())).toBeInstanceOf(Error)
})

test('hooks are told operation, template of the path, status and times: no tax id, no query, no body', async () => {
  const seen: (CallInfo | ResponseInfo | RetryInfo)[] = []
  const note = (info: CallInfo) => void seen.push(info)
  const vigencia = stub.client({ onRequest: note, onResponse: note, onRetry: note })
  stub.replies.push(failure(503, 'unavailable', { 'x-request-id': 'trace-1' }), json(200, { 'request-id': 'x' }))
  const details = { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' } as const
  const exclusion = { 'exclusion-details': details }
  await vigencia.exclusions.ofDependent('52998224725', '11144477735', exclusion, { resolution: 'approve' })
  const path = '/v1/enrollment/exclusion/{member-tax-id}/dependent-of/{primary-member-tax-id}'
  const call = { operationId: 'excludeDependent', method: 'POST', path }
  const milliseconds = expect.any(Number) as number
  expect(seen.filter(({ operationId }) => operationId !== 'authenticate')).toEqual([
    { ...call, attempt: 1 },
    { ...call, attempt: 1, status: 503, milliseconds, requestTraceId: 'trace-1' },
    { ...call, attempt: 1, status: 503, milliseconds: 0 },
    { ...call, attempt: 2 },
    { ...call, attempt: 2, status: 200, milliseconds, requestTraceId: null },
  ])
  expect(JSON.stringify(seen)).not.toMatch(/52998224725|11144477735|approve|secret|token-/)
  expect(stub.calls[0]?.line).toContain('/52998224725/dependent-of/11144477735?resolution=approve')
})

test('each status has its class, with code, details, trace id and body', async () => {
  const classes: [number, typeof ApiError][] = [
    [400, BadRequestError],
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [410, GoneError],
    [413, PayloadTooLargeError],
    [415, UnsupportedMediaTypeError],
    [418, ApiError],
    [422, UnprocessableContentError],
    [429, TooManyRequestsError],
    [500, ServerError],
    [503, ServiceUnavailableError],
  ]
  const vigencia = stub.client({ maxRetries: 0 })
  const details = [{ field: 'members', code: 'too-few' }]
  for (const [status, Class] of classes) {
    stub.replies.push(failure(status, 'some-code', {}, { details, 'enrollment-ids': ['a'] }))
    const error = (await errorOf(vigencia.inclusions.create(body))) as ApiError
    expect(error.constructor).toBe(Class)
    expect(error.name).toBe(Class.name)
    expect(error).toMatchObject({ status, code: 'some-code', details, requestTraceId: 'trace' })
    expect(error.body['enrollment-ids']).toEqual(['a'])
    expect(error.message).toBe(`A sentence: members: too-few (${status}, some-code, request-trace-id trace)`)
  }
})

test('the message of an error names the first invalid fields, and says how many more there are', async () => {
  const vigencia = stub.client()
  const status = { field: 'status', code: 'invalid', message: 'Did you mean completed?', value: 'complete' }
  const type = { field: 'content-type', code: 'invalid', allowed: ['application/json', 'text/csv'] }
  const page = { field: 'page', code: 'unknown' }
  const messageOf = async (httpStatus: number, details?: unknown) => {
    stub.replies.push(failure(httpStatus, 'a-code', {}, { details }))
    return ((await errorOf(vigencia.requests.list({}))) as ApiError).message
  }
  const origin = (httpStatus: number) => `(${httpStatus}, a-code, request-trace-id trace)`
  expect(await messageOf(400, [status])).toBe(`A sentence: status: invalid (Did you mean completed?) ${origin(400)}`)
  expect(await messageOf(415, [type])).toBe(
    `A sentence: content-type: invalid (one of application/json, text/csv) ${origin(415)}`,
  )
  expect(await messageOf(400, [page, status, page, page, page])).toBe(
    `A sentence: page: unknown; status: invalid (Did you mean completed?); page: unknown; 2 more ${origin(400)}`,
  )
  for (const none of [[], 'none', undefined]) expect(await messageOf(404, none)).toBe(`A sentence ${origin(404)}`)
})

test('a rejected batch iterates over its members; the error shows none of their data', async () => {
  const members = [
    {
      index: 0,
      name: 'Helena Brandão',
      'tax-id': '529.982.247-25',
      offenses: ['invalid-tax-id'],
      'offense-details': [{ code: 'invalid-tax-id', field: 'tax-id', message: 'Send a CPF.' }],
    },
    {
      index: 7,
      name: 'Davi Brandão',
      'tax-id': '11144477735',
      offenses: ['invalid-gender', 'missing-name'],
      'offense-details': [
        {
          code: 'invalid-gender',
          field: 'gender',
          suggestion: 'female',
          message: 'Did you mean female?',
          allowed: ['male', 'female'],
        },
      ],
    },
  ]
  stub.replies.push(
    failure(400, 'invalid-members', {}, { result: members, help: '/docs/guides/reference/errors#invalid-members' }),
  )
  const error = (await errorOf(stub.client().inclusions.create(body))) as InvalidMembersError
  expect(error).toBeInstanceOf(InvalidMembersError)
  expect(error).toBeInstanceOf(BadRequestError)
  expect([...error]).toEqual(members)
  expect(error.help).toBe('/docs/guides/reference/errors#invalid-members')
  expect(error.members.map(({ index, offenses }) => [index, offenses])).toEqual([
    [0, ['invalid-tax-id']],
    [7, ['invalid-gender', 'missing-name']],
  ])
  for (const shown of [inspect(error, { depth: 9 }), JSON.stringify(error), error.message, error.stack]) {
    expect(shown).not.toMatch(/Brand|529|111444|mean female/)
  }
  expect(error.message).toBe(
    'A sentence: members[0].tax-id: invalid-tax-id (Send a CPF.); members[7].gender: invalid-gender (one of male, female) ' +
      '(400, invalid-members, request-trace-id trace)',
  )
})

test('what is no response of the service is an error that quotes nothing of it', async () => {
  const vigencia = stub.client({ maxRetries: 0 })
  stub.replies.push((response) => void response.writeHead(200).end('<p>Helena</p>'))
  const notJson = await errorOf(vigencia.requests.get('id'))
  expect(notJson).toBeInstanceOf(InvalidResponseError)
  stub.replies.push((_, request) => void request.socket.end('Helena Brandão, no HTTP\r\n\r\n'))
  const notHttp = await errorOf(vigencia.requests.get('id'))
  expect(notHttp).toBeInstanceOf(ConnectionError)
  stub.replies.push((response) => void response.writeHead(302, { location: '/elsewhere' }).end())
  const redirected = await errorOf(vigencia.requests.get('id'))
  expect(redirected).toBeInstanceOf(ConnectionError)
  stub.replies.push(json(200, {}))
  const empty = await errorOf(vigencia.members.get('id'))
  expect(empty).toBeInstanceOf(InvalidResponseError)
  for (const error of [notJson, notHttp, redirected, empty])
    expect(inspect(error, { depth: 9 })).not.toContain('Helena')
})

test('a service that is away is a ConnectionError with the code of the system, the method and the address', async () => {
  const { url } = stub
  await stub.close()
  const query = { resolution: 'approve' } as const
  const details = { 'end-date': '2026-12-01', 'exclusion-reason': 'dismissal' } as const
  const vigencia = stub.client({ maxRetries: 0, token: 'secret', clientId: undefined } as object)
  const call = vigencia.exclusions.byProduct('52998224725', 'id', { 'exclusion-details': details }, query)
  const error = await errorOf(call)
  stub = await openStub()
  expect(url).toMatch(/^http/)
  expect(error).toBeInstanceOf(ConnectionError)
  const path = '/v1/enrollment/exclusion/{member-tax-id}/product/{product-id}'
  expect(error).toMatchObject({
    code: 'ECONNREFUSED',
    name: 'ConnectionError',
    // Not the values of the path and the query.
    message: `The connection failed: POST ${url}${path} (ECONNREFUSED)`,
  })
})

test('a connection that breaks within a body is named too', async () => {
  stub.replies.push(cutAfter('{"result":'))
  expect(await errorOf(stub.client({ maxRetries: 0 }).companies.get('7B4XK2M9000194'))).toMatchObject({
    message: expect.stringContaining(`The connection failed: GET ${stub.url}/v1/company/{company-tax-id}`),
  })
})

test('an address that is none of a service is refused at once, one with a slash at its end is the same', async () => {
  const openAt = (url: string) => stub.client({ url })
  for (const path of ['/v1', '/v1/', '/behind-a-proxy/v1']) {
    expect(() => openAt(stub.url + path)).toThrow(new TypeError('url is the address of the service, without /v1'))
  }
  expect(() => openAt('localhost:3000')).toThrow(new TypeError('url must begin with http:// or https://'))
  await openAt(`${stub.url}/`).requests.get('id')
  await openAt(`${stub.url}/base/`)
    .requests.get('id')
    .catch(() => {})
  expect(stub.calls.map(({ line }) => line)[0]).toBe('GET /v1/request/id')
})

test('a parameter of the path stays one: no other operation is called', async () => {
  const vigencia = stub.client()
  for (const id of ['', '.', '..']) await expect(vigencia.members.get(id)).rejects.toThrow('member-id is empty')
  stub.replies.push(json(200, { result: {} }))
  await vigencia.members.get('../company?x#y')
  expect(stub.calls.map(({ line }) => line)).toEqual(['GET /v1/member/..%2Fcompany%3Fx%23y'])
})

test('headers of the client and of the call are sent', async () => {
  const vigencia = stub.client({ headers: { 'accept-language': 'pt-BR' } })
  await vigencia.requests.get('id', { headers: { 'x-request-id': 'mine' } })
  expect(stub.calls[0]?.headers).toMatchObject({ 'accept-language': 'pt-BR', 'x-request-id': 'mine' })
})
