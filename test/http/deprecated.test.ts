import { expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { type Deprecation, deprecations } from '../../src/http/deprecations.ts'
import { openLog } from '../../src/platform/log.ts'
import { buildServer } from '../../src/app/server.ts'
import type { Context } from '../../src/http/context.ts'

// Nothing here gets as far as the database.
const context = { config: readConfig({}), log: openLog('silent'), tracing: null } as Context

const entry: Deprecation = {
  operation: 'listMembers',
  since: '2027-01-01',
  sunset: '2028-01-01',
  link: 'https://benefits.example/docs/versions',
}

test('a deprecated operation says so in every answer, refusals included, and no other does', async () => {
  const app = await buildServer(context, [entry])
  try {
    const refused = await app.inject('/v1/member')
    expect(refused.statusCode).toBe(401)
    expect(refused.headers).toMatchObject({
      // Structured date of RFC 9745, HTTP date of RFC 8594.
      deprecation: '@1798761600',
      sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
      link: '<https://benefits.example/docs/versions>; rel="deprecation"; type="text/html", <https://benefits.example/docs/versions>; rel="sunset"; type="text/html"',
    })
    const other = await app.inject('/v1/benefit')
    expect(Object.keys(other.headers)).not.toContain('deprecation')
    expect(Object.keys(other.headers)).not.toContain('sunset')
    const { paths } = app.swagger() as unknown as { paths: Record<string, Record<string, Record<string, unknown>>> }
    expect(paths['/v1/member']?.['get']).toMatchObject({ deprecated: true, 'x-sunset': '2028-01-01' })
    const marked = Object.values(paths).flatMap((item) =>
      Object.values(item).filter((one) => one['deprecated'] === true),
    )
    expect(marked).toHaveLength(1)
  } finally {
    await app.close()
  }
})

test.each([
  ['less than 12 months’ notice', { ...entry, sunset: '2027-12-31' }, '12 months or more'],
  ['an operation that does not exist', { ...entry, operation: 'listNothing' }, 'do not exist: listNothing'],
])('%s is refused at start', async (_what, wrong, message) => {
  await expect(buildServer(context, [wrong])).rejects.toThrow(message)
})

test('nothing is deprecated today', () => {
  expect(deprecations).toEqual([])
})
