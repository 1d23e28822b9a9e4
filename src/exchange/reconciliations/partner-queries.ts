import type { Static } from 'typebox'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { equals, oneOf, Parameters } from '#platform/core/parameters.ts'
import type { Page } from '#platform/http/page.ts'
import { conditionsOf, type Where } from '#platform/http/pages.ts'
import { pageBounds, type PageQuery } from '#platform/http/schemas.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import { invoiceKind } from '../carrier-files/queries.ts'
import { lineOfDiscrepancy } from './discrepancy-queries.ts'
import type { CompanyDiscrepancyQuery, CompanyReconciliationQuery } from './partner-schema.ts'
import { amountOfClass, countsJson, isOfCompany, ofReconciliation } from './queries.ts'

/** SQL, for `from`: the comparisons that the caller $1 sees: computed ones of contracts that show them, those of invoices where it sees money. */
const comparisons = `entitlement
  join contract on contract.company_id = entitlement.company_id and contract.show_discrepancies
  join reconciliation on reconciliation.company_id = contract.company_id and reconciliation.contract_id = contract.id
    and reconciliation.computed_at is not null and (reconciliation.kind <> 'invoice' or entitlement.see_money)
  join carrier_file on carrier_file.company_id = contract.company_id and carrier_file.id = reconciliation.carrier_file_id
  join company on company.id = contract.company_id join carrier on carrier.id = contract.carrier_id`

/** SQL: while it is computed again it is as it was. */
const statusOf = `case reconciliation.status when 'closed' then 'closed' else 'open' end`

const ofComparison = `'kind', reconciliation.kind, 'reference-month', reconciliation.reference_month, 'company-tax-id', company.tax_id,
  'carrier-name', carrier.name`

const reconciliationJson = `json_build_object('reconciliation-id', reconciliation.id, 'invoice-kind', ${invoiceKind}, ${ofComparison}, 'company-name', company.name,
  'as-of', reconciliation.as_of, 'status', ${statusOf}, 'carrier-total', reconciliation.carrier_total,
  'expected-total', reconciliation.expected_total, 'discrepancy', reconciliation.discrepancy,
  'counts', ${countsJson(isOfCompany, amountOfClass)}, 'computed-at', iso(reconciliation.computed_at))`

const discrepancies = `${comparisons} join discrepancy on ${ofReconciliation} and ${isOfCompany} ${lineOfDiscrepancy}`

const discrepancyJson = `json_build_object('discrepancy-id', discrepancy.id, ${ofComparison}, 'class', discrepancy.class,
  'status', discrepancy.status, 'explanation', discrepancy.explanation, 'expected', discrepancy.expected, 'found', discrepancy.found,
  'amount', discrepancy.amount, 'days', discrepancy.days, 'cover-month', discrepancy.cover_month, 'member-id', member.id,
  'member-name', coalesce(member.name, carrier_line.name), 'member-tax-id', coalesce(member.tax_id, carrier_line.tax_id),
  'product-name', product.name, 'request-id', discrepancy.request_id, 'updated-at', iso(discrepancy.updated_at))`

const where = {
  'company-tax-id': equals('company.tax_id'),
  kind: equals('reconciliation.kind'),
  'reference-month': equals('reconciliation.reference_month'),
}

/** The instants at which something that an item shows changed, or at which it was shown first. */
const changes = ['discrepancy', 'contract', 'benefit', 'member', 'product', 'carrier'].map(
  (table) => `${table}.updated_at`,
)

const discrepancyWhere: Where<Static<typeof CompanyDiscrepancyQuery>> = {
  ...where,
  class: equals('discrepancy.class'),
  status: oneOf('discrepancy.status'),
  'member-tax-id': equals('coalesce(member.tax_id, carrier_line.tax_id)'),
  'updated-since': (since) => `greatest(entitlement.created_at, ${changes.join(', ')}) >= ${since}::timestamptz`,
}

/** A page of the comparisons that the caller sees, the latest month first. @throws ApiError 401, 403 for another company. */
export function listCompanyReconciliations(
  sql: Sql,
  caller: Client,
  query: Static<typeof CompanyReconciliationQuery>,
): Promise<Page> {
  return pageOfCaller(sql, caller, query, {
    from: comparisons,
    item: reconciliationJson,
    order: 'reconciliation.reference_month desc, reconciliation.created_at desc, reconciliation.id desc',
    where: { ...where, status: equals(statusOf) },
  })
}

/** A page of the discrepancies of these comparisons, the latest month first. @throws ApiError 401, 403 for another company. */
export function listCompanyDiscrepancies(
  sql: Sql,
  caller: Client,
  query: Static<typeof CompanyDiscrepancyQuery>,
): Promise<Page> {
  return pageOfCaller(sql, caller, query, {
    from: discrepancies,
    item: discrepancyJson,
    order: 'reconciliation.reference_month desc, discrepancy.class, discrepancy.id',
    where: discrepancyWhere,
  })
}

async function pageOfCaller<Query extends PageQuery & { 'company-tax-id'?: string }>(
  sql: Sql,
  caller: Client,
  query: Query,
  list: { readonly from: string; readonly item: string; readonly order: string; readonly where: Where<Query> },
): Promise<Page> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, limit, offset)
  const { 'company-tax-id': companyTaxId } = query
  const company = companyTaxId === undefined ? null : parameters.add(companyTaxId)
  const conditions = ['entitlement.client_id = $1', ...conditionsOf(list.where, query, parameters)]
  const selected = `from ${list.from} where ${conditions.join(' and ')}`
  const { isEntitled, ...page } = rowOfActiveClient(
    await sql.queryPlanned<Page & { isEntitled: boolean }>(
      `select ${isEntitledTo(company)} as "isEntitled", (select count(*) ${selected}) as total, (
         select coalesce(json_agg(page.item), '[]')::text from (
           select ${list.item} as item ${selected} order by ${list.order} limit $2 offset $3) page) as items
       from ${activePartner}`,
      parameters.values,
    ),
  )
  if (!isEntitled) throw notEntitled('company')
  return page
}
