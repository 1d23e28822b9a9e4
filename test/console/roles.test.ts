import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isPermitted, type Permission } from '../../console/src/session/permissions.ts'
import { areas, entriesOf } from '../../console/src/shell/areas.ts'
import { isLong } from '../scale.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

/** Those of operators. */
const ofOperators = areas.filter(({ group }) => group !== 'company')

const roles = ['admin', 'analyst', 'finance', 'auditor'] as const

/** The areas of each role, by the addresses of their pages. */
const pages = {
  admin: ofOperators.map(({ to }) => to) as string[],
  analyst: [
    '/queue',
    '/drafts',
    '/rosters',
    '/movements/new',
    '/requests',
    '/imports',
    '/deadlines',
    '/overview',
    '/members',
    '/continuations',
    '/reconciliations',
    '/claims',
    '/closings',
    '/costs',
    '/forecasts',
    '/companies',
    '/carriers',
    '/requirements',
    '/webhooks',
    '/failed-steps',
    '/operators',
    '/settings',
  ] as string[],
  finance: [
    '/invoices',
    '/reconciliations',
    '/claims',
    '/closings',
    '/payroll',
    '/costs',
    '/forecasts',
    '/companies',
    '/carriers',
    '/requirements',
    '/failed-steps',
    '/settings',
  ] as string[],
  auditor: ofOperators
    .map(({ to }) => to)
    .filter((to) => to !== '/personal-data' && to !== '/movements/new') as string[],
}

const companyTaxId = '12ABC34501DE35'
const someId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

interface Operation {
  readonly operationId: Permission
  readonly 'x-roles'?: readonly string[]
  readonly parameters?: readonly { in: string; name: string; required?: boolean; example?: string }[]
  readonly requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
  }
}
/** With the query parameters that it requires. */
function addressOf({ parameters = [] }: Operation, path: string): string {
  const query = parameters.filter((one) => one.in === 'query' && one.required)
  const search = new URLSearchParams(
    Object.fromEntries(
      query.map(({ name, example = name === 'company-tax-id' ? companyTaxId : '' }) => [name, example]),
    ),
  )
  return `${path
    .replaceAll('{company-tax-id}', companyTaxId)
    .replaceAll('{position}', '1')
    .replaceAll('{line-number}', '1')
    .replaceAll('{requirement}', '1')
    .replaceAll(/\{[a-z-]+\}/g, someId)}?${search.toString()}`
}

/** Its body is judged before the role: the first example of the document. */
function bodyOf({ requestBody }: Operation): { body?: unknown; headers?: Record<string, string> } {
  const [[type, { example, examples }] = ['', {}]] = Object.entries(requestBody?.content ?? {})
  if (type === '') return {}
  return { body: example ?? Object.values(examples ?? {})[0]?.value ?? 'x', headers: { 'content-type': type } }
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/operator/v1/'))
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })))

test('the console permits to each role just what the service permits', async () => {
  const withoutRoles = operations.filter((one) => one['x-roles'] === undefined).map(({ operationId }) => operationId)
  expect(withoutRoles).toEqual([
    'createSession',
    'readSignInOptions',
    'readPasskeyOptions',
    'createSessionByPasskey',
    'readPersonLink',
    'setPassword',
    'readBrand',
    'readLogo',
  ])
  // An admin alone ends the sessions of other operators: the role is not all that decides.
  const judged = operations.filter(({ operationId }) => ![...withoutRoles, 'endOperatorSessions'].includes(operationId))
  expect(judged.length).toBeGreaterThan(50)
  for (const role of roles) {
    const { token } = await testApp.operatorOf(role)
    for (const operation of judged) {
      const { operationId, method, path } = operation
      const address = addressOf(operation, path)
      const { status } = await testApp.call(method.toUpperCase(), address, { token, ...bodyOf(operation) })
      const isPermittedByService = status !== 403
      expect({ role, operationId, isPermittedByService }).toEqual({
        role,
        operationId,
        isPermittedByService: isPermitted({ role }, operationId),
      })
    }
  }
})

// Finance sees the fewest areas. The other roles are tested in the long run.
const testedRoles: readonly (typeof roles)[number][] = isLong ? roles : ['finance']

describe.each(testedRoles)('%s', (role) => {
  test('sees its areas, and of the others that it may not', async () => {
    const watched = await open('/companies', { role })
    const { page, problems } = watched
    const refused: string[] = []
    const called: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (!pathname.startsWith('/operator/')) return
      called.push(pathname)
      if (response.status() >= 400) refused.push(`${response.status()} ${pathname}`)
    })
    const navigation = page.getByRole('navigation', { name: 'Áreas' }).getByRole('link')
    const entries = entriesOf({ role })
    const paths = async () => Promise.all((await navigation.all()).map((link) => link.getAttribute('href')))
    await expect.poll(paths).toEqual(entries.map(([first]) => `/console${first.to}`))
    // Each area once: in the navigation, or as a tab of an entry; one is begun from the queue.
    expect(entries.flat().map(({ to }) => to as string)).toEqual(pages[role].filter((to) => to !== '/movements/new'))
    const tabs = page.getByRole('navigation', { name: 'Listas desta área' }).getByRole('link')
    const heading = page.locator('main h1')
    const forbidden = page.getByRole('heading', { name: 'Sem permissão' })
    for (const [first, to] of entries.flatMap((entry) => entry.map((area) => [entry[0].to, area.to] as const))) {
      if (to === first) await navigation.and(page.locator(`[href="/console${to}"]`)).click()
      else await tabs.and(page.locator(`[href="/console${to}"]`)).click()
      await page.waitForURL((url) => url.pathname === `/console${to}`)
      await heading.waitFor()
      await page.waitForLoadState('networkidle')
      await expect.poll(async () => ({ to, count: await forbidden.count() })).toEqual({ to, count: 0 })
    }
    const others = areas.filter(({ to }) => !pages[role].includes(to))
    for (const { to } of others) {
      // Each load of the page takes a second of CPU.
      for (const path of isLong ? [to, `${to}/${someId}`] : [to]) {
        // What the page before still loads does not count.
        await page.goto(`${testApp.url}/healthz`)
        called.length = 0
        await page.goto(`${testApp.url}/console${path}`)
        // Areas without pages of objects have no such address.
        await forbidden.or(page.getByRole('heading', { name: 'Não encontrado' })).waitFor()
        await page.waitForLoadState('networkidle')
        // The frame calls for the session, the environment and the brand.
        const others = called.filter((one) => !/^\/operator\/v1\/(session(\/options)?|brand)$/.test(one))
        expect({ path, others }).toEqual({ path, others: [] })
      }
    }
    if (others.length > 0) {
      await watched.goto(others[0]?.to ?? '')
      await forbidden.waitFor()
      await watched.expectSound()
    }
    expect({ refused, problems }).toEqual({ refused: [], problems: [] })
  })
})
