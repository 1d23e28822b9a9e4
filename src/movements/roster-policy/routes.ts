import { notEntitled } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { companyIdsOf, isEntitledToCompany, requireCompany } from '#registry/companies/queries.ts'
import type { RosterPolicy } from '../rules/roster-policy.ts'
import { putPolicy, readPolicy } from './queries.ts'
import { RosterPolicyBody, RosterPolicyResponse } from './schema.ts'

const url = '/operator/v1/company/:companyTaxId/roster-policy'
const what = 'A company without one of its own has the usual one: nothing is automatic.'

/** What may happen of the lists of a company without anybody. */
export async function rosterPolicyRoutes(app: App, context: Context): Promise<void> {
  readRoutes(app, context)
  route(app, {
    method: 'PUT',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'putRosterPolicy',
      'x-sdk': 'companies.putRosterPolicy',
      'x-cli': {
        command: 'roster policy set',
        file: true,
        examples: { 'roster policy set 12ABC34501DE35 policy.json': 'the file is the body' },
      },
      summary: 'Set what a company’s lists may do by themselves',
      description: 'For lists that are compared from now on, and the confirmations of all drafts.',
      params: CompanyPath,
      response: { 200: RosterPolicyResponse, ...errorResponses('company-not-found') },
    },
    body: json(RosterPolicyBody),
    handler: async (request, reply) => {
      const { companyTaxId } = request.params
      const policy = policyOf(request.body)
      await write(context, callerOf(request), { may: [] }, async (tx) => {
        const companyId = await requireCompany(tx, companyTaxId)
        await putPolicy(tx, companyId, policy)
        tx.audit({ action: 'roster-policy.replaced', target: companyId, companyId })
      })
      return reply.send(responseOf(companyTaxId, policy))
    },
  })
}

function readRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'readAnyRosterPolicy',
      'x-sdk': 'companies.rosterPolicy',
      'x-cli': { command: 'roster policy show' },
      summary: 'Read what a company’s lists may do by themselves',
      description: what,
      params: CompanyPath,
      response: { 200: RosterPolicyResponse, ...errorResponses('company-not-found') },
    },
    handler: async (request, reply) => {
      const { companyTaxId } = request.params
      const companyId = await requireCompany(database, companyTaxId)
      return reply.send(responseOf(companyTaxId, await readPolicy(database, companyId)))
    },
  })
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/roster-policy',
    api: 'partner',
    schema: {
      operationId: 'readRosterPolicy',
      'x-sdk': 'companies.rosterPolicy',
      'x-cli': {
        command: 'roster policy show',
        examples: { 'roster policy show 12ABC34501DE35': 'what its lists may do by themselves' },
      },
      tags: ['companies'],
      summary: 'Read what the company’s lists may do by themselves',
      description: what,
      params: CompanyPath,
      response: { 200: RosterPolicyResponse, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { companyTaxId } = request.params
      if (!(await isEntitledToCompany(database, callerOf(request), companyTaxId))) throw notEntitled('company')
      const companyId = (await companyIdsOf(database, [companyTaxId])).get(companyTaxId) ?? ''
      return reply.send(responseOf(companyTaxId, await readPolicy(database, companyId)))
    },
  })
}

const policyOf = (body: RosterPolicyBody): RosterPolicy => ({
  automatic: body.automatic,
  guardPeople: body['guard-people'],
  guardPercent: body['guard-percent'],
  minPresencePercent: body['min-presence-percent'],
})

const responseOf = (companyTaxId: string, policy: RosterPolicy) => ({
  result: {
    'company-tax-id': companyTaxId,
    automatic: [...policy.automatic],
    'guard-people': policy.guardPeople,
    'guard-percent': policy.guardPercent,
    'min-presence-percent': policy.minPresencePercent,
  },
})
