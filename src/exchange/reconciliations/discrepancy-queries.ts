import { conditionsOf, pages, readerOf, type Where } from '#platform/http/pages.ts'
import type { PageQuery } from '#platform/http/schemas.ts'
import { type Static, Type } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { equals, Parameters } from '#platform/core/parameters.ts'
import { likeName, parseSearch } from '#kernel/search.ts'
import type { DiscrepancyClass, DiscrepancyStatus, ReconciliationKind } from '#kernel/reconciliation.ts'
import { lineBenefit } from '../carrier-files/line-queries.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'
import type { DiscrepancyChange } from './queries.ts'
import { discrepancyFilters } from './schema.ts'

/** SQL of a Discrepancy over the rows of `joined`; the person is that of the benefit, else of the line. */
const discrepancyJson = `json_build_object('discrepancy-id', discrepancy.id, 'class', discrepancy.class, 'status', discrepancy.status,
  'explanation', discrepancy.explanation, 'expected', discrepancy.expected, 'found', discrepancy.found, 'amount', discrepancy.amount,
  'days', discrepancy.days, 'cover-month', discrepancy.cover_month, 'assignee', discrepancy.assignee, 'note', discrepancy.note, 'request-id', discrepancy.request_id,
  'claim-id', discrepancy.claim_id, 'benefit-id', discrepancy.benefit_id, 'member-id', member.id,
  'member-name', coalesce(member.name, carrier_line.name), 'member-tax-id', coalesce(member.tax_id, carrier_line.tax_id),
  'member-type', coalesce(benefit.type, carrier_line.member_type), 'employee-id', coalesce(member.employee_id, carrier_line.employee_id),
  'product-name', product.name, 'card-number', coalesce(benefit.card_number, carrier_line.card_number),
  'line-number', discrepancy.line_number, 'matched-by', carrier_line.matched_by, 'updated-at', iso(discrepancy.updated_at))`

/** SQL: joins the line and the benefit of a `discrepancy` of the `reconciliation`. */
export const lineOfDiscrepancy = `left join carrier_line on carrier_line.company_id = discrepancy.company_id and carrier_line.file_id = reconciliation.carrier_file_id
    and carrier_line.line_number = discrepancy.line_number
  ${lineBenefit.replaceAll('carrier_line.', 'discrepancy.')}`

const joined = `discrepancy
  join reconciliation on reconciliation.company_id = discrepancy.company_id and reconciliation.id = discrepancy.reconciliation_id
  ${lineOfDiscrepancy}`

const Filters = Type.Object(discrepancyFilters)
/** `q` as `filterOf` makes it. */
export type DiscrepancyFilter = Partial<Static<typeof Filters>>

/** The filters with the wildcards of LIKE escaped in `q`. @throws ApiError 400 for a search that is too short. */
export function filterOf<Filters extends DiscrepancyFilter>({ q, ...filters }: Filters) {
  const search = parseParameter('q', q, parseSearch)
  return { ...filters, ...(search && { q: search.text }) }
}

const where: Where<DiscrepancyFilter> = {
  class: equals('discrepancy.class'),
  status: equals('discrepancy.status'),
  explanation: equals('discrepancy.explanation'),
  assignee: equals('discrepancy.assignee'),
  q: (name) => `fold_name(coalesce(member.name, carrier_line.name)) like ${likeName(name)}`,
}

interface ReconciliationKey {
  readonly companyId: string
  readonly id: string
}

/** SQL of the condition over `joined`. */
const conditionOf = (parameters: Parameters, { companyId, id }: ReconciliationKey, filter: DiscrepancyFilter) =>
  [
    `discrepancy.company_id = ${parameters.add(companyId)}`,
    `discrepancy.reconciliation_id = ${parameters.add(id)}`,
    ...conditionsOf(where, filter, parameters),
  ].join(' and ')

const order = `discrepancy.status <> 'open', abs(discrepancy.amount) desc nulls last, discrepancy.class,
  coalesce(discrepancy.line_number, 2147483647), discrepancy.id`

/** A page of the discrepancies: the open ones and the largest amounts first. */
export const discrepancyPage = pages<DiscrepancyFilter & PageQuery>({
  from: joined,
  item: discrepancyJson,
  order,
  where,
})

/** The statement of all discrepancies, for an export: a row has its JSON as `item`. */
export function exportStatement(
  key: ReconciliationKey,
  filter: DiscrepancyFilter,
): { readonly text: string; readonly values: readonly unknown[] } {
  const parameters = new Parameters()
  const from = `${joined} where ${conditionOf(parameters, key, filter)}`
  return { text: `select ${discrepancyJson}::text as item from ${from} order by ${order}`, values: parameters.values }
}

/** `{ "result": discrepancy }`; null when there is none. */
export const readDiscrepancy = readerOf({ from: joined, item: discrepancyJson })

/**
 * Changes discrepancies that no one has claimed or corrected.
 * @param which ids, or those that a filter selects.
 * @returns the ids of those that changed.
 */
export async function changeDiscrepancies(
  sql: Sql,
  key: ReconciliationKey,
  which: readonly string[] | DiscrepancyFilter,
  { status, note, assignee }: DiscrepancyChange,
  at: Date,
): Promise<string[]> {
  const parameters = new Parameters()
  const isList = Array.isArray(which)
  const filter = isList ? {} : (which as DiscrepancyFilter)
  const selected = `${conditionOf(parameters, key, filter)}${isList ? ` and discrepancy.id = any(${parameters.add(which)}::uuid[])` : ''}`
  const sets = [`updated_at = ${parameters.add(at)}`]
  if (status !== undefined) {
    sets.push(`status = ${parameters.add(status)}`)
    // What explains itself keeps its explanation.
    sets.push(
      status === 'explained' ? `explanation = coalesce(discrepancy.explanation, 'by-hand')` : `explanation = null`,
    )
  }
  if (note !== undefined) sets.push(`note = ${parameters.add(note)}`)
  if (assignee !== undefined) sets.push(`assignee = ${parameters.add(assignee)}`)
  const rows = await sql.query<{ id: string }>(
    `update discrepancy set ${sets.join(', ')} from (select discrepancy.company_id, discrepancy.id from ${joined} where ${selected}) selected
     where discrepancy.company_id = selected.company_id and discrepancy.id = selected.id
       ${status === undefined ? '' : `and discrepancy.status not in ('claimed', 'corrected')`}
     returning discrepancy.id`,
    parameters.values,
  )
  return rows.map((row) => row.id)
}

interface LinePlan {
  readonly productId: string
  readonly productName: string
  readonly productType: string
  readonly startOption: string
}

/** A discrepancy that is corrected, with what the carrier says. */
export interface CorrectableDiscrepancy {
  readonly companyId: string
  readonly companyTaxId: string
  readonly reconciliationId: string
  readonly contractId: string
  readonly class: DiscrepancyClass
  readonly status: DiscrepancyStatus
  readonly isClosed: boolean
  readonly kind: ReconciliationKind
  /** Whether the company sees it. */
  readonly isShown: boolean
  readonly benefitId: string | null
  readonly memberId: string | null
  readonly memberTaxId: string | null
  readonly memberType: 'primary' | 'dependent' | null
  readonly line: {
    readonly name: string | null
    readonly taxId: string | null
    readonly dateOfBirth: string | null
    readonly memberType: 'primary' | 'dependent' | null
    readonly dependentType: string | null
    readonly planCode: string | null
    readonly startDate: string | null
    readonly endDate: string | null
    readonly cardNumber: string | null
    readonly employeeId: string | null
    readonly details: Readonly<Record<string, string>> | null
  } | null
  /** The product here of the plan that the line has; null: none, or several. */
  readonly linePlan: LinePlan | null
  /** The CPF of the primary of the family that the line is of; null: the file does not say it. */
  readonly primaryTaxId: string | null
}

export async function findCorrectable(sql: Sql, id: string): Promise<CorrectableDiscrepancy | null> {
  const plans = `contract_plan join product on product.company_id = contract_plan.company_id and product.id = contract_plan.product_id
    where contract_plan.company_id = reconciliation.company_id and contract_plan.contract_id = reconciliation.contract_id
      and product.retired_at is null
      and (carrier_line.plan_code is null or contract_plan.carrier_plan_code is null or contract_plan.carrier_plan_code = carrier_line.plan_code)`
  const rows = await sql.query<CorrectableDiscrepancy>(
    `select discrepancy.company_id as "companyId", company.tax_id as "companyTaxId", reconciliation.id as "reconciliationId",
       reconciliation.contract_id as "contractId", discrepancy.class, discrepancy.status, reconciliation.status = 'closed' as "isClosed",
       reconciliation.kind, contract.show_discrepancies as "isShown",
       discrepancy.benefit_id as "benefitId", member.id as "memberId", member.tax_id as "memberTaxId", benefit.type as "memberType",
       case when carrier_line.line_number is not null then json_build_object('name', carrier_line.name, 'taxId', carrier_line.tax_id,
         'dateOfBirth', carrier_line.date_of_birth, 'memberType', carrier_line.member_type, 'dependentType', carrier_line.dependent_type,
         'planCode', carrier_line.plan_code, 'startDate', carrier_line.start_date, 'endDate', carrier_line.end_date,
         'cardNumber', carrier_line.card_number, 'employeeId', carrier_line.employee_id, 'details', carrier_line.details) end as line,
       (select json_build_object('productId', min(product.id::text), 'productName', min(product.name),
         'productType', min(product.product_type), 'startOption', min(product.allowed_start_options[1])) from ${plans}
        having count(*) = 1) as "linePlan",
       coalesce(carrier_line.details ->> 'primary-tax-id', (
         select min(primary_line.tax_id) from carrier_line primary_line
         where primary_line.company_id = carrier_line.company_id and primary_line.file_id = carrier_line.file_id
           and primary_line.certificate = carrier_line.certificate and primary_line.member_type = 'primary')) as "primaryTaxId"
     from ${joined} join company on company.id = discrepancy.company_id
     join contract on contract.company_id = reconciliation.company_id and contract.id = reconciliation.contract_id
     where discrepancy.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** Marks a discrepancy as corrected. @returns false when it was claimed or corrected meanwhile. */
export async function markCorrected(
  sql: Sql,
  companyId: string,
  id: string,
  requestId: string | null,
  at: Date,
): Promise<boolean> {
  const changed = await sql.execute(
    `update discrepancy set status = 'corrected', request_id = $3, updated_at = $4
     where company_id = $1 and id = $2 and status not in ('claimed', 'corrected')`,
    [companyId, id, requestId, at],
  )
  return changed === 1
}
