import { v7 as uuidv7 } from 'uuid'
import { writeAudit } from '../../audit/audit-log.ts'
import type { SaveResponse } from '../../http/idempotency/idempotency.ts'
import { requireActiveClient } from '../../http/active-client.ts'
import type { Caller, Origin } from '../../http/caller.ts'
import { useDocuments } from '../../documents/queries.ts'
import { moveEnrollments } from '../../enrollments/transition.ts'
import { resolutionTransition } from '../../enrollments/resolution.ts'
import { ApiError, invalidBody } from '../../platform/errors.ts'
import {
  type ExclusionDetails,
  type ExclusionPart,
  type ExclusionTarget,
  type ExclusionVerdict,
  invalidDetails,
  judgeExclusion,
} from '../../domain/exclusion.ts'
import type { Context } from '../../http/context.ts'
import { type ExclusionRow, insertExclusion, lockActiveBenefits, readExclusionFacts } from './queries.ts'

export interface Exclusion {
  readonly caller: Caller
  readonly origin: Origin
  /** The caller's companies that know the member. */
  readonly homes: readonly { companyId: string; memberId: string }[]
  readonly target: ExclusionTarget
  readonly details: ExclusionDetails
  readonly resolution: 'approve' | 'reject' | null
  /** Stores the response under the caller's Idempotency-Key. */
  readonly keep: SaveResponse
}

/** Every 403 of an exclusion. */
export const notAuthorizedMessage = "You are not authorized to exclude this member's benefits."

/**
 * Judges and saves an exclusion in one transaction: request, enrollments, documents, events and audit, resolved at once where
 * the request says so. Two exclusions of one benefit wait for each other; for the second, the first is ongoing.
 * @returns the request's id.
 * @throws ApiError 400, 401, 403, 404 or 409 with the contract's messages; nothing is saved then.
 */
export async function exclude(context: Context, exclusion: Exclusion): Promise<string> {
  const { caller, origin, homes, target, details } = exclusion
  const requestId = uuidv7()
  await context.database.transaction(async (sql) => {
    for (const home of homes) await lockActiveBenefits(sql, home.companyId, home.memberId)
    const companyIds = homes.map((home) => home.companyId)
    const entitled = new Set(await requireActiveClient(sql, caller, companyIds))
    if (entitled.size === 0) throw new ApiError(403, notAuthorizedMessage)
    const facts = []
    for (const home of homes.filter((one) => entitled.has(one.companyId)))
      facts.push(await readExclusionFacts(sql, caller, home.companyId, home.memberId))
    const verdict = judgeExclusion(facts, target, details)
    if (verdict.kind !== 'excluded') throw refusal(verdict, target)
    const { companyId, parts } = verdict
    const at = new Date()
    const endDate = details['end-date']
    const isScheduled = endDate > context.today()
    const { documents, ...asked } = details
    const rows = parts.flatMap(rowsOf)
    const data = { 'exclusion-details': asked, documents }
    const ids = await insertExclusion(sql, caller, { companyId, requestId, at, endDate, isScheduled, data, rows })
    const documentIds = documents.map((document) => document['document-id'])
    if (!(await useDocuments(sql, caller, companyId, requestId, documentIds))) {
      throw invalidBody([{ field: 'exclusion-details.documents', code: 'invalid' }], invalidDetails)
    }
    await writeAudit(sql, {
      actor: caller.clientId,
      action: 'exclusion.requested',
      target: requestId,
      companyId,
      origin,
    })
    if (exclusion.resolution !== null) {
      const { move, actor } = resolutionTransition(exclusion.resolution)
      await moveEnrollments(sql, companyId, ids, move, actor, context)
    }
    await exclusion.keep(sql, { 'request-id': requestId }, [companyId])
  })
  return requestId
}

function rowsOf({ benefit, along }: ExclusionPart): ExclusionRow[] {
  const leader = rowOf(benefit, null)
  return [leader, ...along.map((one) => rowOf(one, leader.id))]
}

function rowOf(benefit: ExclusionPart['benefit'], primaryEnrollmentId: string | null): ExclusionRow {
  const { memberId, taxId, type, primaryMemberId, productId, productName } = benefit
  return {
    id: uuidv7(),
    primaryEnrollmentId,
    memberId,
    taxId,
    type,
    primaryMemberId,
    productId,
    productName,
    benefitId: benefit.id,
  }
}

const noneFound = {
  primary: 'No active benefits found in member as dependent of given primary-member',
  product: 'No active benefit found in member for given product',
  benefit: 'No active benefit found in member with given benefit-id',
}

function refusal(verdict: Exclude<ExclusionVerdict, { kind: 'excluded' }>, target: ExclusionTarget): ApiError {
  switch (verdict.kind) {
    case 'ongoing':
      return new ApiError(409, 'Exclusion not performed. Member still has ongoing enrollments', {
        'enrollment-ids': verdict.enrollmentIds,
      })
    case 'none':
      return new ApiError(404, noneFound[target.by])
    case 'ambiguous':
      return new ApiError(
        409,
        target.by === 'primary'
          ? 'Active benefits found in more than one company'
          : 'More than one active benefit found for this product',
        { 'benefit-ids': verdict.benefitIds },
      )
    case 'primary-not-kept':
      return invalidBody([{ field: 'exclusion-details.extension-plan', code: 'primary-not-kept' }], invalidDetails)
    default:
      return invalidBody([{ field: 'exclusion-details.end-date', code: 'before-start-date' }], invalidDetails)
  }
}
