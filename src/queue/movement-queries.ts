import type { Sql } from '../core/database.ts'
import { benefitJson } from '../benefits/queries.ts'
import { registrationJson } from '../members/write.ts'
import type { DifferenceFacts } from '../domain/diff.ts'
import type { EnrollmentStatus, MovementKind } from '../domain/enums.ts'
import { productOfEnrollment, queueItemJson } from '../enrollments/queries.ts'

/** A movement with the data that an operator decides by. */
export interface Movement {
  readonly detail: { readonly status: EnrollmentStatus; readonly 'enrollment-type': MovementKind } & Readonly<
    Record<string, unknown>
  >
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
  readonly documents: readonly unknown[]
}

/**
 * Reads a movement for an operator, who sees every company. The family is every member who has, or had, a benefit under the same primary
 * in the company, the primary and the person included.
 */
export async function readMovement(sql: Sql, enrollmentId: string): Promise<Movement | null> {
  const [row] = await sql.query<Movement>(
    `with sent as materialized (
       select i.item, i.place, e.request_id from enrollment e
       cross join lateral jsonb_array_elements(e.data->'documents') with ordinality as i(item, place) where e.id = $1
     )
     select ${queueItemJson} as detail, r.client_id as "clientId",
       ${registrationJson('m')} as person, e.data, e.updates_profile as "updatesProfile", c.tax_id as "companyTaxId",
       e.effective_date as "effectiveDate",
       json_build_object('productName', (select x.name from product x where x.company_id = e.company_id and x.id = e.product_id),
         'startDate', o.start_date, 'endDate', o.end_date, 'extensionPlan', coalesce(o.extension_plan, false)) as benefit,
       case when e.primary_enrollment_id is not null then (
         select json_build_object('endDate', l.end_date) from enrollment f
         join benefit l on l.company_id = f.company_id and l.id = f.benefit_id
         where f.company_id = e.company_id and f.id = e.primary_enrollment_id) end as "primary",
       case when e.destination_company_id is not null then (
         select json_build_object('productName', p.name, 'companyTaxId', d.tax_id)
         from company d where d.id = e.destination_company_id) end as destination,
       coalesce((
         select json_agg(json_build_object('member-id', b.member_id, 'member-tax-id', f.tax_id, 'name', f.name,
             'benefit', ${benefitJson('b', 'c', 'p', 'q')}) order by b.type desc, f.name, b.start_date, b.id)
         from (
           select x.* from benefit x where x.company_id = e.company_id and x.member_id = coalesce(e.primary_member_id, e.member_id)
           union
           select x.* from benefit x where x.company_id = e.company_id and x.primary_member_id = coalesce(e.primary_member_id, e.member_id)
         ) b
         join member f on f.company_id = b.company_id and f.id = b.member_id
         join product p on p.company_id = b.company_id and p.id = b.product_id
         left join member q on q.company_id = b.company_id and q.id = b.primary_member_id), '[]') as family,
       coalesce((
         select json_agg(json_build_object('document-id', k.id, 'document-type', i.item->>'document-type', 'name', k.name,
             'content-type', k.content_type, 'size', k.size) order by i.place)
         from sent i
         join document k on k.id = (i.item->>'document-id')::uuid and k.request_id = i.request_id), '[]') as documents
     from enrollment e
     join request r on r.company_id = e.company_id and r.id = e.request_id
     join company c on c.id = e.company_id
     join product p on ${productOfEnrollment}
     left join member m on m.company_id = e.company_id and m.id = e.member_id
     left join benefit o on o.company_id = e.company_id and o.id = e.benefit_id
     where e.id = $1`,
    [enrollmentId],
  )
  return row ?? null
}
