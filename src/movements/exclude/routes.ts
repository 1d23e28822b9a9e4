import { parsedJson } from '#platform/http/bodies.ts'
import { route } from '#platform/http/route.ts'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { CompanyPath } from '#platform/http/filters.ts'
import { type ExclusionRequest, parseExclusion } from '#coverage/rules/exclusion-details.ts'
import type { ExclusionTarget } from '../rules/exclusion.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { limitExistenceDisclosure } from '#platform/http/limits/rate-limit.ts'
import type { DeclaredError } from '#platform/http/error-examples.ts'
import { CpfParameter, errorResponses, Uuid } from '#platform/http/schemas.ts'
import { auditDenial } from '#coverage/members/audit-denial.ts'
import { readMemberships } from '#coverage/members/queries.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { judgedOf } from '../accepted.ts'
import { MovementQuery, refuseResolution, refuseSandbox } from '../resolution-parameter.ts'
import { exclude, notAuthorizedMessage, notFoundMessages } from './exclude.ts'
import { ExclusionBody, ExclusionResponse } from './schema.ts'

const conflicts =
  'An open exclusion, plan change or company change of a selected benefit is refused with its id, ambiguous benefits with their ids; ' +
  'then nothing is excluded. '
const cascade = "A primary's dependents in the product are excluded too, each under its own CPF. "
const judgedOnly = 'With `dry-run=true` it is only judged: nothing is stored.'

/** The exclusions of one person. */
export async function exclusionRoutes(app: App, context: Context): Promise<void> {
  const common = {
    method: 'POST',
    api: 'partner',
    movement: 'exclusion',
    before: refuseResolution(context),
    body: parsedJson(ExclusionBody, parseExclusion),
  } as const
  const responses = (by: ExclusionTarget['by'], ...ambiguous: DeclaredError[]) => ({
    200: ExclusionResponse,
    ...errorResponses(
      'invalid-exclusion-details',
      'exclusion-reason-details-required',
      'extension-plan-not-available',
      ['not-entitled', by === 'company' ? notEntitled('company').message : notAuthorizedMessage],
      'member-not-found',
      ['no-active-benefit', notFoundMessages[by]],
      'ongoing-enrollments',
      ...ambiguous,
    ),
  })
  const schema = {
    tags: ['movements'],
    querystring: MovementQuery,
  }

  route(app, {
    ...common,
    notEntitled: notAuthorizedMessage,
    url: '/v1/enrollment/exclusion/:memberTaxId/dependent-of/:primaryMemberTaxId',
    schema: {
      ...schema,
      operationId: 'excludeDependent',
      'x-sdk': 'exclusions.ofDependent',
      summary: 'Exclude the benefits that a member has as a dependent of a primary',
      description:
        'Any open enrollment of the member in that company, but a correction of registration data, is refused with its id; benefits in ' +
        `several companies are ambiguous and refused with their ids. Then nothing is excluded. ${judgedOnly}`,
      params: Type.Object({ memberTaxId: CpfParameter, primaryMemberTaxId: CpfParameter }),
      response: responses('primary', 'ambiguous-company'),
    },
    handler: async (request) => {
      const primaryTaxId = parseCpf(request.params.primaryMemberTaxId) ?? ''
      return run(context, request, request.params.memberTaxId, { by: 'primary', primaryTaxId })
    },
  })

  route(app, {
    ...common,
    notEntitled: notAuthorizedMessage,
    url: '/v1/enrollment/exclusion/:memberTaxId/product/:productId',
    schema: {
      ...schema,
      operationId: 'excludeByProduct',
      'x-sdk': 'exclusions.byProduct',
      summary: "Exclude a member's active benefit of a product",
      description: `${conflicts}${cascade}${judgedOnly}`,
      params: Type.Object({ memberTaxId: CpfParameter, productId: Uuid }),
      response: responses('product', 'ambiguous-product'),
    },
    handler: async (request) => {
      const { memberTaxId, productId } = request.params
      return run(context, request, memberTaxId, { by: 'product', productId })
    },
  })

  route(app, {
    ...common,
    notEntitled: notAuthorizedMessage,
    url: '/v1/enrollment/exclusion/:memberTaxId/benefit/:benefitId',
    schema: {
      ...schema,
      operationId: 'excludeByBenefit',
      'x-sdk': 'exclusions.byBenefit',
      summary: 'Exclude one active benefit of a member',
      description: `${conflicts}${cascade}${judgedOnly}`,
      params: Type.Object({ memberTaxId: CpfParameter, benefitId: Uuid }),
      response: responses('benefit'),
    },
    handler: async (request) => {
      const { memberTaxId, benefitId } = request.params
      return run(context, request, memberTaxId, { by: 'benefit', benefitId })
    },
  })

  route(app, {
    ...common,
    notEntitled: notAuthorizedMessage,
    api: 'partner',
    url: '/v1/enrollment/exclusion/:memberTaxId/company/:companyTaxId',
    schema: {
      ...schema,
      operationId: 'excludeFromCompany',
      'x-sdk': 'exclusions.fromCompany',
      summary: 'Exclude everything that a member has in a company',
      description:
        `Every active benefit there, as a primary and as a dependent, in one request. ${conflicts}${cascade}Where a product is held in ` +
        `both roles, the part of the dependent stands under \`<product name> (dependent)\` in \`status-by-tax-id\`. ${judgedOnly}`,
      params: Type.Object({ memberTaxId: CpfParameter, ...CompanyPath.properties }),
      response: responses('company'),
    },
    handler: async (request) => {
      const companyTaxId = request.params.companyTaxId
      return run(context, request, request.params.memberTaxId, { by: 'company' }, companyTaxId)
    },
  })
}

async function run(
  context: Context,
  request: FastifyRequest<{ Body: ExclusionRequest; Querystring: Static<typeof MovementQuery> }>,
  memberTaxId: string,
  target: ExclusionTarget,
  companyTaxId: string | null = null,
): Promise<Static<typeof ExclusionResponse>> {
  const { resolution = null, 'dry-run': isDryRun = false } = request.query
  if (request.body.sandbox !== null) refuseSandbox(context)
  const caller = callerOf(request)
  const taxId = parseCpf(memberTaxId) ?? ''
  const { known, memberships, companyId } = await readMemberships(context.database, caller, taxId, companyTaxId)
  if (companyTaxId !== null && companyId === null) throw notEntitled('company')
  if (memberships.length === 0) {
    await limitExistenceDisclosure(context.rateLimits, caller)
    await auditDenial(context.database, caller, 'exclusion')
    if (!known) throw new ApiError('member-not-found')
    throw new ApiError('not-entitled', {}, { message: notAuthorizedMessage })
  }
  const selected = memberships.filter((membership) => companyTaxId === null || membership.companyId === companyId)
  request.accessedCompanyIds =
    selected.length === 0 && companyId !== null ? [companyId] : selected.map((membership) => membership.companyId)
  if (selected.length === 0) throw new ApiError('no-active-benefit', {}, { message: notFoundMessages[target.by] })
  const excluded = await exclude(context, caller, {
    memberships: selected,
    target,
    ...request.body,
    resolution,
    isDryRun,
    saveResponse: request.saveResponse,
  })
  return isDryRun ? judgedOf(excluded) : excluded
}
