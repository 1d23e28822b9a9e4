import { beforeAll, describe, expect, test } from 'vitest'
import { openapiText } from '../../../generate/openapi.ts'
import { type ApiResponse, type Client, useTestApp } from '../../world/test-app.ts'

/*
 * Every operation of openapi.json, called with parameters that none takes. Bodies are malformed: parameters are judged before them.
 */

interface Parameter {
  readonly in: string
  readonly name: string
  readonly schema: { readonly maximum?: number }
}

interface Operation {
  readonly operationId: string
  readonly security?: Record<string, unknown>[]
  readonly parameters?: Parameter[]
  readonly requestBody?: { content: Record<string, unknown> }
  readonly responses: Record<string, unknown>
}

const { paths } = JSON.parse(await openapiText()) as { paths: Record<string, Record<string, Operation>> }
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)
type Call = (typeof operations)[number]

/** An upload address with additions is a forged one; it says so before it looks at anything else. */
const isUpload = ({ path }: Call) => path.startsWith('/upload/')

const testApp = useTestApp()
let partner: Client
beforeAll(async () => {
  partner = await testApp.partner((await testApp.company()).taxId)
})
const samples: Record<string, string> = {
  'company-tax-id': '12ABC34501DE35',
  'member-tax-id': '52998224725',
  'primary-member-tax-id': '52998224725',
  position: '1',
  requirement: '1',
  'line-number': '1',
}

/** The call with well-formed path parameters, but for one. */
async function send(call: Call, query: string, badPath: Record<string, string> = {}): Promise<ApiResponse> {
  const path = call.path.replaceAll(
    /\{([\w-]+)\}/g,
    (_all, name: string) => badPath[name] ?? samples[name] ?? '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  )
  const [api] = Object.keys(call.security?.[0] ?? {})
  const token = api === 'operator' ? testApp.operator.token : api === 'partner' ? partner.token : null
  const [type] = Object.keys(call.requestBody?.content ?? {})
  const hasBody = call.method === 'PUT' || call.method === 'POST'
  return testApp.call(call.method, `${path}${query}`, {
    token,
    ...(hasBody ? { body: '{"malformed', headers: { 'content-type': type ?? 'application/json' } } : {}),
  })
}

const namesOf = (call: Call) => (call.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)

function expectRefused(call: Call, response: ApiResponse, field: string, code: string): void {
  const { status, body } = response
  if (isUpload(call)) {
    expect([status, body.error, body.code]).toEqual([404, 'Upload address not found', 'upload-address-not-found'])
  } else if (call.operationId === 'advanceDemoClock') {
    // The tests run no demo.
    expect([status, body.code]).toEqual([404, 'clock-staging-only'])
  } else if (code === 'unknown') {
    const allowed = namesOf(call)
    const message =
      allowed.length === 0 ? 'This operation takes no query parameters.' : `Send one of: ${allowed.join(', ')}.`
    expect([status, body.error, body.code]).toEqual([400, 'Invalid parameter', 'unknown-parameter'])
    expect(body.details).toEqual([{ field, code, message, allowed }])
  } else {
    expect([status, body.error, body.code]).toEqual([400, 'Invalid parameter', 'invalid-parameter'])
    expect(body.details).toEqual([{ field, code }])
  }
  expect(response.body['request-trace-id']).toBe(response.headers.get('x-request-id'))
  expect(Object.keys(call.responses)).toContain(String(response.status))
}

const parametersOf = (where: string) =>
  operations.flatMap((call) =>
    (call.parameters ?? [])
      .filter((parameter) => parameter.in === where)
      .map(({ name, schema }) => ({ call, name, maximum: schema.maximum, title: `${call.operationId} ${name}` })),
  )

// What cannot be in a text: NUL, and half of a surrogate pair in UTF-8.
const bad = ['%00', 'a%00b', '%ED%A0%80', 'a%ED%B0%80']

describe('an unknown query parameter is refused', () => {
  test.for(operations)('$operationId', async (call) => {
    expectRefused(call, await send(call, '?no-such-parameter=1'), 'no-such-parameter', 'unknown')
  })
})

describe('a page that no list has is refused', () => {
  test.for(parametersOf('query').filter(({ name }) => /^(page|items-per-page)$/.test(name)))(
    '$title',
    async ({ call, name, maximum = 0 }) => {
      const twice = `1&${name}=2`
      for (const value of [
        '0',
        '-1',
        '1e2',
        '9007199254740992',
        '',
        twice,
        ...(maximum > 0 ? [String(maximum + 1)] : []),
      ]) {
        const { status, body } = await send(call, `?${name}=${value}`)
        expect([value, status, body.error]).toEqual([value, 400, 'Invalid parameter'])
        expect(body.details).toContainEqual(expect.objectContaining({ field: name }))
      }
    },
  )
})

describe('NUL and lone surrogates are refused in the query parameter', () => {
  test.for(parametersOf('query'))('$title', async ({ call, name }) => {
    for (const value of bad) expectRefused(call, await send(call, `?${name}=${value}`), name, 'invalid')
  })
})

describe('NUL and lone surrogates are refused in the path parameter', () => {
  test.for(parametersOf('path').filter(({ call }) => !isUpload(call)))('$title', async ({ call, name }) => {
    for (const value of bad) {
      const response = await send(call, '', { [name]: value })
      // A path that cannot be decoded is not split into parameters.
      const error = value.includes('%ED') ? 'Invalid path' : `Invalid ${name}`
      const code = error === 'Invalid path' ? 'invalid-path' : 'invalid-parameter'
      expect([response.status, response.body.error, response.body.code]).toEqual([400, error, code])
    }
  })
})

test('there are operations, and parameters of both kinds', () => {
  expect(operations.length).toBeGreaterThan(50)
  expect(parametersOf('query').length).toBeGreaterThan(50)
  expect(parametersOf('path').length).toBeGreaterThan(20)
})

test('a parameter whose name cannot be decoded is unknown', async () => {
  const response = await partner.get('/v1/member?%ED%A0%80=1')
  expect([response.status, response.body.details]).toMatchObject([400, [{ field: '\ufffd', code: 'unknown' }]])
})
