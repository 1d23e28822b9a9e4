import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordAccessedCompanies, responseSaver } from '../../http/idempotency/idempotency.ts'
import { limitExistenceDisclosure } from '../../http/limits/rate-limit.ts'
import { ApiError, invalidBody } from '../../platform/errors.ts'
import { auditDenial } from '../../members/audit-denial.ts'
import { type AlterationRequest, invalidAlterationData, readAlteration } from '../../domain/alteration-data.ts'
import { parseCpf } from '../../domain/tax-id.ts'
import { type App, callerOf, requestOrigin, type Context } from '../../http/context.ts'
import { looseBodyValidator } from '../../http/validation.ts'
import { errorAnswers, OneOf } from '../../http/schemas.ts'
import { alter, noActivePrimary, notAuthorized, notAuthorizedMessage } from './alter.ts'
import { readAlterationScope } from './queries.ts'
import { AlterationAnswer, AlterationBody } from './schema.ts'

/** `POST /v1/enrollment/alteration/{member-tax-id}`. Staging only. */
export async function alterationRoutes(app: App, context: Context): Promise<void> {
  app.route({
    method: 'POST',
    url: '/v1/enrollment/alteration/:memberTaxId',
    config: { api: 'partner', notEntitled: notAuthorizedMessage },
    validatorCompiler: looseBodyValidator,
    onRequest: async () => {
      if (context.config.environment === 'production') {
        throw new ApiError(404, 'Alteration is only available in staging')
      }
    },
    schema: {
      operationId: 'alterMember',
      tags: ['movements'],
      summary: 'Alter a member: plan, company, registration data',
      description:
        'Staging only. A change of plan or of company and corrections of registration data, alone or together. Each benefit ' +
        'that moves becomes an enrollment under the new product’s name; registration data one for every other active ' +
        'benefit, because each carrier must hear. Nothing changes before an enrollment completes; rejecting leaves the ' +
        'member untouched. An open exclusion, plan or company change of a benefit that would move is refused with its ids.',
      params: Type.Object({
        memberTaxId: Type.String({ format: 'cpf', description: 'CPF, formatted or not.', examples: ['52998224725'] }),
      }),
      querystring: Type.Object(
        {
          resolution: Type.Optional(
            OneOf(['approve', 'reject'], { description: 'Resolves the movement at once, to rehearse it alone.' }),
          ),
        },
        { additionalProperties: false },
      ),
      body: AlterationBody,
      response: { 200: AlterationAnswer, ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 503) },
    },
    handler: async (request) => {
      const reading = readAlteration(request.body, context.today())
      if (!reading.ok) throw invalidBody(reading.faults, reading.error)
      const asked = reading.request
      const place = await placeOf(context, request, parseCpf(request.params.memberTaxId) ?? '', asked)
      const requestId = await alter(context, {
        ...place,
        caller: callerOf(request),
        origin: requestOrigin(request),
        asked,
        resolution: request.query.resolution ?? null,
        keep: responseSaver(context.responseStore, request),
      })
      return { 'request-id': requestId }
    },
  })
}

interface Place {
  readonly companyId: string
  readonly memberId: string
  readonly destinationCompanyId: string
}

/** Whom and which companies the request means: the companies are judged before the person. */
async function placeOf(
  context: Context,
  request: FastifyRequest,
  taxId: string,
  asked: AlterationRequest,
): Promise<Place> {
  const { companyTaxId, companyId, newCompanyTaxId } = asked
  const caller = callerOf(request)
  const scope = await readAlterationScope(context.database, caller, { taxId, companyTaxId, companyId, newCompanyTaxId })
  const { byTaxId, byId, destinationId } = scope
  if (companyTaxId !== null && byTaxId === null) throw notAuthorized()
  if (companyId !== null && byId === null) throw notAuthorized()
  if (newCompanyTaxId !== null && destinationId === null) throw notAuthorized()
  if (byTaxId !== null && byId !== null && byTaxId !== byId) {
    throw invalidBody([{ field: 'alteration-data.company-id', code: 'not-company-tax-id' }], invalidAlterationData)
  }
  const named = byTaxId ?? byId
  const homes = scope.homes.filter((home) => named === null || home.companyId === named)
  if (homes.length === 0) {
    await limitExistenceDisclosure(context.rateLimits, caller)
    await auditDenial(context.database, caller, requestOrigin(request), 'alteration')
    throw named === null && scope.known ? notAuthorized() : new ApiError(404, 'Member not found')
  }
  recordAccessedCompanies(request, [
    ...homes.map((home) => home.companyId),
    ...(destinationId === null ? [] : [destinationId]),
  ])
  const inForce = homes.filter((home) => home.inForce)
  if (inForce.length > 1) {
    throw new ApiError(409, 'More than one company found for this member; send company-tax-id')
  }
  const [home] = inForce
  if (home === undefined) throw noActivePrimary()
  const { companyId: at, memberId } = home
  return { companyId: at, memberId, destinationCompanyId: destinationId ?? at }
}
