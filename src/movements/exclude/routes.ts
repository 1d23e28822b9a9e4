import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordAccessedCompanies, responseSaver } from '../../http/idempotency/idempotency.ts'
import { limitExistenceDisclosure } from '../../http/limits/rate-limit.ts'
import { ApiError, invalidBody } from '../../platform/errors.ts'
import { auditDenial } from '../../members/audit-denial.ts'
import { readMemberships } from '../../members/memberships-queries.ts'
import { type ExclusionDetails, type ExclusionTarget, readExclusionDetails } from '../../domain/exclusion.ts'
import { parseCpf } from '../../domain/tax-id.ts'
import { type App, callerOf, requestOrigin, type Context } from '../../http/context.ts'
import { looseBodyValidator } from '../../http/validation.ts'
import { errorAnswers, Uuid } from '../../http/schemas.ts'
import { refuseResolution, ResolutionQuery } from '../resolution-parameter.ts'
import { exclude, notAuthorizedMessage } from './exclude.ts'
import { ExclusionAnswer, ExclusionBody } from './schema.ts'

const Cpf = Type.String({ format: 'cpf', description: 'CPF, formatted or not.', examples: ['52998224725'] })

const conflicts =
  'Ongoing enrollments are refused with their ids before anything else is looked for, ambiguity with the ids of the benefits; ' +
  'nothing is excluded then. '

/** The three exclusions. */
export async function exclusionRoutes(app: App, context: Context): Promise<void> {
  const shared = {
    method: 'POST',
    config: { api: 'partner', notEntitled: notAuthorizedMessage },
    onRequest: refuseResolution(context),
    validatorCompiler: looseBodyValidator,
  } as const
  const answers = { 200: ExclusionAnswer, ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 503) }

  app.route({
    ...shared,
    url: '/v1/enrollment/exclusion/:memberTaxId/dependent-of/:primaryMemberTaxId',
    schema: {
      operationId: 'excludeDependent',
      tags: ['movements'],
      summary: 'Exclude the benefits that a member has as a dependent of a primary',
      description: `${conflicts}Benefits in several companies are ambiguous.`,
      params: Type.Object({ memberTaxId: Cpf, primaryMemberTaxId: Cpf }),
      querystring: ResolutionQuery,
      body: ExclusionBody,
      response: answers,
    },
    handler: async (request) => {
      const primaryTaxId = parseCpf(request.params.primaryMemberTaxId) ?? ''
      return run(context, request, request.params.memberTaxId, { by: 'primary', primaryTaxId })
    },
  })

  app.route({
    ...shared,
    url: '/v1/enrollment/exclusion/:memberTaxId/product/:productId',
    schema: {
      operationId: 'excludeByProduct',
      tags: ['movements'],
      summary: "Exclude a member's active benefit of a product",
      description: `${conflicts}A primary's dependents in the product go along, each under its own CPF.`,
      params: Type.Object({ memberTaxId: Cpf, productId: Uuid }),
      querystring: ResolutionQuery,
      body: ExclusionBody,
      response: answers,
    },
    handler: async (request) =>
      run(context, request, request.params.memberTaxId, {
        by: 'product',
        productId: request.params.productId.toLowerCase(),
      }),
  })

  app.route({
    ...shared,
    url: '/v1/enrollment/exclusion/:memberTaxId/benefit/:benefitId',
    schema: {
      operationId: 'excludeByBenefit',
      tags: ['movements'],
      summary: 'Exclude one active benefit of a member',
      description: `${conflicts}A primary's dependents in the product go along, each under its own CPF.`,
      params: Type.Object({ memberTaxId: Cpf, benefitId: Uuid }),
      querystring: ResolutionQuery,
      body: ExclusionBody,
      response: answers,
    },
    handler: async (request) =>
      run(context, request, request.params.memberTaxId, {
        by: 'benefit',
        benefitId: request.params.benefitId.toLowerCase(),
      }),
  })
}

async function run(
  context: Context,
  request: FastifyRequest<{ Body: unknown; Querystring: { resolution?: 'approve' | 'reject' } }>,
  memberTaxId: string,
  target: ExclusionTarget,
): Promise<{ 'request-id': string }> {
  const details = readDetails(request.body)
  const caller = callerOf(request)
  const taxId = parseCpf(memberTaxId) ?? ''
  const { known, homes } = await readMemberships(context.database, caller, taxId)
  if (homes.length === 0) {
    await limitExistenceDisclosure(context.rateLimits, caller)
    await auditDenial(context.database, caller, requestOrigin(request), 'exclusion')
    if (!known) throw new ApiError(404, 'Member not found')
    throw new ApiError(403, notAuthorizedMessage)
  }
  recordAccessedCompanies(
    request,
    homes.map((home) => home.companyId),
  )
  const requestId = await exclude(context, {
    caller,
    origin: requestOrigin(request),
    homes,
    target,
    details,
    resolution: request.query.resolution ?? null,
    keep: responseSaver(context.responseStore, request),
  })
  return { 'request-id': requestId }
}

/** `exclusion-details` of the body. @throws ApiError 400 with the contract's messages. */
function readDetails(body: unknown): ExclusionDetails {
  const { 'exclusion-details': sent, ...others } = body as Record<string, unknown>
  const unknown = Object.keys(others).map((field) => ({ field: field.slice(0, 100), code: 'unknown' }))
  if (unknown.length > 0) throw invalidBody(unknown)
  const reading = readExclusionDetails(sent)
  if (!reading.ok) throw invalidBody(reading.faults, reading.error)
  return reading.details
}
