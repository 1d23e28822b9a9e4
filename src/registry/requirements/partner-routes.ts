import { noSuchCompany } from '#platform/core/may-request.ts'
import { invalidParameter } from '#platform/core/errors.ts'
import type { RequirementSubject } from '../rules/requirement.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { twinRoutes } from '#platform/http/twins.ts'
import { readCallerRequirements } from './queries.ts'
import { requirementsOf } from './requirements-of.ts'
import { RequirementList, RequirementQuery } from './partner-schema.ts'

/** `GET /v1/requirement`: what a movement will be asked for, before it is sent. */
export async function requirementRoutes(app: App, context: Context): Promise<void> {
  const described = {
    'x-sdk': 'requirements.list',
    summary: 'List the documents that a movement needs',
  } as const
  const what =
    'The documents for a spouse, for a child, for an exclusion: what the carrier of the product wants, to send it with the movement. What the ' +
    'query leaves open is in `when`.'
  twinRoutes(app, {
    method: 'GET',
    path: '/requirement',
    schema: { querystring: RequirementQuery, response: { 200: RequirementList } },
    partner: {
      ...described,
      operationId: 'listRequirements',
      'x-cli': {
        command: 'requirement list',
        columns: { DOCUMENTS: 'any-of', OF: 'of', ENFORCEMENT: 'enforcement', MESSAGE: 'message' },
        examples: {
          'requirement list --company-tax-id 12ABC34501DE35 --product-id 01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e --movement inclusion --beneficiary-type dependent --dependent-type spouse':
            'the documents for a spouse',
        },
      },
      tags: ['movements'],
      description: `${what} The response for a company that the client may not access is that for an unknown CNPJ.`,
      errors: ['not-entitled'],
    },
    operator: {
      ...described,
      operationId: 'listRequirementsOfCompany',
      'x-cli': { command: 'requirement list' },
      description: what,
      errors: ['company-not-found'],
      roles: ['analyst', 'finance', 'auditor'],
    },
    handler: async (request, reply) => {
      const { query } = request
      const caller = callerOf(request)
      const asked = {
        companyTaxId: query['company-tax-id'],
        productId: query['product-id'],
        today: context.today(),
      }
      const found = await readCallerRequirements(context.database, caller, asked)
      if (!found.isEntitled) throw noSuchCompany(caller)
      if (found.product === null) throw invalidParameter([{ field: 'product-id', code: 'unknown' }])
      const isPrimary = query['beneficiary-type'] === 'primary'
      const subject: RequirementSubject = {
        ...found.product,
        movement: query.movement,
        beneficiaryType: query['beneficiary-type'] ?? (query['dependent-type'] === undefined ? undefined : 'dependent'),
        dependentType: query['dependent-type'] ?? (isPrimary ? null : undefined),
        workContractType: query['work-contract-type'],
        exclusionReason: query['exclusion-reason'] ?? (query.movement === 'exclusion' ? undefined : null),
        late: query.movement === 'inclusion' ? undefined : null,
      }
      return sendJson(reply, JSON.stringify({ result: requirementsOf(found.rules, subject) }))
    },
  })
}
