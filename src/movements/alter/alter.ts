import { v7 as uuidv7 } from 'uuid'
import { writeAudit } from '../../audit/audit-log.ts'
import type { SaveResponse } from '../../http/idempotency/idempotency.ts'
import { requireActiveClient } from '../../http/active-client.ts'
import type { Caller, Origin } from '../../http/caller.ts'
import type { Sql } from '../../platform/database.ts'
import { useDocuments, usableDocuments } from '../../documents/queries.ts'
import { resolutionTransition } from '../../enrollments/resolution.ts'
import { moveEnrollments } from '../../enrollments/transition.ts'
import { ApiError, invalidBody } from '../../platform/errors.ts'
import { type AlterationRequest, invalidAlterationData } from '../../domain/alteration-data.ts'
import {
  type AlterationPart,
  type AlterationVerdict,
  judgeAlteration,
  unusableDocuments,
} from '../../domain/alteration.ts'
import type { Context } from '../../http/context.ts'
import { lockActiveBenefits } from '../exclude/queries.ts'
import { type AlterationRow, insertAlteration, readAlterationFacts } from './queries.ts'

export interface Alteration {
  readonly caller: Caller
  readonly origin: Origin
  /** The member in the company that the alteration is about, one of the caller's. */
  readonly companyId: string
  readonly memberId: string
  /** The company of `new-company-tax-id`, one of the caller's; without it the company itself. */
  readonly destinationCompanyId: string
  readonly asked: AlterationRequest
  readonly resolution: 'approve' | 'reject' | null
  /** Stores the response under the caller's Idempotency-Key. */
  readonly keep: SaveResponse
}

/** Every 403 of an alteration. */
export const notAuthorizedMessage = 'You are not authorized to alter members in this company.'

export function notAuthorized(): ApiError {
  return new ApiError(403, notAuthorizedMessage)
}

/** 404 for a member without an active primary benefit in the company. */
export function noActivePrimary(): ApiError {
  return new ApiError(404, 'No active primary benefit found in member')
}

/**
 * Judges and saves an alteration in one transaction: request, enrollments, documents, events and audit, resolved at once
 * where the request says so. Two changes of one benefit wait for each other; for the second, the first is ongoing.
 * @returns the request's id.
 * @throws ApiError 400, 401, 403, 404 or 409 with the contract's messages; nothing is saved then.
 */
export async function alter(context: Context, alteration: Alteration): Promise<string> {
  const { caller, companyId, memberId, asked } = alteration
  const requestId = uuidv7()
  const today = context.today()
  await context.database.transactionRetryingUniqueViolation(async (sql) => {
    await lockActiveBenefits(sql, companyId, memberId)
    const companyIds = [...new Set([companyId, alteration.destinationCompanyId])]
    const entitled = await requireActiveClient(sql, caller, companyIds)
    if (entitled.length < companyIds.length) throw notAuthorized()
    const { verdict, taxId } = await judge(sql, alteration, today)
    if (verdict.kind !== 'altered') throw refusal(verdict)
    const at = new Date()
    const rows = verdict.parts.map((part) => rowOf(part, alteration.destinationCompanyId))
    const ids = await insertAlteration(sql, caller, {
      companyId,
      requestId,
      memberId,
      taxId,
      resolution: alteration.resolution,
      at,
      effectiveDate: verdict.effectiveDate,
      isScheduled: verdict.effectiveDate > today,
      data: dataOf(asked),
      rows,
    })
    const documentIds = documentIdsOf(asked)
    if (!(await useDocuments(sql, caller, companyId, requestId, documentIds))) {
      throw invalidBody([unusableDocuments], invalidAlterationData)
    }
    await writeAudit(sql, {
      actor: caller.clientId,
      action: 'alteration.requested',
      target: requestId,
      companyId,
      origin: alteration.origin,
    })
    if (alteration.resolution !== null) {
      const { move, actor } = resolutionTransition(alteration.resolution)
      await moveEnrollments(sql, companyId, ids, move, actor, context)
    }
    await alteration.keep(sql, { 'request-id': requestId })
  })
  return requestId
}

async function judge(
  sql: Sql,
  { caller, companyId, memberId, destinationCompanyId, asked }: Alteration,
  today: string,
): Promise<{ verdict: AlterationVerdict; taxId: string }> {
  const newTaxId = (asked.registration['tax-id'] as string | undefined) ?? null
  const { taxId, ...found } = await readAlterationFacts(sql, caller, {
    companyId,
    memberId,
    destinationCompanyId,
    newTaxId,
  })
  const usableDocumentIds = await usableDocuments(sql, caller, documentIdsOf(asked))
  const facts = { ...found, companyId, destinationCompanyId, usableDocumentIds }
  return { verdict: judgeAlteration(asked, facts, today), taxId: taxId ?? '' }
}

function documentIdsOf(asked: AlterationRequest): string[] {
  return [...new Set(asked.documents.map((document) => document['document-id']))]
}

function rowOf({ benefit, name, destinationProductId }: AlterationPart, destinationCompanyId: string): AlterationRow {
  const moves = destinationProductId !== null
  return {
    id: uuidv7(),
    type: benefit.type,
    primaryMemberId: benefit.primaryMemberId,
    productId: benefit.productId,
    productName: name,
    benefitId: benefit.id,
    destinationCompanyId: moves ? destinationCompanyId : null,
    destinationProductId,
    newBenefitId: moves ? uuidv7() : null,
  }
}

function dataOf({ asked, registration, documents }: AlterationRequest): Record<string, unknown> {
  return {
    'alteration-data': asked,
    ...(Object.keys(registration).length > 0 ? { registration } : {}),
    documents,
  }
}

function refusal(verdict: Exclude<AlterationVerdict, { kind: 'altered' }>): ApiError {
  if (verdict.kind === 'no-primary') return noActivePrimary()
  if (verdict.kind === 'invalid') return invalidBody(verdict.faults, invalidAlterationData)
  return new ApiError(409, 'Alteration not performed. Member still has ongoing enrollments', {
    'enrollment-ids': verdict.enrollmentIds,
  })
}
