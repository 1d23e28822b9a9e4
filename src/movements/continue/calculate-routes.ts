import { isActiveClient } from '#platform/core/access.ts'
import { ApiError, invalidBody, invalidCredentials, notEntitled } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { calculateContinuation, type ContinuationVerdict } from '#coverage/rules/continuation.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import {
  AnyCalculationBody,
  type Calculation,
  CalculationBody,
  type CalculationInput,
  CalculationResponse,
} from '#coverage/continuations/calculation-schema.ts'
import { checkDays } from '#coverage/continuations/days.ts'
import { knownMonths } from './known-months.ts'
import {
  type ContinuationSettings,
  readPartnerSettings,
  readProductSettings,
} from '#coverage/continuations/contract-queries.ts'

const summary = 'Calculate what a person who leaves may keep'
const description =
  'After a dismissal without cause a third of the time of contribution, at least 6, at most 24 months (Lei 9.656 art. 30, RN 488 art. 4); ' +
  'after a retirement as long as the contribution, from ten years on without an end (art. 31). A fraction of a month counts as a month, in ' +
  'the person’s favor. Nothing is stored. The result follows from the data that were sent and is no legal advice.'
const command = {
  command: 'continuation calculate',
  options: { 'exclusion-reason': 'reason' },
  examples: {
    'continuation calculate --reason dismissal --contribution-months 40 --notice-date 2026-11-25 --end-date 2026-11-30':
      'for how long, and until when the answer counts',
  },
} as const

/** `/v1/continuation/calculate`, for companies. */
export async function continuationCalculationRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/v1/continuation/calculate',
    api: 'partner',
    schema: {
      operationId: 'calculateContinuation',
      'x-sdk': 'continuations.calculate',
      'x-cli': command,
      tags: ['movements'],
      summary,
      description,
      response: { 200: CalculationResponse, ...errorResponses('not-entitled', 'date-out-of-range') },
    },
    body: json(CalculationBody),
    handler: async (request) => {
      const { body } = request
      const named = productOf(body)
      if (named === null) {
        if (!(await isActiveClient(context.database, callerOf(request)))) throw invalidCredentials('client-revoked')
        return { result: calculate(body, null, context.today()) }
      }
      const found = await readPartnerSettings(context.database, callerOf(request), named.companyTaxId, named.productId)
      if (found === null) throw notEntitled('company')
      request.accessedCompanyIds = [found.companyId]
      if (found.product === null) throw invalidBody([{ field: 'product-id', code: 'unknown' }])
      return { result: calculate(body, found.product.settings, context.today()) }
    },
  })
}

/** `/operator/v1/continuation/calculate`. */
export async function operatorCalculationRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/continuation/calculate',
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'calculateAnyContinuation',
      'x-sdk': 'continuations.calculate',
      'x-cli': { command: command.command },
      summary,
      description: `${description} With \`benefit-id\` the months of contribution that are known here count, unless some are sent.`,
      response: {
        200: CalculationResponse,
        ...errorResponses('company-not-found', 'benefit-not-found', 'date-out-of-range'),
      },
    },
    body: json(AnyCalculationBody),
    handler: async (request) => {
      const body = { ...request.body, 'contribution-months': await monthsOf(context, request.body) }
      const named = productOf(body)
      if (named === null) return { result: calculate(body, null, context.today()) }
      const found = await readProductSettings(context.database, named.companyTaxId, named.productId)
      if (found === null) throw new ApiError('company-not-found')
      if (found.product === null) throw invalidBody([{ field: 'product-id', code: 'unknown' }])
      return { result: calculate(body, found.product.settings, context.today()) }
    },
  })
}

/** The months of contribution that count: those that a person sent, else those that are known. @throws ApiError 400, 404. */
async function monthsOf(
  context: Context,
  body: Partial<CalculationInput> & { readonly 'benefit-id'?: string },
): Promise<number> {
  if (body['contribution-months'] !== undefined) return body['contribution-months']
  const benefitId = body['benefit-id']
  if (benefitId === undefined) throw invalidBody([{ field: 'contribution-months', code: 'missing' }])
  return knownMonths(context.database, benefitId, body['end-date'] ?? context.today())
}

/** The product that is asked about; null: none. */
function productOf(body: CalculationInput): { readonly companyTaxId: string; readonly productId: string } | null {
  const { 'company-tax-id': companyTaxId, 'product-id': productId } = body
  if (companyTaxId === undefined && productId === undefined) return null
  if (companyTaxId === undefined) throw invalidBody([{ field: 'company-tax-id', code: 'missing' }])
  if (productId === undefined) throw invalidBody([{ field: 'product-id', code: 'missing' }])
  return { companyTaxId, productId }
}

/** @throws ApiError 400 for days far from today and for what belongs to another reason. */
function calculate(body: CalculationInput, settings: ContinuationSettings | null, today: LocalDate): Calculation {
  const keepsWorking = body['keeps-working-after-retirement'] ?? false
  checkDays({ 'notice-date': body['notice-date'] ?? null, 'end-date': body['end-date'] ?? null }, today)
  const verdict = calculateContinuation({
    reason: body['exclusion-reason'],
    contributed: body.contributed ?? true,
    contributionMonths: body['contribution-months'],
    keepsWorking,
    isPostPaid: body['post-paid'] ?? settings?.postPaid ?? false,
    noticeDate: body['notice-date'] ?? null,
    endDate: body['end-date'] ?? null,
    remainder: settings?.remainder ?? null,
  })
  return calculationOf(verdict, body['contribution-months'])
}

const nothing: Omit<Calculation, 'contribution-months'> = {
  eligible: null,
  'not-eligible-reason': null,
  ground: null,
  months: null,
  'without-end': false,
  'option-until': null,
  'term-start': null,
  'term-end': null,
  notes: [],
  norms: [],
  'missing-setting': null,
}

function calculationOf(verdict: ContinuationVerdict, contributed: number): Calculation {
  const empty = { ...nothing, 'contribution-months': contributed }
  switch (verdict.kind) {
    case 'missing-setting':
      return { ...empty, 'missing-setting': verdict.setting }
    case 'not-eligible':
      return { ...empty, eligible: false, 'not-eligible-reason': verdict.reason, norms: [...verdict.norms] }
    case 'eligible':
      return {
        ...empty,
        eligible: true,
        ground: verdict.ground,
        months: verdict.months,
        'without-end': verdict.months === null,
        'option-until': verdict.optionUntil,
        'term-start': verdict.termStart,
        'term-end': verdict.termEnd,
        notes: [...verdict.notes],
        norms: [...verdict.norms],
      }
    default:
      return verdict satisfies never
  }
}
