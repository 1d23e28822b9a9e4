import { Records } from '#platform/core/records.ts'
import { type EventEnrollment, requestFinished } from '#platform/core/events.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { type ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { AlterationKind, BeneficiaryType, MovementKind, Resolution } from '#kernel/enums.ts'
import type { CompanyWrite } from './transition/types.ts'
import { insertIntake } from './intake/rows.ts'
import type { Intake } from './rules/intake.ts'
import { insertEnrollments } from './transition/enrollments.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import { type RequirementItem, strictest } from '#registry/rules/requirement.ts'
import { itemsToWaitFor, type MissingOfProduct, RequestedDocuments } from '#registry/rules/requested-documents.ts'
import { settleExtensions } from './transition/settle-extensions.ts'
import { decideMissing, readRequirementFacts } from './missing-documents/facts.ts'
import { decideAtOnce } from './decide/decide-at-once.ts'
import { insertOutcomes } from './decide/sandbox-outcome-queries.ts'
import type { Sandbox } from '#kernel/sandbox.ts'

/** An enrollment of an exclusion or an alteration; further properties are ignored. */
export interface NewEnrollment {
  readonly id: string
  readonly memberId: string
  readonly taxId: string
  readonly type: BeneficiaryType
  readonly primaryMemberId: string | null
  readonly productId: string
  readonly productName: string
  readonly benefitId: string
  /** The enrollment of the primary's exclusion, where a dependent is excluded with the primary. */
  readonly primaryEnrollmentId?: string | null
  /** For a plan or company change: the destination, and the id of the new benefit. */
  readonly destinationCompanyId?: string | null
  readonly destinationProductId?: string | null
  readonly newBenefitId?: string | null
  /** The documents that it waits for. */
  readonly pendingItems?: readonly RequirementItem[] | undefined
}

interface CompletedRequest {
  readonly clientId: string
  readonly companyId: string
  readonly requestId: string
  readonly requestType: keyof typeof scheduledReasons
  /** Whose request it is: the first actor of its enrollments. */
  readonly requestedBy: ClientActor['kind']
  /** How it came; null: it is a partner's, or an act of an operator. */
  readonly intake?: Intake | null
  /** Whether the rules of required documents ask for them; not of what an operator acts on at once. */
  readonly needsDocuments: boolean
  /** Only for an act of an operator. */
  readonly alterationKind?: AlterationKind | null
  readonly resolution: Resolution | null
  readonly effectiveDate: string
  /** The client's own name for the request; its enrollments have it too. */
  readonly reference: string | null
  /** The body in normal form, in wire keys. */
  readonly data: Readonly<Record<string, unknown>>
  readonly enrollments: readonly NewEnrollment[]
  /** Staging only: what becomes of the enrollments. */
  readonly sandbox: Sandbox | null
}

const scheduledReasons = {
  exclusion: 'future-end-date',
  alteration: 'future-requested-start-date',
} as const satisfies Record<Exclude<MovementKind, 'inclusion'>, string>

/**
 * Inserts a request that is complete at acceptance, its enrollments, events and audit, and completes or rejects the enrollments if it has a
 * `resolution`. The enrollments of a later effective date are `scheduled`. Those that lack documents wait for them.
 * @returns the documents that they lack.
 * @throws ApiError 400 when rules refuse one without its documents.
 */
export async function insertCompletedRequest(
  context: Context,
  sql: Tx,
  request: CompletedRequest,
): Promise<readonly MissingOfProduct[]> {
  const { clientId, companyId, requestId, requestType, alterationKind = null, resolution, reference } = request
  const at = sql.at()
  const today = context.today()
  await sql.execute(
    `insert into request (company_id, id, client_id, request_type, status, resolution, reference, accepted_on, created_at, finished_at,
       alteration_kind)
     values ($1, $2, $3, $4, 'completed', $5, $6, $8, $7, $7, $9)`,
    [companyId, requestId, clientId, requestType, resolution, reference, at, today, alterationKind],
  )
  if (request.intake) await insertIntake(sql, companyId, requestId, request.intake)
  const { missing, enrollments } = await judgeDocuments(sql, request, today)
  const inserted = await insertRequested({ sql, companyId, at }, today, request, [{ ...request, enrollments }])
  sql.emit(companyId, requestFinished({ id: requestId, status: 'completed', reference, alterationKind }))
  sql.audit({ action: `${requestType}.requested`, target: requestId, companyId })
  const ids = inserted.map(({ id }) => id)
  const complete = await decideMissing(sql, context, companyId, ids, itemsOf(enrollments))
  await decideAtOnce(sql, context, companyId, complete, resolution)
  return missing
}

/** What enrollments wait for, by their ids. */
export const itemsOf = (enrollments: readonly NewEnrollment[]): Map<string, readonly RequirementItem[]> =>
  new Map(enrollments.flatMap(({ id, pendingItems }) => (pendingItems === undefined ? [] : [[id, pendingItems]])))

/** The documents that enrollments lack, and the enrollments with those that they wait for. @throws ApiError 400 when rules refuse one. */
async function judgeDocuments(
  sql: Tx,
  { companyId, requestType, needsDocuments, data, enrollments }: CompletedRequest,
  today: string,
): Promise<{ missing: readonly MissingOfProduct[]; enrollments: readonly NewEnrollment[] }> {
  if (!needsDocuments) return { missing: [], enrollments }
  const destinationIds = enrollments.flatMap((enrollment) => enrollment.destinationCompanyId ?? [])
  const benefitIds = enrollments.map(({ benefitId }) => benefitId)
  const facts = await readRequirementFacts(sql, requestType, { companyId, destinationIds, benefitIds }, today)
  const requested = new RequestedDocuments(requestType, facts, today)
  const details = data['exclusion-details'] as { 'exclusion-reason': string } | undefined
  const documents = data['documents'] as readonly DocumentReference[]
  const judged = enrollments.map((enrollment) => {
    const productId = enrollment.destinationProductId ?? enrollment.productId
    const exclusionReason = details?.['exclusion-reason'] ?? null
    const missing = requested.missing({ ...enrollment, productId, exclusionReason, documents })
    return { missing, enrollment: { ...enrollment, pendingItems: itemsToWaitFor(missing) } }
  })
  const missing = judged.flatMap((movement) => movement.missing)
  if (strictest(missing) === 'offense') throw refusalOf(requestType, missing)
  return { missing, enrollments: judged.map(({ enrollment }) => enrollment) }
}

const refusals = {
  exclusion: ['exclusion-details.documents', 'invalid-exclusion-details'],
  alteration: ['alteration-data.documents', 'invalid-alteration-data'],
} as const

function refusalOf(requestType: CompletedRequest['requestType'], missing: readonly MissingOfProduct[]): ApiError {
  const [field, code] = refusals[requestType]
  const texts = new Set(missing.filter((document) => document.enforcement !== 'warning').map(({ message }) => message))
  const details = [...texts].map((text): Detail => ({
    field,
    code: 'missing-documents',
    message: { key: 'required-document', text },
  }))
  return invalidBody(details, code)
}

/** Enrollments with their data. */
export type RequestedEnrollments = Pick<
  CompletedRequest,
  'effectiveDate' | 'reference' | 'data' | 'enrollments' | 'sandbox'
>

/** Inserts enrollments with their events and outcomes. Those of an effective date after `today` are `scheduled`, unless they wait for documents. */
export async function insertRequested(
  write: CompanyWrite,
  today: string,
  {
    requestId,
    requestType,
    requestedBy,
    alterationKind = null,
  }: Pick<CompletedRequest, 'requestId' | 'requestType' | 'requestedBy' | 'alterationKind'>,
  requested: readonly RequestedEnrollments[],
): Promise<EventEnrollment[]> {
  const whenScheduled = (value: string) => `case when requested."effectiveDate" > $4::date then ${value} end`
  // One that waits for documents is asked for them now.
  const status = `case when requested."pendingItems" is null then coalesce(${whenScheduled(`'scheduled'`)}, 'created') else 'created' end`
  const rows = requested.flatMap(({ enrollments, ...shared }) =>
    enrollments.map((enrollment) => ({ ...enrollment, ...shared })),
  )
  const inserted = await insertEnrollments(write, {
    columns: {
      company_id: '$1::uuid',
      id: 'requested.id',
      request_id: '$2::uuid',
      enrollment_type: '$3::text',
      alteration_kind: '$6::text',
      initial_actor: `'${requestedBy}'`,
      status,
      initial_status: status,
      member_id: 'requested."memberId"',
      member_tax_id: 'requested."taxId"',
      member_type: 'requested.type',
      primary_member_id: 'requested."primaryMemberId"',
      product_id: 'requested."productId"',
      product_name: 'requested."productName"',
      benefit_id: 'requested."benefitId"',
      effective_date: 'requested."effectiveDate"',
      primary_enrollment_id: 'requested."primaryEnrollmentId"',
      destination_company_id: 'requested."destinationCompanyId"',
      destination_product_id: 'requested."destinationProductId"',
      new_benefit_id: 'requested."newBenefitId"',
      scheduled_action_date: whenScheduled('requested."effectiveDate"'),
      scheduled_reason: whenScheduled(`'${scheduledReasons[requestType]}'`),
      data: 'requested.data',
      reference: 'requested.reference',
    },
    from: `json_to_recordset($5::json) as requested(id uuid, "memberId" uuid, "taxId" bpchar, type text, "primaryMemberId" uuid,
      "productId" uuid, "productName" text, "benefitId" uuid, "primaryEnrollmentId" uuid, "destinationCompanyId" uuid,
      "destinationProductId" uuid, "newBenefitId" uuid, "effectiveDate" date, reference text, "pendingItems" jsonb, data jsonb)`,
    values: [write.companyId, requestId, requestType, today, Records.of(rows), alterationKind],
  })
  if (requestType === 'exclusion') {
    await settleExtensions(
      write.sql,
      write.companyId,
      inserted.map(({ id }) => id),
    )
  }
  const outcomes = rows.flatMap(({ id, sandbox }) => (sandbox === null ? [] : [{ enrollmentId: id, sandbox }]))
  if (outcomes.length > 0) await insertOutcomes(write.sql, write.companyId, outcomes)
  return inserted
}
