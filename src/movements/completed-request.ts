import type { Caller } from '../http/caller.ts'
import type { BeneficiaryType, RequestType, Resolution } from '../domain/enums.ts'
import type { Sql } from '../platform/database.ts'
import { insertEnrollments } from '../enrollments/write.ts'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'

/** An enrollment of an exclusion or an alteration. */
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
  readonly companyId: string
  readonly requestId: string
  readonly requestType: keyof typeof scheduledReasons
  readonly resolution: Resolution | null
  readonly at: Date
  readonly effectiveDate: string
  /** Whether that day is in the future: the enrollments are `scheduled` until then. */
  readonly isScheduled: boolean
  /** The body in normal form, in wire keys. */
  readonly data: Readonly<Record<string, unknown>>
  readonly enrollments: readonly NewEnrollment[]
}

const scheduledReasons = {
  exclusion: 'future-end-date',
  alteration: 'future-requested-start-date',
} as const satisfies Record<Exclude<RequestType, 'inclusion'>, string>

/** Inserts a request that is complete at acceptance, its enrollments and their events. @returns the ids of the enrollments. */
export async function insertCompletedRequest(sql: Sql, caller: Caller, request: CompletedRequest): Promise<string[]> {
  const { companyId, requestId, requestType, resolution, at, effectiveDate, isScheduled, data } = request
  await sql.execute(
    `insert into request (company_id, id, client_id, request_type, status, resolution, created_at, finished_at)
     values ($1, $2, $3, $4, 'completed', $5, $6, $6)`,
    [companyId, requestId, caller.clientId, requestType, resolution, at],
  )
  const status = isScheduled ? `'scheduled'` : `'created'`
  const enrollments = await insertEnrollments(sql, at, {
    columns: {
      company_id: '$1::uuid',
      id: 'r.id',
      request_id: '$2::uuid',
      enrollment_type: '$3::text',
      status,
      initial_status: status,
      member_id: 'r."memberId"',
      member_tax_id: 'r."taxId"',
      member_type: 'r.type',
      primary_member_id: 'r."primaryMemberId"',
      product_id: 'r."productId"',
      product_name: 'r."productName"',
      benefit_id: 'r."benefitId"',
      effective_date: '$4::date',
      primary_enrollment_id: 'r."primaryEnrollmentId"',
      destination_company_id: 'r."destinationCompanyId"',
      destination_product_id: 'r."destinationProductId"',
      new_benefit_id: 'r."newBenefitId"',
      ...(isScheduled
        ? { scheduled_action_date: '$4::date', scheduled_reason: `'${scheduledReasons[requestType]}'` }
        : {}),
      data: '$5::jsonb',
    },
    from: `json_to_recordset($6::json) as r(id uuid, "memberId" uuid, "taxId" bpchar, type text, "primaryMemberId" uuid,
      "productId" uuid, "productName" text, "benefitId" uuid, "primaryEnrollmentId" uuid, "destinationCompanyId" uuid,
      "destinationProductId" uuid, "newBenefitId" uuid)`,
    values: [
      companyId,
      requestId,
      requestType,
      effectiveDate,
      JSON.stringify(data),
      JSON.stringify(request.enrollments),
    ],
  })
  await writeEvents(sql, companyId, at, [
    ...enrollments.map(({ id, status }): DomainEvent => {
      return { type: 'enrollment.created', data: { 'request-id': requestId, 'enrollment-id': id, status } }
    }),
    { type: 'request.completed', data: { 'request-id': requestId, status: 'completed' } },
  ])
  return enrollments.map(({ id }) => id)
}
