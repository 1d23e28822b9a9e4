import { readerOf } from '#platform/http/pages.ts'
import type { Page } from '#platform/http/page.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import { changedBenefitsOfMembers } from './changed-queries.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { conditionsOf } from '#platform/http/pages.ts'
import { pageBounds, type PageQuery } from '#platform/http/schemas.ts'

const fieldsOf = (benefit: string, company: string, product: string, primary: string) =>
  `'benefit-id', ${benefit}.id, 'status', ${benefit}.status, 'company-tax-id', ${company}.tax_id, 'product-id', ${benefit}.product_id,
  'product-name', ${product}.name, 'product-type', ${product}.product_type, 'carrier-name', ${product}.carrier_name,
  'type', ${benefit}.type, 'start-date', ${benefit}.start_date, 'end-date', ${benefit}.end_date, 'extension-plan', ${benefit}.extension_plan,
  'card-number', ${benefit}.card_number, 'dependent-type', ${benefit}.dependent_type, 'primary-member-tax-id', ${primary}.tax_id`

/** SQL of the fields of a Benefit, over `benefit`, `company`, `product` and `primary_member`, its primary's member, if any. */
export const benefitFields = fieldsOf('benefit', 'company', 'product', 'primary_member')

/** The same of an OperatorBenefit: with what the carrier knows it by. */
export const operatorBenefitFields = `${benefitFields}, 'carrier-certificate', benefit.carrier_certificate,
  'carrier-dependent-code', benefit.carrier_dependent_code`

/** SQL of a Benefit. @param primary its primary's member, if any. */
export const benefitJson = (benefit: string, company: string, product: string, primary: string) =>
  `json_build_object(${fieldsOf(benefit, company, product, primary)})`

/** The company of a benefit. @throws ApiError 404 when there is none. */
export async function readCompanyOfBenefit(sql: Sql, benefitId: string): Promise<string> {
  const [row] = await sql.query<{ companyId: string }>('select company_id as "companyId" from benefit where id = $1', [
    benefitId,
  ])
  if (row === undefined) throw new ApiError('benefit-not-found')
  return row.companyId
}

/** `{ "result": OperatorBenefit }` of any company; null when there is none. */
export const readBenefitForOperator = readerOf({
  from: `benefit join company on company.id = benefit.company_id
    join product on product.company_id = benefit.company_id and product.id = benefit.product_id
    left join member primary_member on primary_member.company_id = benefit.company_id and primary_member.id = benefit.primary_member_id`,
  item: `json_build_object(${operatorBenefitFields})`,
})

/** What benefits are listed by, in both APIs. */
export interface BenefitFilter extends PageQuery {
  readonly 'company-tax-id'?: string | undefined
  readonly 'member-tax-id'?: string | undefined
  readonly 'include-inactive': boolean
  /** Only what changed at or after it, in every status. */
  readonly 'updated-since'?: string
}

const ofCompany = (taxId: string) => `benefit.company_id = (select id from company where tax_id = ${taxId})`

/**
 * SQL of CTEs over the CTE page (id and company_id of benefits): `shown` has them with the CPF of each one's person, and the id that the list
 * of members shows for it. No CTE is joined to another one, only to tables by their indexes: the number of its rows is unknown to the planner.
 * @param entitled joins `member` to the companies that the caller sees.
 */
const shownMembers = (entitled: string) => `person as materialized (
       select benefit.company_id, benefit.id, member.tax_id from page
       join benefit on benefit.company_id = page.company_id and benefit.id = page.id
       join member on member.company_id = benefit.company_id and member.id = benefit.member_id
     ), shown as materialized (
       select distinct on (person.company_id, person.id) person.company_id, person.id, person.tax_id, member.id as member_id from person
       join member on member.tax_id = person.tax_id
       ${entitled}
       where exists (select 1 from benefit where benefit.company_id = member.company_id and benefit.member_id = member.id)
       order by person.company_id, person.id, member.created_at, member.company_id
     )`

/** SQL of a benefit with its member, over `shownBenefits`. @param fields SQL of those of a benefit. */
const benefitItem = (fields: string) =>
  `json_build_object(${fields}, 'member-id', shown.member_id, 'member-tax-id', shown.tax_id)`

/** SQL after `from`: the benefits of the CTE shown. */
const shownBenefits = `shown
       join benefit on benefit.company_id = shown.company_id and benefit.id = shown.id
       join company on company.id = benefit.company_id
       join product on product.company_id = benefit.company_id and product.id = benefit.product_id
       left join member primary_member on primary_member.company_id = benefit.company_id and primary_member.id = benefit.primary_member_id`

/** SQL of the items of a page of benefits, over the CTE shown. @param fields SQL of those of a benefit. */
const benefitItems = (fields: string) => `(
       select coalesce(json_agg(${benefitItem(fields)} order by benefit.id, benefit.company_id), '[]')::text from ${shownBenefits})`

/** Joins `member` to the companies of the client $1. */
const entitledMembers = 'join entitlement on entitlement.company_id = member.company_id and entitlement.client_id = $1'

/**
 * A page of the benefits in the caller's companies, by id, with their total, from one snapshot. `entitled` is false when the caller is not
 * entitled to the company of the filter. The keys are selected once for page and total.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listBenefits(
  sql: Sql,
  caller: Client,
  query: BenefitFilter,
): Promise<Page & { readonly entitled: boolean }> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, limit, offset)
  const { 'company-tax-id': companyTaxId, 'member-tax-id': memberTaxId, 'updated-since': since } = query
  const company = companyTaxId === undefined ? null : parameters.add(companyTaxId)
  const member = memberTaxId === undefined ? null : parameters.add(memberTaxId)
  const changed = since === undefined ? null : changedBenefitsOfMembers(`${parameters.add(since)}::timestamptz`)
  const memberJoin =
    member === null ? '' : `join member on member.company_id = benefit.company_id and member.id = benefit.member_id`
  const conditions = [
    ...(changed === null ? [] : [`and (benefit.company_id, benefit.id) in (${changed})`]),
    ...(query['include-inactive'] || changed !== null ? [] : [`and benefit.status = 'active'`]),
    ...(company === null ? [] : [`and ${ofCompany(company)}`]),
    ...(member === null ? [] : [`and member.tax_id = ${member}`]),
  ]
  // Not of the filter's company only: the id of a person depends on all of the caller's companies.
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with selected as materialized (
       select benefit.id, benefit.company_id from entitlement join benefit on benefit.company_id = entitlement.company_id ${memberJoin}
       where entitlement.client_id = $1 ${conditions.join(' ')}
     ), page as materialized (
       select id, company_id from selected order by id, company_id limit $2 offset $3
     ), ${shownMembers(entitledMembers)}
     select ${isEntitledTo(company)} as entitled, (select count(*) from selected) as total, ${benefitItems(benefitFields)} as items
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActiveClient(rows)
}

const benefitOfCaller = `with page as materialized (
       select benefit.id, benefit.company_id from entitlement
       join benefit on benefit.company_id = entitlement.company_id and benefit.id = $2
       where entitlement.client_id = $1
     ), ${shownMembers(entitledMembers)}
     select (select json_build_object('result', ${benefitItem(benefitFields)})::text from ${shownBenefits}) as body
     from ${activePartner}`

/**
 * `{ "result": item of the list }`; null when no company of the caller has the benefit.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readBenefit(sql: Sql, caller: Client, id: string): Promise<string | null> {
  return rowOfActiveClient(await sql.query<{ body: string | null }>(benefitOfCaller, [caller.clientId, id])).body
}

/** A page of the benefits of all companies, by id, with their total, from one snapshot. */
export async function listAllBenefits(sql: Sql, query: BenefitFilter): Promise<Page> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(limit, offset)
  const where = {
    'company-tax-id': ofCompany,
    'member-tax-id': (taxId: string) => `(benefit.company_id, benefit.member_id) in (
      select company_id, id from member where tax_id = ${taxId})`,
  }
  const conditions = conditionsOf<Pick<BenefitFilter, keyof typeof where>>(where, query, parameters)
  if (!query['include-inactive']) conditions.push(`benefit.status = 'active'`)
  const selected = `from benefit where ${['true', ...conditions].join(' and ')}`
  const rows = await sql.queryPlanned<Page>(
    `with page as materialized (
       select id, company_id ${selected} order by id, company_id limit $1 offset $2
     ), ${shownMembers('')}
     select (select count(*) ${selected}) as total, ${benefitItems(operatorBenefitFields)} as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
