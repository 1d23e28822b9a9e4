import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isPermitted, type Permission } from '../../console/src/session/permissions.ts'
import { areas } from '../../console/src/shell/areas.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const roles = ['admin', 'analyst', 'finance', 'auditor'] as const

/** The areas of each role, by the addresses of their pages. */
const pages = {
  admin: areas.map(({ to }) => to),
  analyst: [
    '/queue',
    '/overview',
    '/requests',
    '/members',
    '/companies',
    '/imports',
    '/operators',
    '/webhooks',
  ] as string[],
  finance: ['/companies', '/invoices'] as string[],
  auditor: areas.map(({ to }) => to),
}

const someId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

/** The operations of the service by the permission of the console that they belong to. */
const operationsOf: Record<Permission, readonly string[]> = {
  'queue.read': [
    'listEnrollmentQueue',
    'exportEnrollmentQueue',
    'countEnrollments',
    'readMovement',
    'listEnrollmentNotes',
    'listEnrollmentDocuments',
    'readEnrollmentDocument',
    'listAllRequests',
    'readAnyRequest',
  ],
  'queue.write': ['assignEnrollment', 'addEnrollmentNote', 'moveEnrollment', 'moveEnrollments', 'decideEnrollments'],
  'members.read': ['searchMembers', 'readAnyMember', 'listAllBenefits'],
  'members.write': ['discloseMember', 'endBenefit'],
  'companies.read': ['searchCompanies', 'readAnyCompany', 'listCarriers'],
  'companies.write': ['putCompany'],
  'clients.read': ['listClients'],
  'clients.write': [
    'createClient',
    'revokeClient',
    'rotateClientSecret',
    'endFormerClientSecret',
    'grantCompany',
    'revokeCompany',
  ],
  'operators.read': ['listOperators'],
  'operators.write': [
    'createOperator',
    'removeOperator',
    'rotateOperatorSecret',
    'endFormerOperatorSecret',
    'changeOperatorRole',
  ],
  'invoices.read': ['listAllInvoices', 'readAnyInvoice'],
  'invoices.write': ['putInvoice', 'deleteInvoice', 'markInvoiceFile', 'deleteInvoiceFile', 'putInvoiceFile'],
  'imports.read': ['listImports', 'readImport', 'listImportErrors', 'readImportTemplate'],
  'imports.write': ['importMembers'],
  'webhooks.read': [
    'listAllWebhookEndpoints',
    'readAnyWebhookEndpoint',
    'listAllWebhookDeliveries',
    'readAnyWebhookEvent',
  ],
  'webhooks.write': ['redeliverAnyWebhookEvent'],
  'audit.read': ['listAudit', 'verifyAuditChain'],
  'statistics.read': ['readStatistics'],
}
/** Of every operator: their own sessions. */
const ofAll = ['createSession', 'readSession', 'endSession', 'readSignInOptions', 'endOperatorSessions']

interface Operation {
  readonly operationId: string
}
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/operator/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method, path })),
  )

test('the console permits to each role just what the service permits', async () => {
  const permissionOf = new Map(
    Object.entries(operationsOf).flatMap(([permission, ids]) => ids.map((id) => [id, permission as Permission])),
  )
  // A new operation needs its permission here.
  expect([...permissionOf.keys(), ...ofAll].toSorted()).toEqual(operations.map((one) => one.operationId).toSorted())
  for (const role of roles) {
    const { token } = await testApp.operatorOf(role)
    for (const { operationId, method, path } of operations) {
      const permission = permissionOf.get(operationId)
      if (permission === undefined) continue
      const address = path.replaceAll('{company-tax-id}', '12ABC34501DE35').replaceAll(/\{[a-z-]+\}/g, someId)
      const { status } = await testApp.call(method.toUpperCase(), address, { token })
      const isPermittedByService = status !== 403
      expect({ role, operationId, isPermittedByService }).toEqual({
        role,
        operationId,
        isPermittedByService: isPermitted(role, permission),
      })
    }
  }
})

describe.each(roles)('%s', (role) => {
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
    const links = await navigation.all()
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual(
      pages[role].map((to) => `/console${to}`),
    )
    const heading = page.locator('main h1')
    const forbidden = page.getByRole('heading', { name: 'Sem permissão' })
    for (const to of pages[role]) {
      await navigation.and(page.locator(`[href="/console${to}"]`)).click()
      await page.waitForURL((url) => url.pathname === `/console${to}`)
      await heading.waitFor()
      await page.waitForLoadState('networkidle')
      expect(await forbidden.count(), to).toBe(0)
    }
    const others = areas.filter(({ to }) => !pages[role].includes(to))
    for (const { to } of others) {
      for (const path of [to, `${to}/${someId}`]) {
        called.length = 0
        await watched.goto(path)
        // Areas without pages of objects have no such address.
        await forbidden.or(page.getByRole('heading', { name: 'Não encontrado' })).waitFor()
        await page.waitForLoadState('networkidle')
        expect([...new Set(called)], path).toEqual(['/operator/v1/session'])
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
