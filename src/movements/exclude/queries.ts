import type { Caller } from '../../http/caller.ts'
import type { Sql } from '../../platform/database.ts'
import type { BeneficiaryType } from '../../domain/enums.ts'
import type { ExclusionFacts } from '../../domain/exclusion.ts'
import { isOpen } from '../../enrollments/is-open.ts'

/**
 * Locks the active and pending benefits of a member, of the member's dependents and of the member's primaries in one company. Every
 * movement of a person with benefits takes these locks first, so that two of them are serialised.
 */
export async function lockActiveBenefits(sql: Sql, companyId: string, memberId: string): Promise<void> {
  await sql.planned(
    `select b.id from benefit b
     where b.company_id = $1 and b.status in ('pending', 'active') and b.id = any(array(
       select id from benefit where company_id = $1 and member_id = $2
       union
       select id from benefit where company_id = $1 and primary_member_id = $2 and type = 'dependent'
       union
       select p.id from benefit d
       join benefit p on p.company_id = $1 and p.member_id = d.primary_member_id and p.product_id = d.product_id and p.type = 'primary'
       where d.company_id = $1 and d.member_id = $2 and d.status in ('pending', 'active')))
     order by b.id for update`,
    [companyId, memberId],
  )
}

/** The data of a member in one company that an exclusion is judged by, if the client is entitled to the company. */
export async function readExclusionFacts(
  sql: Sql,
  caller: Caller,
  companyId: string,
  memberId: string,
): Promise<ExclusionFacts> {
  const [row] = await sql.planned<Pick<ExclusionFacts, 'benefits' | 'open'>>(
    `with scope as (
       select company_id from entitlement where company_id = $1 and client_id = $3
     ), in_force as materialized (
       select b.* from scope s join benefit b on b.company_id = s.company_id
       where (b.member_id = $2 or b.primary_member_id = $2) and b.status in ('pending', 'active')
     )
     select
       coalesce((select json_agg(json_build_object('id', b.id, 'companyId', b.company_id, 'memberId', b.member_id,
           'taxId', m.tax_id, 'productId', b.product_id, 'productName', p.name, 'type', b.type,
           'primaryMemberId', b.primary_member_id, 'primaryTaxId', q.tax_id, 'status', b.status, 'startDate', b.start_date,
           'isPrimaryKept', b.type = 'dependent' and exists (select 1 from benefit k where k.company_id = b.company_id
             and k.member_id = b.primary_member_id and k.product_id = b.product_id and k.type = 'primary' and k.status = 'active'
             and k.extension_plan and k.end_date is null),
           'changeId', (select e.id from enrollment e where e.company_id = b.replaces_company_id and e.new_benefit_id = b.id)) order by b.id)
         from in_force b
         join member m on m.company_id = b.company_id and m.id = b.member_id
         join product p on p.company_id = b.company_id and p.id = b.product_id
         left join member q on q.company_id = b.company_id and q.id = b.primary_member_id), '[]') as benefits,
       coalesce((select json_agg(json_build_object('id', e.id, 'memberId', e.member_id))
         from scope s join enrollment e on e.company_id = s.company_id
         where (e.member_id = $2 or e.member_id in (select b.member_id from in_force b))
           and ${isOpen('e')}), '[]') as open`,
    [companyId, memberId, caller.clientId],
  )
  return { companyId, memberId, benefits: row?.benefits ?? [], open: row?.open ?? [] }
}

export interface ExclusionRow {
  readonly id: string
  readonly primaryEnrollmentId: string | null
  readonly memberId: string
  readonly taxId: string
  readonly type: BeneficiaryType
  readonly primaryMemberId: string | null
  readonly productId: string
  readonly productName: string
  readonly benefitId: string
}

export interface NewExclusion {
  readonly companyId: string
  readonly requestId: string
  readonly at: Date
  readonly endDate: string
  /** Whether the end date is in the future: the enrollments are `scheduled` until then. */
  readonly isScheduled: boolean
  /** The body in normal form, in wire keys. */
  readonly data: Readonly<Record<string, unknown>>
  readonly rows: readonly ExclusionRow[]
}

/** Inserts the completed request of an exclusion and an enrollment for each benefit. */
export async function insertExclusion(sql: Sql, caller: Caller, exclusion: NewExclusion): Promise<void> {
  const { companyId, requestId, at, endDate, isScheduled, data, rows } = exclusion
  await sql.planned(
    `with new_request as (
       insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
       values ($1, $2, $3, 'exclusion', 'completed', $4, $4)
     )
     insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
       primary_member_id, product_id, product_name, benefit_id, effective_date, primary_enrollment_id, scheduled_action_date,
       scheduled_reason, data, initial_status, created_at, updated_at)
     select $1::uuid, r.id, $2::uuid, 'exclusion', s.status, r."memberId", r."taxId", r.type, r."primaryMemberId",
       r."productId", r."productName", r."benefitId", $5::date, r."primaryEnrollmentId", case when $6 then $5::date end,
       case when $6 then 'future-end-date' end, $7::jsonb, s.status, $4::timestamptz, $4::timestamptz
     from json_to_recordset($8::json) as r(id uuid, "primaryEnrollmentId" uuid, "memberId" uuid, "taxId" bpchar, type text,
       "primaryMemberId" uuid, "productId" uuid, "productName" text, "benefitId" uuid)
     cross join (select case when $6 then 'scheduled' else 'created' end) s(status)`,
    [companyId, requestId, caller.clientId, at, endDate, isScheduled, JSON.stringify(data), JSON.stringify(rows)],
  )
}
