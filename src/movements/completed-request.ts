import { Records } from '../core/records.ts'
import { type EventEnrollment, requestFinished } from '../core/events.ts'
import type { Sql } from '../core/database.ts'
import { type ApiError, type Detail, invalidBody } from '../core/errors.ts'
import type { Tx } from '../core/write.ts'
import type { Context } from '../http/context.ts'
import type { AlterationKind, BeneficiaryType, MovementKind, Resolution } from '../domain/enums.ts'
import type { CompanyWrite } from './transition/types.ts'
import { insertEnrollments } from './transition/enrollments.ts'
import { requirementItems, strictest } from '../domain/requirement.ts'
import { decideMissing, type MissingOfMovement } from './requirements/decide-missing.ts'
import { missingOfRequested, type MissingOfOne, type MissingOfProduct } from './requirements/missing.ts'
import { decideAtOnce } from './decide/decide-at-once.ts'
import { insertOutcomes } from './decide/outcome-queries.ts'
import type { Sandbox } from '../domain/sandbox.ts'

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
  /** Of a plan or company change: the destination, and the id of the new benefit. */
  readonly destinationCompanyId?: string | null
  readonly destinationProductId?: string | null
  readonly newBenefitId?: string | null
}

export interface CompletedRequest {
  readonly clientId: string
  readonly companyId: string
  readonly requestId: string
  readonly requestType: keyof typeof scheduledReasons
  /** Of an act of an operator. */
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
  const enrollments = await insertRequested({ sql, companyId, at }, today, request, [request])
  sql.emit(companyId, requestFinished({ id: requestId, status: 'completed', reference, alterationKind }))
  sql.audit({ action: `${requestType}.requested`, target: requestId, companyId })
  const ids = enrollments.map(({ id }) => id)
  // What an operator requests needs no document.
  const missing = alterationKind === null ? await missingOfRequested(sql, companyId, ids, today) : noneMissing
  const all = [...missing.values()].flatMap((one) => one.missing)
  if (strictest(all) === 'offense') throw refusalOf(requestType, all)
  const pending = [...missing].flatMap(([id, one]) => pendingOf(id, one))
  const complete = await decideMissing(sql, context, companyId, ids, new Map(pending))
  await decideAtOnce(sql, context, companyId, complete, resolution)
  return all
}

const noneMissing: ReadonlyMap<string, MissingOfOne> = new Map()

function pendingOf(id: string, { missing, isScheduled }: MissingOfOne): (readonly [string, MissingOfMovement])[] {
  const items = requirementItems(missing)
  return items.length === 0 ? [] : [[id, { items, isScheduled }]]
}

const refusals = {
  exclusion: ['exclusion-details.documents', 'invalid-exclusion-details'],
  alteration: ['alteration-data.documents', 'invalid-alteration-data'],
} as const

function refusalOf(requestType: CompletedRequest['requestType'], missing: readonly MissingOfProduct[]): ApiError {
  const [field, code] = refusals[requestType]
  const texts = new Set(missing.filter((one) => one.enforcement !== 'warning').map(({ message }) => message))
  const details = [...texts].map((text): Detail => ({
    field,
    code: 'missing-documents',
    message: { key: 'required-document', text },
  }))
  return invalidBody(details, code)
}

/** Of a batch: lets its new movements wait for the documents that they lack, and rejects those that rules refuse. */
export async function missingOfBatch(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
  today: string,
): Promise<Map<string, MissingOfMovement>> {
  const missing = await missingOfRequested(sql, companyId, enrollmentIds, today)
  // A part that goes with a primary's exclusion is not rejected without it.
  return new Map(
    [...missing].flatMap(([id, one]) =>
      pendingOf(id, one).map(([, lacking]) => {
        const isRefused = strictest(one.missing) === 'offense' && !one.isPart
        return [id, { ...lacking, isRefused }] as const
      }),
    ),
  )
}

/** Enrollments with their data. */
export type RequestedEnrollments = Pick<
  CompletedRequest,
  'effectiveDate' | 'reference' | 'data' | 'enrollments' | 'sandbox'
>

/** Inserts enrollments with their events and outcomes. Those of an effective date after `today` are `scheduled`. */
export async function insertRequested(
  write: CompanyWrite,
  today: string,
  {
    requestId,
    requestType,
    alterationKind = null,
  }: Pick<CompletedRequest, 'requestId' | 'requestType' | 'alterationKind'>,
  requested: readonly RequestedEnrollments[],
): Promise<EventEnrollment[]> {
  const whenScheduled = (value: string) => `case when requested."effectiveDate" > $4::date then ${value} end`
  const status = `coalesce(${whenScheduled(`'scheduled'`)}, 'created')`
  const rows = requested.flatMap(({ enrollments, ...shared }) => enrollments.map((one) => ({ ...one, ...shared })))
  const inserted = await insertEnrollments(write, {
    columns: {
      company_id: '$1::uuid',
      id: 'requested.id',
      request_id: '$2::uuid',
      enrollment_type: '$3::text',
      alteration_kind: '$6::text',
      initial_actor: `case when $6::text is null then 'partner' else 'operator' end`,
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
      "destinationProductId" uuid, "newBenefitId" uuid, "effectiveDate" date, reference text, data jsonb)`,
    values: [write.companyId, requestId, requestType, today, Records.of(rows), alterationKind],
  })
  const outcomes = rows.flatMap(({ id, sandbox }) => (sandbox === null ? [] : [{ enrollmentId: id, sandbox }]))
  if (outcomes.length > 0) await insertOutcomes(write.sql, write.companyId, outcomes)
  return inserted
}
