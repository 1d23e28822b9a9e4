import type { LocalDate } from '#kernel/calendar.ts'
import { registrationJson } from '#coverage/members/write.ts'
import type { Sql } from '#platform/core/database.ts'
import type { RosterProduct } from '../rules/roster.ts'

/** The products of a company that are not retired, and those that somebody still has. */
export async function readProducts(
  sql: Sql,
  companyId: string,
  productIds: readonly string[] | null,
): Promise<RosterProduct[]> {
  return sql.query<RosterProduct>(
    `select id, name, name_key as "nameKey", product_type as type, $2::uuid[] is null or id = any($2::uuid[]) as "isInScope"
     from product where company_id = $1 and (retired_at is null
       or exists (select 1 from benefit where benefit.company_id = $1 and benefit.product_id = product.id and benefit.status in ('pending', 'active')))
     order by id`,
    [companyId, productIds],
  )
}

export interface FactsOfFamilies {
  /** JSON of `RosterFamily[]`; null: there are no more. */
  readonly families: string | null
  /** The last family of them. */
  readonly through: string | null
  readonly people: number
}

/** SQL: the business day of a column, at most today ($7), which may be pinned. */
const dayOf = (column: string): string => `least((${column} at time zone 'America/Sao_Paulo')::date, $7::date)`

/** SQL: a list, or an empty one. */
const listOf = (item: string, from: string, order: string): string =>
  `coalesce((select json_agg(${item} order by ${order}) from ${from}), '[]')`

const lines = listOf(
  `roster_line.data || jsonb_build_object('line', roster_line.line, 'taxId', roster_line.tax_id, 'offenses', roster_line.offenses)`,
  `unnest(person.lines) as own(position) join roster_line on roster_line.company_id = $1 and roster_line.sync_id = $2
    and roster_line.position = own.position`,
  'roster_line.position',
)

const inScope = `($5::uuid[] is null or benefit.product_id = any($5::uuid[]))`
const isInForce = `benefit.status in ('pending', 'active')`
/** The role and the family are those of the person. */
const isOwn = `benefit.type = person.role and coalesce(benefit.primary_member_id, benefit.member_id)::text = person.family`

const benefitJson = `json_build_object('id', benefit.id, 'productId', benefit.product_id, 'status', benefit.status, 'startDate', benefit.start_date,
  'endDate', benefit.end_date, 'extensionPlan', benefit.extension_plan, 'cardNumber', benefit.card_number, 'dependentType', benefit.dependent_type,
  'primaryTaxId', (select primary_member.tax_id from member primary_member where primary_member.company_id = $1
    and primary_member.id = benefit.primary_member_id),
  'includedOn', case when ${dayOf('benefit.created_at')} <= $4::date then ${dayOf('benefit.created_at')}
    -- an import of today may be of a cover of years ago
    else coalesce((select ${dayOf('min(enrollment.created_at)')} from enrollment where enrollment.company_id = $1
      and enrollment.member_id = benefit.member_id and enrollment.benefit_id = benefit.id and enrollment.enrollment_type = 'inclusion'),
      least(benefit.start_date, ${dayOf('benefit.created_at')})) end)`

/** SQL of a list of the benefits that fulfil a condition. */
const some = (item: string, condition: string, order = 'benefit.id'): string =>
  `coalesce(json_agg(${item} order by ${order}) filter (where ${condition}), '[]')`

/** What `member` has, and had. */
const cover = `select ${some(benefitJson, `${isInForce} and ${inScope} and ${isOwn}`)} as benefits,
    ${some('benefit.product_id', `${isInForce} and ${inScope} and not (${isOwn})`)} as other_products,
    ${some('distinct product.product_type', isInForce, 'product.product_type')} as product_types,
    ${some(
      `json_build_object('productId', benefit.product_id, 'writtenOn', ${dayOf('benefit.updated_at')})`,
      `benefit.status = 'inactive' and ${inScope} and ${dayOf('benefit.updated_at')} > $4::date`,
    )} as ended
  from benefit join product on product.company_id = $1 and product.id = benefit.product_id
  where benefit.company_id = $1 and benefit.member_id = member.id`

const movements = listOf(
  `json_build_object('enrollmentId', open_movement.id, 'kind', open_movement.enrollment_type, 'productId', open_movement.product_id,
    'destinationProductId', open_movement.destination_product_id)`,
  `benefit join open_movement on open_movement.company_id = $1 and open_movement.benefit_id = benefit.id
    where benefit.company_id = $1 and benefit.member_id = member.id and ${inScope}`,
  'open_movement.id',
)
const waiting = listOf(
  `json_build_object('class', movement_draft_item.class, 'productId', movement_draft_item.product_id)`,
  `movement_draft_item where movement_draft_item.company_id = $1 and movement_draft_item.tax_id = member.tax_id
    and movement_draft_item.status in ('approval', 'confirmed')`,
  'movement_draft_item.draft_id, movement_draft_item.number',
)

/**
 * What the next families of a list are compared by, in their order.
 * @param scope the products that the list is about; null: all.
 * @param limit of people; the last family is whole.
 */
export async function readFamilies(
  sql: Sql,
  {
    companyId,
    syncId,
    after,
    asOf,
    today,
  }: { companyId: string; syncId: string; after: string | null; asOf: LocalDate; today: LocalDate },
  scope: readonly string[] | null,
  limit: number,
): Promise<FactsOfFamilies> {
  // Everything is found by an index for each person: nothing is known of rows that have just been inserted, and joins of them take the time of all pairs.
  const [row] = await sql.queryPlanned<FactsOfFamilies>(
    `with person as materialized (
       select * from roster_person where company_id = $1 and sync_id = $2 and family > coalesce($3, '') and family <= (
         select max(family) from (select family from roster_person where company_id = $1 and sync_id = $2 and family > coalesce($3, '')
           order by family limit $6) next)
     ), compared as (
       select person.family, person.position, json_build_object('role', person.role, 'lines', ${lines}, 'matchedBy', person.matched_by,
         'isOutside', person.is_outside, 'member', case when member.id is not null then json_build_object('id', member.id, 'taxId', member.tax_id,
           'profile', ${registrationJson('member')}, 'benefits', cover.benefits,
           'otherProductIds', cover.other_products, 'endedSince', cover.ended,
           'productTypes', cover.product_types,
           'openMovements', ${movements}, 'waiting', ${waiting}) end) as fact
       from person left join member on member.company_id = $1 and member.id = person.member_id
       left join lateral (${cover}) cover on true
     ), joined as (
       select family, json_agg(fact order by position) as people, count(*) as size from compared group by family
     )
     select json_agg(json_build_object('family', family, 'people', people) order by family)::text as families, max(family) as through,
       coalesce(sum(size), 0)::integer as people
     from joined`,
    [companyId, syncId, after, asOf, scope, limit, today],
  )
  return row ?? { families: null, through: null, people: 0 }
}
