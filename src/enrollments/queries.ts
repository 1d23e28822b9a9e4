import { byKind } from './kind.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'
import { ApiError, notEntitled } from '../core/errors.ts'

const ofBenefit = (column: string) =>
  `(select x.${column} from benefit x where x.company_id = e.company_id and x.id = e.benefit_id)`

/** The start of the benefit of an inclusion: as accepted, or as the carrier set it. Of an alteration the requested start. */
export const startDate = byKind('e.enrollment_type', {
  inclusion: `coalesce(${ofBenefit('start_date')}, e.start_date)`,
  exclusion: 'null::date',
  alteration: 'e.effective_date',
})

/** The end that an exclusion requests; once it is completed, that of the benefit, unless an extension plan keeps it. */
export const endDate = byKind('e.enrollment_type', {
  inclusion: 'null::date',
  exclusion: `coalesce(case when e.status = 'completed' then ${ofBenefit('end_date')} end, e.effective_date)`,
  alteration: 'null::date',
})

const exclusionDetail = `e.data->'exclusion-details'`

const columns = `'id', e.id, 'enrollment-type', e.enrollment_type, 'status', e.status, 'reason', e.reason,
  'created-at', iso(e.created_at), 'last-updated-at', iso(e.updated_at),
  'member-type', e.member_type, 'member-tax-id', e.member_tax_id, 'member-id', e.member_id,
  'company-tax-id', c.tax_id, 'product-id', p.id, 'product-name', p.name, 'product-type', p.product_type,
  'carrier-name', p.carrier_name, 'scheduled-action-date', e.scheduled_action_date, 'scheduled-reason', e.scheduled_reason,
  'request-id', e.request_id, 'reference', e.reference, 'benefit-id', e.benefit_id, 'start-date', ${startDate}, 'end-date', ${endDate},
  'exclusion-reason', ${exclusionDetail}->>'exclusion-reason', 'extension-plan', (${exclusionDetail}->>'extension-plan')::boolean,
  'destination-company-tax-id', case when e.destination_company_id <> e.company_id then (
    select x.tax_id from company x where x.id = e.destination_company_id) end,
  'pending-items', e.pending_items`

/** The creation is in the enrollment itself, every later step in its history. */
function historyJson(created: string, later: string): string {
  // Joined as text: a union of a row of no table with rows of a distributed one is refused by Citus.
  return `('[' || concat_ws(', ', json_build_object('status', e.initial_status, 'at', iso(e.created_at), 'actor', e.initial_actor${created},
      'reason', null)::text, (
    select string_agg(json_build_object('status', s.status, 'at', iso(s.at), 'actor', s.actor${later}, 'reason', s.reason)::text,
      ', ' order by s.step)
    from enrollment_history s where s.company_id = e.company_id and s.enrollment_id = e.id)) || ']')::json`
}

/** SQL: joins p (product) to e (enrollment); of a plan or company change it is the destination's product. */
export const productOfEnrollment = `p.company_id = coalesce(e.destination_company_id, e.company_id)
  and p.id = coalesce(e.destination_product_id, e.product_id)`

/** SQL of an Enrollment detail, over the aliases e (enrollment), c (company) and p (product). */
export const enrollmentDetailJson = `json_build_object(${columns}, 'history', ${historyJson('', '')})`

const operatorHistory = historyJson(
  `, 'actor-id', (select q.client_id from request q where q.company_id = e.company_id and q.id = e.request_id)`,
  `, 'actor-id', s.actor_id`,
)

/** The same for operators: history items also have the actor's id. */
export const operatorEnrollmentJson = `json_build_object(${columns}, 'history', ${operatorHistory})`

/** SQL: the name of the member, of a rejected inclusion as sent. */
export const memberName = `coalesce((select m.name from member m where m.company_id = e.company_id and m.id = e.member_id),
  e.data->>'name')`

/** SQL: the CPF of the primary, who may be no member any more when inclusions were rejected. */
export const primaryTaxId = `coalesce(
  (select m.tax_id from member m where m.company_id = e.company_id and m.id = e.primary_member_id),
  (select x.member_tax_id from enrollment x where x.company_id = e.company_id and x.member_id = e.primary_member_id limit 1))`

/** SQL: the number of notes of operators. */
export const notesCount = `(select count(*) from enrollment_note n where n.company_id = e.company_id and n.enrollment_id = e.id)`

/** SQL of an item of the operators' queue: an Enrollment detail with more properties. */
export const queueItemJson = `json_build_object(${columns}, 'member-name', ${memberName}, 'company-name', c.name,
  'primary-member-tax-id', ${primaryTaxId}, 'due-date', e.due_date, 'assignee', e.assignee, 'notes-count', ${notesCount},
  'history', ${operatorHistory})`

export interface FoundEnrollment {
  readonly found: boolean
  /** `{ "result": Enrollment detail }`; null unless the caller is entitled to the company. */
  readonly body: string | null
}

const enrollmentOfCaller = `
select d.found is not null as found, d.body
from ${activePartner}
left join (
  select true as found,
    case when t.client_id is not null then json_build_object('result', ${enrollmentDetailJson})::text end as body
  from enrollment e
  join company c on c.id = e.company_id
  left join product p on ${productOfEnrollment}
  left join entitlement t on t.company_id = e.company_id and t.client_id = $1
  where e.id = $2
) d on true`

/** An enrollment as the caller may see it. @throws ApiError 401 when the client is revoked. */
export async function readEnrollment(sql: Sql, caller: Client, enrollmentId: string): Promise<FoundEnrollment> {
  return rowOfActivePartner(await sql.query<FoundEnrollment>(enrollmentOfCaller, [caller.clientId, enrollmentId]))
}

/**
 * The company of an enrollment that the caller may write to.
 * @throws ApiError 401 when the client is revoked, 403 for an enrollment of another client's company, 404 when there is none.
 */
export async function readCompanyOfEnrollment(sql: Sql, caller: Client, enrollmentId: string): Promise<string> {
  const { companyId, entitled } = rowOfActivePartner(
    await sql.query<{ companyId: string | null; entitled: boolean }>(
      `select e.company_id as "companyId", t.client_id is not null as entitled
       from ${activePartner}
       left join enrollment e on e.id = $2
       left join entitlement t on t.company_id = e.company_id and t.client_id = $1`,
      [caller.clientId, enrollmentId],
    ),
  )
  if (companyId === null) throw new ApiError('enrollment-not-found')
  if (!entitled) throw notEntitled('enrollment')
  return companyId
}

/** `{ "result": Enrollment detail }` for an operator, who sees every company; null when there is none. */
export async function readEnrollmentForOperator(sql: Sql, enrollmentId: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${operatorEnrollmentJson})::text as body
     from enrollment e
     join company c on c.id = e.company_id
     join product p on ${productOfEnrollment}
     where e.id = $1`,
    [enrollmentId],
  )
  return rows[0]?.body ?? null
}
