import { operatorBenefitFields } from '../benefits/queries.ts'
import { MASKED_FIELDS } from '#kernel/masking.ts'
import { cardKey } from '../rules/card-number.ts'
import { likeName, likeText, type SearchTerm } from '#kernel/search.ts'
import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { familyOf, registrationsOf } from './detail-queries.ts'
import { readSharedTaxIds, sharedTable, withShared } from './corrected.ts'
import { isShown, memberItems, type MemberSelection, shownTaxId } from './queries.ts'
import { registrationJson } from './write.ts'

/** Conditions joined by AND; null: no condition. */
interface OperatorMemberFilter {
  /** Also benefits that are not active, and members who have no other. */
  readonly includeInactive: boolean
  readonly taxId: string | null
  /** Only what this company has: its rows, and the benefits in it. */
  readonly companyTaxId: string | null
  /** A part of the name, an e-mail address or the employee id, or a card number. */
  readonly search: SearchTerm | null
  /** Whether the search is also for parts of a CPF. */
  readonly byTaxId: boolean
}

/** SQL of the companies of the benefits that are shown. */
const companiesOf = (selection: MemberSelection) =>
  `'companies', json_agg(distinct jsonb_build_object('tax-id', company.tax_id, 'name', company.name)) filter (where ${isShown(selection)})`

/** SQL of the conditions of a search over `member`, joined by OR. A part of a text is looked for in all rows, so a part of a CPF costs no index. */
export function matchesSearch(search: SearchTerm, byTaxId: boolean, parameters: Parameters): string {
  const text = parameters.add(search.text)
  const matches = [
    `member.search_text like ${likeName(text)}`,
    `member.search_email like ${likeText(text)}`,
    `(member.company_id, member.id) in (select company_id, member_id from benefit where card_key = ${parameters.add(cardKey(search.text))})`,
  ]
  if (byTaxId && search.digits !== null)
    matches.push(`member.tax_id like '%' || ${parameters.add(search.digits)} || '%'`)
  return `(${matches.join(' or ')})`
}

/** A page of the members of all companies, by CPF, with their total, from one snapshot. */
export async function searchMembers(
  sql: Sql,
  filter: OperatorMemberFilter,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const { taxId, companyTaxId, search, includeInactive } = filter
  const selection: MemberSelection = { includeInactive, filter: null }
  const parameters = new Parameters(bounds.limit, bounds.offset)
  const inCompany =
    companyTaxId === null
      ? 'true'
      : `member.company_id = (select id from company where tax_id = ${parameters.add(companyTaxId)})`
  // In one company an id has one CPF.
  const shared = companyTaxId === null ? sharedTable(await readSharedTaxIds(sql, null), parameters) : null
  const shown = shownTaxId(shared)
  const conditions = [inCompany]
  if (taxId !== null) conditions.push(`member.tax_id = ${parameters.add(taxId)}`)
  if (search !== null) conditions.push(matchesSearch(search, filter.byTaxId, parameters))
  const page = `(${withShared('select * from listed order by tax_id limit $1 offset $2', shared)})`
  const listed = `${page} person join member on member.tax_id = person.tax_id and ${inCompany}`
  const rows = await sql.queryPlanned<Page>(
    `with listed as materialized (
       select distinct ${shown.taxId} as tax_id from member ${shown.join}
       join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id and ${isShown(selection)}
       where ${conditions.join(' and ')}
     )
     select (select count(*) from listed) as total, (
       select coalesce(json_agg(person.item order by person.tax_id), '[]')::text
       from (${memberItems(selection, listed, shared, [companiesOf(selection)], operatorBenefitFields)}) person) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** SQL of the member rows of the person of the id $1. */
const personOf = (shared: string | null) =>
  `(${withShared(
    `(select member.tax_id from member where member.id = $1
    and exists (select 1 from benefit where company_id = member.company_id and member_id = member.id)
  order by member.updated_at desc, member.company_id limit 1)`,
    shared,
  )}) person join member on member.tax_id = person.tax_id`

/** `{ "result": Member + registrations + family }`, with all benefits, of all companies; null when there is no such member. */
export async function readMemberForOperator(sql: Sql, memberId: string): Promise<string | null> {
  const parameters = new Parameters(memberId)
  const shared = sharedTable(await readSharedTaxIds(sql, null), parameters)
  const person = personOf(shared)
  const all: MemberSelection = { includeInactive: true, filter: null }
  const rows = await sql.query<{ body: string }>(
    `select jsonb_build_object('result', person.item::jsonb ||
       jsonb_build_object('registrations', (${registrationsOf(person)}), 'family', (${familyOf(person)})))::text as body
     from (${memberItems(all, person, shared, [companiesOf(all)], operatorBenefitFields)}) person`,
    parameters.values,
  )
  return rows[0]?.body ?? null
}

const maskedKeys = Object.keys(MASKED_FIELDS)
  .map((key) => `'${key}'`)
  .join(', ')

/** What is masked of a member, as JSON, and the companies that it is of; null when there is no such member. */
export async function readMaskedFields(
  sql: Sql,
  memberId: string,
): Promise<{ readonly item: string; readonly companyIds: readonly string[] } | null> {
  const parameters = new Parameters(memberId)
  const shared = sharedTable(await readSharedTaxIds(sql, null), parameters)
  const { taxId, join } = shownTaxId(shared)
  const rows = await sql.query<{ item: string; companyIds: string[] }>(
    `with registration as materialized (
       select ${taxId} as tax_id, member.created_at, member.company_id, company.tax_id as company_tax_id,
         ${registrationJson('member')} as data
       from ${personOf(shared)} join company on company.id = member.company_id ${join}
       where exists (select 1 from benefit where benefit.company_id = member.company_id and benefit.member_id = member.id)
     )
     select json_build_object('tax-id', tax_id, 'registrations', json_agg(
         (select jsonb_build_object('company-tax-id', company_tax_id) || coalesce(jsonb_object_agg(field.key, field.value), '{}')
          from jsonb_each(data) field where field.key = any(array[${maskedKeys}]) and field.key <> 'tax-id')
         order by created_at, company_id))::text as item,
       array_agg(company_id order by company_id) as "companyIds"
     from registration
     group by tax_id`,
    parameters.values,
  )
  return rows[0] ?? null
}
