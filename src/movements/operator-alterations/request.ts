import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import type { Sql } from '#platform/core/database.ts'
import { write } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { alterationRules } from '#kernel/movement-rules.ts'
import type { AlterationKind } from '#kernel/enums.ts'
import type { Context } from '#platform/http/context.ts'
import { insertCompletedRequest } from '../completed-request.ts'
import { lockActiveBenefits } from '../exclude/queries.ts'
import {
  type AlteredBenefit,
  type BenefitSelection,
  isMember,
  readOpenOfKind,
  readSelectedBenefits,
} from './queries.ts'

/** An alteration of a person's benefits that an operator requests. */
export interface OperatorAlteration {
  readonly kind: AlterationKind
  readonly memberId: string
  readonly selection: BenefitSelection
  /** null: today, or the start of a benefit that starts later. */
  readonly effectiveDate: LocalDate | null
  /** As `alteration-data` of the movement. */
  readonly data: Readonly<Record<string, string>>
  /** What completing it changes of the person, under the keys of the profile. */
  readonly registration: Readonly<Record<string, string>>
  readonly reference: string | null
}

export const ongoingMessage = 'Alteration not performed. Member still has ongoing enrollments'

/**
 * Stores the request and an enrollment for each benefit. The client of the request is the operator: `request.client_id` names who sent it.
 * @returns the request's id.
 * @throws ApiError 400, 404 or 409; then nothing is stored.
 */
export async function requestAlteration(
  context: Context,
  actor: ClientActor,
  alteration: OperatorAlteration,
): Promise<string> {
  const { kind, memberId, effectiveDate, data, registration, reference } = alteration
  const companyId = companyOf(await selectBenefits(context.database, alteration))
  const requestId = uuidv7()
  const options = {
    may: ['analyst'],
    lock: (sql: Sql) => lockActiveBenefits(sql, companyId, memberId),
    retriesUniqueViolation: true,
  } as const
  await write(context, actor, options, async (tx) => {
    const benefits = (await selectBenefits(tx, alteration)).filter((benefit) => benefit.companyId === companyId)
    const ids = benefits.map(({ id }) => id)
    const openIds = await readOpenOfKind(tx, companyId, kind, ids)
    if (openIds.length > 0) {
      throw new ApiError('ongoing-enrollments', { 'enrollment-ids': openIds }, { message: ongoingMessage })
    }
    const starts = benefits.map(({ startDate }) => startDate)
    if (effectiveDate !== null && starts.some((start) => effectiveDate < start)) {
      throw invalidBody([{ field: 'start-date', code: 'before-start-date' }], 'before-start-date')
    }
    await insertCompletedRequest(context, tx, {
      clientId: actor.clientId,
      companyId,
      requestId,
      requestType: 'alteration',
      requestedBy: actor.kind,
      needsDocuments: false,
      alterationKind: kind,
      resolution: null,
      effectiveDate: effectiveDate ?? [context.today(), ...starts].toSorted().at(-1) ?? '',
      reference,
      sandbox: null,
      data: {
        'alteration-data': data,
        ...(Object.keys(registration).length > 0 ? { registration } : {}),
        documents: [],
      },
      enrollments: benefits.map((benefit) => ({ ...benefit, id: uuidv7(), benefitId: benefit.id })),
    })
  })
  return requestId
}

/** @throws ApiError 404 for an unknown member, and for a benefit that is not selected or not active. */
async function selectBenefits(
  sql: Sql,
  { kind, memberId, selection }: OperatorAlteration,
): Promise<readonly AlteredBenefit[]> {
  const benefits = await readSelectedBenefits(sql, memberId, selection, alterationRules[kind].memberTypes)
  if (benefits.length > 0 && benefits.length >= (selection.benefitIds?.length ?? 1)) return benefits
  if (!(await isMember(sql, memberId))) throw new ApiError('member-not-found')
  throw new ApiError('no-active-benefit')
}

/** @throws ApiError 409 for benefits of several companies, and a product in two roles. */
function companyOf(benefits: readonly AlteredBenefit[]): string {
  const [first] = benefits
  if (benefits.some(({ companyId }) => companyId !== first?.companyId)) throw ambiguous('ambiguous-company', benefits)
  if (benefits.some(({ id, productId }) => id !== first?.id && productId === first?.productId)) {
    throw ambiguous('ambiguous-product', benefits)
  }
  return first?.companyId ?? ''
}

const ambiguous = (code: 'ambiguous-company' | 'ambiguous-product', benefits: readonly AlteredBenefit[]) =>
  new ApiError(code, { 'benefit-ids': benefits.map(({ id }) => id) })
