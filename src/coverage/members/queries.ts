import type { Page } from '#platform/http/page.ts'
import { changedMembers } from '../benefits/changed-queries.ts'
import { benefitFields } from '../benefits/queries.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { readSharedTaxIds, type SharedTaxIds, sharedTable, withShared } from './corrected.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { likeName, likeText, type SearchTerm } from '#kernel/search.ts'
import type { MemberFilter } from './filter.ts'
import { cardKey } from '../rules/card-number.ts'
import { registrationJson } from './write.ts'

export const MEMBER_ORDERS = ['tax-id', 'name'] as const

export interface MemberSelection {
  /** Also benefits that are not active, and members who have no other. */
  readonly includeInactive: boolean
  /** null: all. */
  readonly filter: MemberFilter | null
  /** Only people who have a benefit that satisfies all of it; absent: all. */
  readonly having?: BenefitCondition
  /** Only people of whom something changed at or after it, with all benefits in every status. */
  readonly updatedSince?: string | null
  /** Also what each company has of the person. */
  readonly withRegistrations?: boolean
}

interface BenefitCondition {
  /** In this company. */
  readonly companyTaxId: string | null
  /** In force on this day. */
  readonly activeOn: LocalDate | null
  /** A part of the name, an e-mail address or the employee id that its company has of the person, or the card number of the benefit. */
  readonly search: SearchTerm | null
}

const profileJson = (
  taxId: string,
) => `json_build_object('name', member.name, 'mothers-name', member.mothers_name, 'date-of-birth', member.date_of_birth,
  'gender', member.gender, 'marital-status', member.marital_status, 'tax-id', ${taxId})`

/** SQL of what a company has of a person. */
export const companyRegistration = `jsonb_build_object('company-tax-id', company.tax_id) || ${registrationJson('member')}`

// A member has a row for each benefit: the keys of an object are there once, and in order.
const registrations = `'registrations', jsonb_path_query_array(jsonb_object_agg(company.tax_id || member.id, ${companyRegistration}), '$.*')`

/** SQL of the CPF that is shown for `member`, and of the join that it needs. */
export const shownTaxId = (shared: string | null) =>
  shared === null
    ? { taxId: 'member.tax_id', join: '' }
    : {
        taxId: 'coalesce(corrected.shown, member.tax_id)',
        join: `left join ${shared} corrected on corrected.tax_id = member.tax_id`,
      }

/** SQL of whether a `benefit` is shown. */
export const isShown = ({ includeInactive, updatedSince = null }: MemberSelection) =>
  includeInactive || updatedSince !== null ? 'true' : `benefit.status = 'active'`

/** SQL of the member rows of client $1, `member` with its `entitlement`: all, or those with the CPFs of `listed`. */
const membersOfAll = `entitlement join member on entitlement.client_id = $1 and member.company_id = entitlement.company_id`
export const membersOf = (listed: string) => `${listed} person join member on member.tax_id = person.tax_id
  join entitlement on entitlement.client_id = $1 and entitlement.company_id = member.company_id`

/**
 * SQL of members as rows (tax_id, item) by CPF, one row a person over all the member rows: the id of the member row created
 * first, the profile updated last, the benefits in the order of the member rows and of their start. A member row without any
 * benefit is left out.
 * @param shared SQL of the CPFs of people who have several: see `sharedTable`.
 * @param more SQL of further keys of an item.
 * @param fields SQL of those of a benefit.
 */
export function memberItems(
  selection: MemberSelection,
  members: string,
  shared: string | null,
  more: readonly string[] = [],
  fields = benefitFields,
): string {
  const { taxId, join } = shownTaxId(shared)
  const keys = selection.withRegistrations === true ? [...more, registrations] : more
  return `
  select ${taxId} as tax_id, json_build_object('id', (array_agg(member.id order by member.created_at, member.company_id))[1],
    'profile', (array_agg(${profileJson(taxId)} order by member.updated_at desc, member.company_id))[1],
    'benefits', json_agg(json_build_object(${fields}) order by member.created_at, member.company_id, benefit.start_date, benefit.id)
      filter (where ${isShown(selection)})${keys.map((key) => `, ${key}`).join('')}) as item
  from ${members}
  join company on company.id = member.company_id
  join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id
  join product on product.company_id = benefit.company_id and product.id = benefit.product_id
  left join member primary_member on primary_member.company_id = benefit.company_id and primary_member.id = benefit.primary_member_id
  ${join}
  group by 1
  having bool_or(${isShown(selection)})`
}

/** SQL of CPFs. A single one is a scalar parameter: for an array the planner assumes ten rows, and does not choose the generic plan. */
function taxIdsOf(taxIds: readonly string[], parameters: Parameters): string[] {
  if (taxIds.length === 0) return []
  if (taxIds.length === 1) return [`select ${parameters.add(taxIds[0])}::bpchar as tax_id`]
  return [`select unnest(${parameters.add(taxIds)}::bpchar[]) as tax_id`]
}

/**
 * SQL of the member rows of client $1 that the filter selects, of those whose person changed: a row that matches in any of the client's
 * companies selects the person. Each field has a query of its own, so that it uses its own index.
 */
function selectedMembers(selection: MemberSelection, parameters: Parameters, shared: string | null): string {
  const { filter, having, updatedSince = null } = selection
  const selected = [
    ...(filter === null ? [] : [matchingPeople(filter, parameters)]),
    ...(having === undefined ? [] : [peopleHaving(having, isShown(selection), parameters)]),
    ...(updatedSince === null ? [] : [changedMembers(`${parameters.add(updatedSince)}::timestamptz`)]),
  ].map((people) => `(${withShared(people, shared)})`)
  return selected.length === 0 ? membersOfAll : membersOf(`(${selected.join(' intersect ')})`)
}

/** SQL of the CPFs (tax_id) of people with a benefit that satisfies the condition. */
function peopleHaving(
  { companyTaxId, activeOn, search }: BenefitCondition,
  shown: string,
  parameters: Parameters,
): string {
  const conditions = [shown]
  if (companyTaxId !== null) {
    conditions.push(`member.company_id = (select id from company where tax_id = ${parameters.add(companyTaxId)})`)
  }
  if (activeOn !== null) {
    const day = `${parameters.add(activeOn)}::date`
    conditions.push(
      `benefit.status <> 'pending' and benefit.start_date <= ${day} and (benefit.end_date is null or benefit.end_date >= ${day})`,
    )
  }
  if (search !== null) {
    const text = parameters.add(search.text)
    conditions.push(
      `(member.search_text like ${likeName(text)} or member.search_email like ${likeText(text)} or benefit.card_key = ${parameters.add(cardKey(search.text))})`,
    )
  }
  return `select distinct member.tax_id from entitlement join member on member.company_id = entitlement.company_id
    join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id
    where entitlement.client_id = $1 and ${conditions.join(' and ')}`
}

/** SQL of the CPFs (tax_id) that the filter selects. */
function matchingPeople(filter: MemberFilter, parameters: Parameters): string {
  const matching = (column: string, wanted: readonly string[]) =>
    wanted.length === 0
      ? []
      : [
          `select distinct member.tax_id from entitlement join member on member.company_id = entitlement.company_id
           where entitlement.client_id = $1 and member.${column} = any(${parameters.add(wanted)}::text[])
             and exists (select 1 from benefit where benefit.company_id = member.company_id and benefit.member_id = member.id)`,
        ]
  const matches = [
    ...taxIdsOf(filter['tax-id'], parameters),
    ...matching('cost_center', filter['cost-center']),
    ...matching('employee_id', filter['employee-id']),
  ]
  return matches.join(' union ')
}

/**
 * A page of the list and the number of persons in the whole list, from one snapshot.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listMembers(
  sql: Sql,
  caller: Client,
  selection: MemberSelection,
  {
    limit,
    offset,
    sort,
  }: { readonly limit: number; readonly offset: number; readonly sort?: (typeof MEMBER_ORDERS)[number] },
): Promise<Page> {
  const parameters = new Parameters(caller.clientId, limit, offset)
  const shared = sharedTable(await readSharedTaxIds(sql, caller), parameters)
  const { taxId, join } = shownTaxId(shared)
  const order = sort === 'name' ? 'listed.name, listed.tax_id' : 'listed.tax_id'
  const page = withShared(`select tax_id from listed order by ${order} limit $2 offset $3`, shared)
  const rows = await sql.queryPlanned<Page>(
    `with listed as materialized (
       select ${taxId} as tax_id, min(fold(member.name) collate "C") as name from ${selectedMembers(selection, parameters, shared)}
       ${join}
       join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id and ${isShown(selection)}
       group by 1
     )
     select (select count(*) from listed) as total, (
       select coalesce(json_agg(person.item order by ${order}), '[]')::text
       from (${memberItems(selection, membersOf(`(${page})`), shared)}) person join listed using (tax_id)) as items
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActiveClient(rows)
}

/**
 * A short list, not streamed, as the text of a JSON array. Prepared: the plan by CPF is the same for all values, and planning takes longer
 * than the index scans.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listFewMembers(
  sql: Sql,
  caller: Client,
  selection: MemberSelection,
): Promise<{ readonly items: string }> {
  const parameters = new Parameters(caller.clientId)
  const shared = sharedTable(await readSharedTaxIds(sql, caller), parameters)
  const items = memberItems(selection, selectedMembers(selection, parameters, shared), shared)
  const rows = await sql.query<{ items: string }>(
    `select (select coalesce(json_agg(person.item order by person.tax_id), '[]')::text from (${items}) person) as items
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActiveClient(rows)
}

/** The statement of the whole list: rows (item), the JSON of one person each as text. */
export function wholeList(
  caller: Client,
  selection: MemberSelection,
  sharedTaxIds: SharedTaxIds,
): { text: string; values: unknown[] } {
  const parameters = new Parameters(caller.clientId)
  const shared = sharedTable(sharedTaxIds, parameters)
  const items = memberItems(selection, selectedMembers(selection, parameters, shared), shared)
  return {
    text: `select person.item::text as item from (${items}) person order by person.tax_id`,
    values: parameters.values,
  }
}

interface Memberships {
  /** Whether any company has a member with the CPF: an unknown CPF is 404, one of another client's company 403. */
  readonly known: boolean
  /** The member rows of the person in the caller's companies. */
  readonly memberships: readonly { readonly companyId: string; readonly memberId: string }[]
  /** The company with the CNPJ; null unless it is one of the caller's. */
  readonly companyId: string | null
}

/**
 * Reads in which of the caller's companies a person is a member.
 * @param companyTaxId a company to look up too.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readMemberships(
  sql: Sql,
  caller: Client,
  taxId: string,
  companyTaxId: string | null = null,
): Promise<Memberships> {
  const rows = await sql.query<Memberships>(
    `select exists (select 1 from member where tax_id = $2) as known,
       coalesce((select json_agg(json_build_object('companyId', member.company_id, 'memberId', member.id) order by member.company_id)
         from entitlement join member on member.company_id = entitlement.company_id and member.tax_id = $2
         where entitlement.client_id = $1), '[]') as memberships,
       (select company.id from company join entitlement on entitlement.company_id = company.id and entitlement.client_id = $1
         where company.tax_id = $3) as "companyId"
     from ${activePartner}`,
    [caller.clientId, taxId, companyTaxId],
  )
  return rowOfActiveClient(rows)
}
