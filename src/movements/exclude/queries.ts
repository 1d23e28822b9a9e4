import type { Caller } from '../../http/caller.ts'
import type { Sql } from '../../platform/database.ts'
import type { BeneficiaryType } from '../../domain/enums.ts'
import type { ExclusionFacts } from '../../domain/exclusion.ts'
import { insertCompletedRequest } from '../completed-request.ts'
import { isOpen } from '../../enrollments/is-open.ts'

/**
 * Locks the active and pending benefits of a member, of the member's dependents and of the member's primaries in one company. Every
 * movement of a person with benefits takes these locks first, so that two of them are serialised.
 */
export async function lockActiveBenefits(sql: Sql, companyId: string, memberId: string): Promise<void> {
  await sql.queryPlanned(
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
  const [row] = await sql.queryPlanned<Pick<ExclusionFacts, 'benefits' | 'open'>>(
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

/** Inserts an exclusion: its request, and an enrollment for each benefit. @returns the ids of the enrollments. */
export async function insertExclusion(sql: Sql, caller: Caller, exclusion: NewExclusion): Promise<string[]> {
  const { companyId, requestId, at, endDate, isScheduled, data, rows } = exclusion
  const status = isScheduled ? `'scheduled'` : `'created'`
  return insertCompletedRequest(sql, caller, {
    companyId,
    requestId,
    requestType: 'exclusion',
    resolution: null,
    at,
    enrollments: {
      columns: {
        company_id: '$1::uuid',
        id: 'r.id',
        request_id: '$2::uuid',
        enrollment_type: `'exclusion'`,
        status,
        initial_status: status,
        member_id: 'r."memberId"',
        member_tax_id: 'r."taxId"',
        member_type: 'r.type',
        primary_member_id: 'r."primaryMemberId"',
        product_id: 'r."productId"',
        product_name: 'r."productName"',
        benefit_id: 'r."benefitId"',
        effective_date: '$3::date',
        primary_enrollment_id: 'r."primaryEnrollmentId"',
        ...(isScheduled ? { scheduled_action_date: '$3::date', scheduled_reason: `'future-end-date'` } : {}),
        data: '$4::jsonb',
      },
      from: `json_to_recordset($5::json) as r(id uuid, "primaryEnrollmentId" uuid, "memberId" uuid, "taxId" bpchar, type text,
        "primaryMemberId" uuid, "productId" uuid, "productName" text, "benefitId" uuid)`,
      values: [companyId, requestId, endDate, JSON.stringify(data), JSON.stringify(rows)],
    },
  })
}
