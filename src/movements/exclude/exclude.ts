import { v7 as uuidv7 } from 'uuid'
import { unusableDocuments, useDocuments } from '#registry/documents/queries.ts'
import type { Resolution } from '#kernel/enums.ts'
import { type ExclusionDetails, impossibleDays } from '#coverage/rules/exclusion-details.ts'
import {
  type BenefitFacts,
  type ExclusionPart,
  type ExclusionTarget,
  type ExclusionVerdict,
  exclusionWarnings,
  judgeExclusion,
} from '../rules/exclusion.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Context } from '#platform/http/context.ts'
import { ApiError, invalidBody, notEntitled } from '#platform/core/errors.ts'
import { acceptedOf } from '../accepted.ts'
import { insertCompletedRequest, type NewEnrollment } from '../completed-request.ts'
import type { Intake } from '../rules/intake.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import type { Sandbox } from '#kernel/sandbox.ts'
import { readContractLimits } from '#registry/contracts/retroactive-limits.ts'
import { LimitWarnings } from '#registry/rules/retroactive-limit.ts'
import { lockActiveBenefits, readExclusionFacts } from './queries.ts'
import type { Excluded } from './schema.ts'

/** The exclusion of one person. */
interface Exclusion {
  /** The companies that the person is a member of, as far as the client has them. */
  readonly memberships: readonly { companyId: string; memberId: string }[]
  readonly target: ExclusionTarget
  readonly details: ExclusionDetails
  readonly reference: string | null
  readonly sandbox: Sandbox | null
  readonly resolution: Resolution | null
  /** Nothing is stored. */
  readonly isDryRun?: boolean
  /** Stores the response under the Idempotency-Key. */
  readonly saveResponse?: SaveResponse
  /** For an operator: how it came. */
  readonly intake?: Intake
  /** Whether the rules of required documents ask for them; absent: yes. */
  readonly needsDocuments?: boolean
  /** In the transaction of the movement. */
  readonly also?: (tx: Tx, requestId: string) => Promise<void>
}

/** The error message of every 403 of an exclusion. */
export const notAuthorizedMessage = "You are not authorized to exclude this member's benefits."

/**
 * Judges and stores an exclusion in one transaction: request, enrollments, documents, events and audit, and the resolution in staging.
 * When two exclusions of one benefit are concurrent, the second gets 409.
 * @returns the response.
 * @throws ApiError 400, 401, 403, 404 or 409 with the contract's messages; then nothing is stored.
 */
export async function exclude(context: Context, actor: ClientActor, exclusion: Exclusion): Promise<Excluded> {
  const {
    memberships,
    target,
    details,
    reference,
    sandbox,
    resolution,
    isDryRun = false,
    saveResponse,
    needsDocuments = true,
  } = exclusion
  const impossible = impossibleDays(details, context.today())
  if (impossible.length > 0) {
    const errors = impossible.map((error) => ({ ...error, field: `exclusion-details.${error.field}` }))
    throw invalidBody(errors, 'invalid-exclusion-details')
  }
  const requestId = uuidv7()
  const options = {
    may: mayRequest(actor),
    companies: {
      ids: memberships.map((membership) => membership.companyId),
      entitled: 'some',
      error: () =>
        target.by === 'company'
          ? notEntitled('company')
          : new ApiError('not-entitled', {}, { message: notAuthorizedMessage }),
    },
    lock: async (sql: Sql) => {
      for (const { companyId, memberId } of memberships) await lockActiveBenefits(sql, companyId, memberId)
    },
    ...(saveResponse && !isDryRun && { saveResponse }),
    retriesUniqueViolation: true,
    isDryRun,
  } as const
  return write(context, actor, options, async (sql) => {
    const facts = []
    for (const { companyId, memberId } of memberships) {
      const isReachable = actor.kind !== 'partner' || sql.entitledCompanyIds.includes(companyId)
      if (isReachable) facts.push(await readExclusionFacts(sql, companyId, memberId))
    }
    const verdict = judgeExclusion(facts, target, details)
    if (verdict.kind !== 'excluded') throw errorOf(verdict, target)
    const { companyId, parts } = verdict
    const { documents, ...otherDetails } = details
    const missing = await insertCompletedRequest(context, sql, {
      clientId: actor.clientId,
      companyId,
      requestId,
      requestType: 'exclusion',
      requestedBy: actor.kind,
      intake: exclusion.intake ?? null,
      needsDocuments,
      resolution,
      effectiveDate: details['end-date'],
      reference,
      sandbox,
      data: { 'exclusion-details': otherDetails, documents },
      enrollments: parts.flatMap(enrollmentsOf),
    })
    const documentIds = documents.map((document) => document['document-id'])
    if (!(await useDocuments(sql, actor, companyId, requestId, documentIds))) {
      throw invalidBody([unusableDocuments('exclusion-details.documents')], 'invalid-exclusion-details')
    }
    await exclusion.also?.(sql, requestId)
    const limits = new LimitWarnings(await readContractLimits(sql, companyId), context.today())
    const warnings = exclusionWarnings(parts, details, limits)
    const response = { ...acceptedOf(requestId, missing), ...(warnings.length > 0 && { warnings }) }
    sql.respond(response, [companyId])
    return response
  })
}

/** The enrollments of a part: that of the benefit, and those of the dependents that go with it. */
function enrollmentsOf({ benefit, cascaded }: ExclusionPart): NewEnrollment[] {
  const enrollment = enrollmentOf(benefit, null)
  return [enrollment, ...cascaded.map((dependent) => enrollmentOf(dependent, enrollment.id))]
}

function enrollmentOf(benefit: BenefitFacts, primaryEnrollmentId: string | null): NewEnrollment {
  return { ...benefit, id: uuidv7(), benefitId: benefit.id, primaryEnrollmentId }
}

export const notFoundMessages: Readonly<Record<ExclusionTarget['by'], string>> = {
  primary: 'No active benefits found in member as dependent of given primary-member',
  product: 'No active benefit found in member for given product',
  benefit: 'No active benefit found in member with given benefit-id',
  company: 'No active benefits found in member for given company',
}

/** The error of an exclusion that was refused. */
function errorOf(verdict: Exclude<ExclusionVerdict, { kind: 'excluded' }>, target: ExclusionTarget): ApiError {
  switch (verdict.kind) {
    case 'ongoing':
      return new ApiError('ongoing-enrollments', {
        'enrollment-ids': verdict.enrollmentIds,
      })
    case 'none':
      return new ApiError('no-active-benefit', {}, { message: notFoundMessages[target.by] })
    case 'ambiguous':
      return new ApiError(target.by === 'primary' ? 'ambiguous-company' : 'ambiguous-product', {
        'benefit-ids': verdict.benefitIds,
      })
    case 'primary-not-kept':
      return invalidBody(
        [{ field: 'exclusion-details.extension-plan', code: 'primary-not-kept' }],
        'invalid-exclusion-details',
      )
    case 'items-missing':
      return invalidBody(
        verdict.fields.map((field) => ({ field: `exclusion-details.${field}`, code: 'required-by-contract' })),
        'invalid-exclusion-details',
      )
    case 'before-start':
      return invalidBody(
        [{ field: 'exclusion-details.end-date', code: 'before-start-date' }],
        'invalid-exclusion-details',
      )
    default:
      return verdict satisfies never
  }
}
