import { route } from '#platform/http/route.ts'
import { parsedJson } from '#platform/http/bodies.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type AlterationRequest, parseAlteration } from '../rules/alteration-data.ts'
import { RESOLUTIONS } from '#kernel/enums.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { limitExistenceDisclosure } from '#platform/http/limits/rate-limit.ts'
import { CpfParameter, errorResponses, OneOf } from '#platform/http/schemas.ts'
import { judgedOf } from '../accepted.ts'
import { MovementQuery } from '../resolution-parameter.ts'
import { auditDenial } from '#coverage/members/audit-denial.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { alter, noActivePrimary, notAuthorized, notAuthorizedMessage, ongoingMessage } from './alter.ts'
import { type AlterationSubject, readAlterationScope } from './queries.ts'
import { AlterationBody, AlterationResponse } from './schema.ts'

const severalCompaniesMessage = 'More than one company found for this member; send company-tax-id'

/** `POST /v1/enrollment/alteration/{member-tax-id}`. Staging only. */
export async function alterationRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/v1/enrollment/alteration/:memberTaxId',
    api: 'partner',
    notEntitled: notAuthorizedMessage,
    movement: 'alteration',
    before: refuseInProduction(context),
    schema: {
      operationId: 'alterMember',
      'x-sdk': 'alterations.ofMember',
      tags: ['movements'],
      summary: 'Alter a member: plan, company, registration data',
      description:
        'Staging only. A change of plan or of company and corrections of registration data, alone or together. Each benefit ' +
        'that is transferred becomes an enrollment under the new product’s name; registration data one for every other active ' +
        'benefit, because each carrier must be informed. Nothing changes before an enrollment completes; rejecting leaves the ' +
        'member untouched. An open exclusion, plan or company change of a benefit that would be transferred is refused with its ids. ' +
        'With `dry-run=true` it is only judged: nothing is stored.',
      params: Type.Object({ memberTaxId: CpfParameter }),
      querystring: Type.Object(
        {
          ...MovementQuery.properties,
          resolution: Type.Optional(OneOf(RESOLUTIONS, { description: 'Resolves the movement at once.' })),
        },
        { additionalProperties: false },
      ),
      response: {
        200: AlterationResponse,
        ...errorResponses(
          'invalid-alteration-data',
          ['not-entitled', notAuthorizedMessage],
          'member-not-found',
          'no-active-primary-benefit',
          'staging-only',
          ['ongoing-enrollments', ongoingMessage],
          ['ambiguous-company', severalCompaniesMessage],
        ),
      },
    },
    body: parsedJson(AlterationBody, (body) => parseAlteration(body, context.today())),
    handler: async (request) => {
      const alteration = request.body
      const subject = await subjectOf(context, request, parseCpf(request.params.memberTaxId) ?? '', alteration)
      const { resolution = null, 'dry-run': isDryRun = false } = request.query
      const altered = await alter(context, callerOf(request), {
        ...subject,
        request: alteration,
        resolution,
        isDryRun,
        saveResponse: request.saveResponse,
      })
      return isDryRun ? judgedOf(altered) : altered
    },
  })
}

/** A hook that answers 404 in production. */
export function refuseInProduction(context: Context) {
  return async (): Promise<void> => {
    if (context.config.environment === 'production') throw new ApiError('staging-only')
  }
}

/** The member and the companies that the request names. The companies are checked before the member. */
async function subjectOf(
  context: Context,
  request: FastifyRequest,
  taxId: string,
  alteration: AlterationRequest,
): Promise<AlterationSubject> {
  const { companyTaxId, companyId, newCompanyTaxId } = alteration
  const caller = callerOf(request)
  const scope = await readAlterationScope(context.database, caller, taxId, alteration)
  const { byTaxId, byId, destinationId } = scope
  if (companyTaxId !== null && byTaxId === null) throw notAuthorized()
  if (companyId !== null && byId === null) throw notAuthorized()
  if (newCompanyTaxId !== null && destinationId === null) throw notAuthorized()
  if (byTaxId !== null && byId !== null && byTaxId !== byId) {
    throw invalidBody([{ field: 'alteration-data.company-id', code: 'not-company-tax-id' }], 'invalid-alteration-data')
  }
  const requestedId = byTaxId ?? byId
  const memberships = scope.memberships.filter(({ companyId }) => requestedId === null || companyId === requestedId)
  if (memberships.length === 0) {
    await limitExistenceDisclosure(context.rateLimits, caller)
    await auditDenial(context.database, caller, 'alteration')
    throw requestedId === null && scope.known ? notAuthorized() : new ApiError('member-not-found')
  }
  request.accessedCompanyIds = [
    ...memberships.map((membership) => membership.companyId),
    ...(destinationId === null ? [] : [destinationId]),
  ]
  const withBenefits = memberships.filter(({ inForce }) => inForce)
  if (withBenefits.length > 1) {
    throw new ApiError('ambiguous-company', {}, { message: severalCompaniesMessage })
  }
  const [membership] = withBenefits
  if (membership === undefined) throw noActivePrimary()
  return { ...membership, destinationCompanyId: destinationId ?? membership.companyId }
}
