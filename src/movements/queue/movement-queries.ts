import type { Sql } from '#platform/core/database.ts'
import { draftOf, isDocumentOf } from '#registry/documents/queries.ts'
import { benefitJson } from '#coverage/benefits/queries.ts'
import { registrationJson } from '#coverage/members/write.ts'
import type { Difference, DifferenceFacts } from '../rules/diff.ts'
import type { EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import { type ComputedFacts, computedFacts } from '#coverage/enrollments/computed-fields.ts'
import { correctionsJson } from '../correct-benefit/queries.ts'
import { productOf, queueItemJson, shipmentThere, startDate } from '#coverage/enrollments/queries.ts'

/** A movement with the data that an operator decides by. */
interface Movement {
  readonly detail: { readonly status: EnrollmentStatus; readonly 'enrollment-type': MovementKind } & Readonly<
    Record<string, unknown>
  >
  readonly computed: ComputedFacts
  readonly clientId: string
  readonly person: Readonly<Record<string, unknown>> | null
  readonly family: readonly unknown[]
  readonly data: Readonly<Record<string, unknown>>
  readonly updatesProfile: boolean
  readonly benefit: DifferenceFacts['benefit'] | null
  readonly primary: DifferenceFacts['primary']
  readonly companyTaxId: string
  readonly destination: DifferenceFacts['destination']
  readonly effectiveDate: string | null
  readonly answers: readonly { readonly at: string; readonly changes: readonly Difference[] }[]
  readonly documents: readonly unknown[]
  readonly corrections: readonly unknown[]
}

/**
 * Reads a movement for an operator, who sees every company. The family is every member who has, or had, a benefit under the same primary
 * in the company, the primary and the person included.
 */
export async function readMovement(sql: Sql, enrollmentId: string): Promise<Movement | null> {
  const [row] = await sql.query<Movement>(
    `with sent as materialized (
       select sent_document.item, sent_document.place, enrollment.company_id, enrollment.request_id,
         ${draftOf('enrollment.company_id', 'enrollment.request_id')} as draft_id from enrollment
       cross join lateral jsonb_array_elements(enrollment.data->'documents') with ordinality as sent_document(item, place) where enrollment.id = $1
     )
     select ${queueItemJson} as detail, ${computedFacts(startDate)} as computed, request.client_id as "clientId",
       ${registrationJson('member')} as person, enrollment.data, coalesce(enrollment.answers, '[]') as answers, enrollment.updates_profile as "updatesProfile", company.tax_id as "companyTaxId",
       enrollment.effective_date as "effectiveDate",
       json_build_object('productName', (select name from product where company_id = enrollment.company_id and id = enrollment.product_id),
         'startDate', benefit.start_date, 'endDate', benefit.end_date, 'extensionPlan', coalesce(benefit.extension_plan, false)) as benefit,
       case when enrollment.primary_enrollment_id is not null then (
         select json_build_object('endDate', primary_benefit.end_date) from enrollment primary_enrollment
         join benefit primary_benefit on primary_benefit.company_id = primary_enrollment.company_id
           and primary_benefit.id = primary_enrollment.benefit_id
         where primary_enrollment.company_id = enrollment.company_id and primary_enrollment.id = enrollment.primary_enrollment_id) end as "primary",
       case when enrollment.destination_company_id is not null then (
         select json_build_object('productName', product.name, 'companyTaxId', destination_company.tax_id)
         from company destination_company where destination_company.id = enrollment.destination_company_id) end as destination,
       coalesce((
         select json_agg(json_build_object('member-id', family_benefit.member_id, 'member-tax-id', relative.tax_id, 'name', relative.name,
             'benefit', ${benefitJson('family_benefit', 'company', 'family_product', 'primary_member')}) order by family_benefit.type desc,
               relative.name, family_benefit.start_date, family_benefit.id)
         from (
           select * from benefit where company_id = enrollment.company_id and member_id = coalesce(enrollment.primary_member_id, enrollment.member_id)
           union
           select * from benefit where company_id = enrollment.company_id
             and primary_member_id = coalesce(enrollment.primary_member_id, enrollment.member_id)
         ) family_benefit
         join member relative on relative.company_id = family_benefit.company_id and relative.id = family_benefit.member_id
         join product family_product on family_product.company_id = family_benefit.company_id and family_product.id = family_benefit.product_id
         left join member primary_member on primary_member.company_id = family_benefit.company_id
           and primary_member.id = family_benefit.primary_member_id), '[]') as family,
       coalesce((
         select json_agg(json_build_object('document-id', document.id, 'document-type', sent.item->>'document-type', 'name', document.name,
             'content-type', document.content_type, 'size', document.size) order by sent.place)
         from sent
         join document on document.id = (sent.item->>'document-id')::uuid
           and ${isDocumentOf('sent.company_id', 'sent.request_id', 'sent.draft_id')}), '[]') as documents,
       ${correctionsJson('enrollment.company_id', 'enrollment.benefit_id')} as corrections
     from enrollment
     join request on request.company_id = enrollment.company_id and request.id = enrollment.request_id
     join company on company.id = enrollment.company_id
     join product on ${productOf('enrollment')}
     left join member on member.company_id = enrollment.company_id and member.id = enrollment.member_id
     left join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id
     ${shipmentThere('shipment_item.enrollment_id = $1')}
     where enrollment.id = $1`,
    [enrollmentId],
  )
  return row ?? null
}
