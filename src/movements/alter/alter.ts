import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import type { Sql } from '#platform/core/database.ts'
import { unusableDocuments, useDocuments, usableDocuments } from '#registry/documents/queries.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import type { Resolution } from '#kernel/enums.ts'
import type { AlterationRequest } from '../rules/alteration-data.ts'
import { type AlterationPart, type AlterationVerdict, judgeAlteration } from '../rules/alteration.ts'
import type { Context } from '#platform/http/context.ts'
import { lockActiveBenefits } from '../exclude/queries.ts'
import { acceptedOf } from '../accepted.ts'
import type { Intake } from '../rules/intake.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { insertCompletedRequest, type NewEnrollment } from '../completed-request.ts'
import { type AlterationSubject, readAlterationFacts, readDestinationProducts } from './queries.ts'
import type { Altered } from './schema.ts'

interface Alteration extends AlterationSubject {
  readonly request: AlterationRequest
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

/** Whether a client alters registration data of people who are dependents only: `/v1` answers 404 (contract). */
export const mayAlterDependents = (kind: ClientActor['kind']): boolean => kind !== 'partner'

/** The error message of every 403 of an alteration. */
export const notAuthorizedMessage = 'You are not authorized to alter members in this company.'

export const ongoingMessage = 'Alteration not performed. Member still has ongoing enrollments'

export function notAuthorized(): ApiError {
  return new ApiError('not-entitled', {}, { message: notAuthorizedMessage })
}

/** 404 for a member without an active primary benefit in the company. */
export function noActivePrimary(): ApiError {
  return new ApiError('no-active-primary-benefit')
}

/**
 * Judges and stores an alteration in one transaction: request, enrollments, documents, events and audit, and the resolution if requested.
 * When two transfers of one benefit are concurrent, the second gets 409.
 * @returns the response.
 * @throws ApiError 400, 401, 403, 404 or 409 with the contract's messages; then nothing is stored.
 */
export async function alter(context: Context, actor: ClientActor, alteration: Alteration): Promise<Altered> {
  const { companyId, memberId, request, isDryRun = false, saveResponse, needsDocuments = true } = alteration
  const requestId = uuidv7()
  const today = context.today()
  const options = {
    may: mayRequest(actor),
    companies: { ids: [companyId, alteration.destinationCompanyId], entitled: 'all', error: notAuthorized },
    lock: (sql: Sql) => lockActiveBenefits(sql, companyId, memberId),
    ...(saveResponse && !isDryRun && { saveResponse }),
    retriesUniqueViolation: true,
    isDryRun,
  } as const
  return write(context, actor, options, async (sql) => {
    const { verdict, taxId } = await judge(sql, actor, alteration, today)
    if (verdict.kind !== 'altered') throw errorOf(verdict)
    const missing = await insertCompletedRequest(context, sql, {
      clientId: actor.clientId,
      companyId,
      requestId,
      requestType: 'alteration',
      requestedBy: actor.kind,
      intake: alteration.intake ?? null,
      needsDocuments,
      resolution: alteration.resolution,
      effectiveDate: verdict.effectiveDate,
      reference: request.reference,
      sandbox: request.sandbox,
      data: dataOf(request),
      enrollments: verdict.parts.map((part) => enrollmentOf(part, alteration, taxId)),
    })
    const documentIds = documentIdsOf(request)
    if (!(await useDocuments(sql, actor, companyId, requestId, documentIds))) {
      throw invalidBody([unusableDocuments('alteration-data.documents')], 'invalid-alteration-data')
    }
    await alteration.also?.(sql, requestId)
    const { warnings } = verdict
    const response = { ...acceptedOf(requestId, missing), ...(warnings.length > 0 && { warnings: [...warnings] }) }
    sql.respond(response)
    return response
  })
}

async function judge(
  sql: Sql,
  actor: ClientActor,
  { request, ...subject }: Alteration,
  today: string,
): Promise<{ verdict: AlterationVerdict; taxId: string }> {
  const newTaxId = newTaxIdOf(request)
  const { companyId, memberId, destinationCompanyId } = subject
  const [found] = await readAlterationFacts(sql, actor, companyId, [{ memberId, destinationCompanyId, newTaxId }])
  if (found === undefined) return { verdict: { kind: 'no-primary' }, taxId: '' }
  const { taxId, ...facts } = found
  const products = (await readDestinationProducts(sql, [destinationCompanyId])).get(destinationCompanyId) ?? []
  const usableDocumentIds = await usableDocuments(sql, actor, documentIdsOf(request))
  const dependentsAlterable = mayAlterDependents(actor.kind)
  const known = { ...facts, products, companyId, destinationCompanyId, usableDocumentIds, dependentsAlterable }
  return { verdict: judgeAlteration(request, known, today), taxId }
}

/** The corrected CPF; null when it is not altered. */
export function newTaxIdOf(request: AlterationRequest): string | null {
  return (request.registration['tax-id'] as string | undefined) ?? null
}

export function documentIdsOf(request: AlterationRequest): string[] {
  return request.documents.map((document) => document['document-id'])
}

/** An enrollment of an alteration. */
export function enrollmentOf(
  { benefit, name, destinationProductId }: AlterationPart,
  { memberId, destinationCompanyId }: Pick<AlterationSubject, 'memberId' | 'destinationCompanyId'>,
  taxId: string,
): NewEnrollment {
  const transfer =
    destinationProductId === null ? {} : { destinationCompanyId, destinationProductId, newBenefitId: uuidv7() }
  return { ...benefit, id: uuidv7(), memberId, taxId, productName: name, benefitId: benefit.id, ...transfer }
}

/** The data of the enrollments of an alteration. */
export function dataOf({ data, registration, documents }: AlterationRequest): Record<string, unknown> {
  return {
    'alteration-data': data,
    ...(Object.keys(registration).length > 0 ? { registration } : {}),
    documents,
  }
}

function errorOf(verdict: Exclude<AlterationVerdict, { kind: 'altered' }>): ApiError {
  switch (verdict.kind) {
    case 'no-primary':
      return noActivePrimary()
    case 'invalid':
      return invalidBody(verdict.errors, 'invalid-alteration-data')
    case 'ongoing':
      return new ApiError(
        'ongoing-enrollments',
        { 'enrollment-ids': verdict.enrollmentIds },
        { message: ongoingMessage },
      )
    default:
      return verdict satisfies never
  }
}
