import { Type } from 'typebox'
import { invalidBody } from '#platform/core/errors.ts'
import { outOfRangeDates, outOfRangeDetails } from '#coverage/rules/completion-fields.ts'
import { reference as referenceType } from '#kernel/reference.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { AcceptedResponse } from '../accepted.ts'
import { ongoingMessage, type OperatorAlteration, requestAlteration } from './request.ts'
import { ContractTransferBody, SecondCardBody } from './schema.ts'

const MemberPath = Type.Object({ memberId: { ...Uuid, description: 'From a list of members or an enrollment.' } })

const outcome =
  ' The movement is an alteration with `alteration-kind`, in the queue and in the lists of the company’s partners, and is decided as every other. ' +
  'Completing it takes `card-number`.'

const errors = [
  'member-not-found',
  'no-active-benefit',
  'ambiguous-company',
  'ambiguous-product',
  ['ongoing-enrollments', ongoingMessage],
] as const

/** What operators request of the benefits of a person: a second copy of the card, and a transfer within the contract. */
export async function operatorAlterationRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/member/:memberId/second-card',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'requestSecondCard',
      'x-sdk': 'members.requestSecondCard',
      'x-cli': {
        command: 'member second-card',
        examples: {
          'member second-card 5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11 --benefit-id 01995e0c-7020-7d3f-9b11-5a6c7d8e9f01 --reason lost':
            'the carrier makes another card',
        },
      },
      summary: 'Request a second copy of a card',
      description: `Of one active benefit. 409 while another one is open.${outcome}`,
      params: MemberPath,
      response: { 200: AcceptedResponse, ...errorResponses(...errors) },
    },
    body: json(SecondCardBody),
    handler: async (request) => {
      const id = await requestAlteration(context, callerOf(request), {
        kind: 'second-card',
        memberId: request.params.memberId,
        ...secondCardOf(request.body),
        effectiveDate: null,
      })
      return { 'request-id': id }
    },
  })

  route(app, {
    method: 'POST',
    url: '/operator/v1/member/:memberId/contract-transfer',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'requestContractTransfer',
      'x-sdk': 'members.requestContractTransfer',
      'x-cli': {
        command: 'member contract-transfer',
        options: { 'benefit-ids': 'benefit-id' },
        examples: {
          'member contract-transfer 5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11 --start-date 2026-12-01 --sub-contract 002':
            'all benefits of the person as a primary',
        },
      },
      summary: 'Request a transfer within the contract',
      description:
        'To another sub-contract, employee id, cost center or job title, at least one of them, with the same products: another product is an ' +
        'ordinary alteration. Completing the first movement changes these data of the person. The carrier moves the dependents with the primary. ' +
        `409 while another one of a benefit is open.${outcome}`,
      params: MemberPath,
      response: { 200: AcceptedResponse, ...errorResponses('before-start-date', 'date-out-of-range', ...errors) },
    },
    body: json(ContractTransferBody),
    handler: async (request) => {
      const { body } = request
      const far = body.confirm === true ? [] : outOfRangeDates({ startDate: body['start-date'] }, context.today())
      if (far.length > 0) throw invalidBody(outOfRangeDetails(far), 'date-out-of-range')
      const id = await requestAlteration(context, callerOf(request), {
        kind: 'contract-transfer',
        memberId: request.params.memberId,
        ...contractTransferOf(body),
        effectiveDate: body['start-date'],
      })
      return { 'request-id': id }
    },
  })
}

type Parsed = Pick<OperatorAlteration, 'selection' | 'data' | 'registration' | 'reference'>

function secondCardOf({ 'benefit-id': benefitId, 'product-id': productId, reason, reference }: SecondCardBody): Parsed {
  if (benefitId === undefined && productId === undefined) throw invalidBody([{ field: 'benefit-id', code: 'missing' }])
  if (benefitId !== undefined && productId !== undefined) {
    const message = { key: 'one-of-two', other: 'benefit-id' } as const
    throw invalidBody([{ field: 'product-id', code: 'not-applicable', message }])
  }
  return {
    selection: {
      benefitIds: benefitId === undefined ? null : [benefitId],
      productId: productId ?? null,
    },
    data: { reason },
    registration: {},
    reference: referenceOf(reference),
  }
}

const registrationKeys = ['employee-id', 'cost-center', 'cost-center-name', 'job-title'] as const

function contractTransferOf(body: ContractTransferBody): Parsed {
  const sent = (keys: readonly ('sub-contract' | (typeof registrationKeys)[number])[]) =>
    Object.fromEntries(keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key].trim()]])))
  const data = sent(['sub-contract', ...registrationKeys])
  if (Object.keys(data).length === 0) throw invalidBody([{ field: 'sub-contract', code: 'nothing-to-alter' }])
  const { 'benefit-ids': benefitIds = null } = body
  return {
    selection: { benefitIds: benefitIds && [...new Set(benefitIds)], productId: null },
    data,
    registration: sent(registrationKeys),
    reference: referenceOf(body.reference),
  }
}

/** @throws ApiError 400 for a reference that holds a CPF. */
function referenceOf(sent: string | null | undefined): string | null {
  const parsed = referenceType.parse(sent)
  if (parsed === null)
    throw invalidBody([{ field: 'reference', code: 'invalid', message: { key: 'rule', rule: referenceType.rule } }])
  return parsed ?? null
}
