import { companySearchOf, searchCompanies } from '#registry/companies/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { cardKey } from '#coverage/rules/card-number.ts'
import { maskCpf } from '#kernel/masking.ts'
import { likeName, likeText, type SearchTerm } from '#kernel/search.ts'
import { memberName } from '#coverage/enrollments/queries.ts'
import { readSharedTaxIds, sharedTable, withShared } from '#coverage/members/corrected.ts'
import { memberItems } from '#coverage/members/queries.ts'
import { withReference } from '../requests/queries.ts'

/** The objects that are searched, in the order of the result. */
export const FOUND_TYPES = ['member', 'company', 'movement', 'request', 'invoice'] as const

/** An object that was found. What its type does not have is null. */
export interface Found {
  readonly type: (typeof FOUND_TYPES)[number]
  readonly id: string
  readonly name: string | null
  readonly 'tax-id': string | null
  readonly 'company-name': string | null
  readonly reference: string | null
  readonly 'carrier-protocol': string | null
  readonly 'due-date': string | null
}

const nothing = {
  name: null,
  'tax-id': null,
  'company-name': null,
  reference: null,
  'carrier-protocol': null,
  'due-date': null,
}

const maxFound = 5
/** Rows that are read for the objects of a type: several may be of one object. */
const maxRows = 25

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const partOf = (term: SearchTerm, parameters: Parameters) => likeText(parameters.add(term.text))

interface MemberItem {
  readonly id: string
  readonly profile: { readonly name: string; readonly 'tax-id': string }
  readonly benefits: readonly { readonly 'company-tax-id': string }[]
}

/**
 * Members by the card number of an active benefit, or a part of the name, of the employee id or of the CPF; CPFs are masked.
 * @param byTaxId false: not by CPF.
 */
export async function findMembers(sql: Sql, q: string, term: SearchTerm, byTaxId: boolean): Promise<Found[]> {
  const parameters = new Parameters()
  const shared = sharedTable(await readSharedTaxIds(sql, null), parameters)
  const matches = [
    `select member.tax_id from benefit join member on member.company_id = benefit.company_id and member.id = benefit.member_id
     where benefit.card_key = ${parameters.add(cardKey(q))}`,
    `select member.tax_id from member where member.search_text like ${likeName(parameters.add(term.text))}`,
  ]
  if (byTaxId && term.digits !== null && term.digits.length <= 11) {
    // A whole CPF has an index.
    const isWhole = term.digits.length === 11
    const digits = parameters.add(term.digits)
    const condition = isWhole ? `= ${digits}::bpchar` : `like '%' || ${digits} || '%'`
    matches.push(`select member.tax_id from member where member.tax_id ${condition}`)
  }
  const some = matches.map((match) => `(${match} limit ${maxRows})`).join(' union all ')
  const listed = withShared(`(select distinct tax_id from (${some}) matching limit ${maxFound})`, shared)
  const items = memberItems(
    { includeInactive: true, filter: null },
    `(${listed}) person join member on member.tax_id = person.tax_id`,
    shared,
  )
  const rows = await sql.queryPlanned<{ item: MemberItem; companyName: string }>(
    `select person.item, company.name as "companyName" from (${items}) person
     join company on company.tax_id = person.item->'benefits'->0->>'company-tax-id'
     order by person.item->'profile'->>'name', person.tax_id limit ${maxFound}`,
    parameters.values,
  )
  return rows.map(({ item, companyName }) => ({
    ...nothing,
    type: 'member',
    id: item.id,
    name: item.profile.name,
    'tax-id': maskCpf(item.profile['tax-id']),
    'company-name': companyName,
  }))
}

/** Companies by a part of the name or of the CNPJ. */
export async function findCompanies(sql: Sql, q: string): Promise<Found[]> {
  const page = await searchCompanies(sql, companySearchOf(q), { limit: maxFound, offset: 0 })
  const companies = JSON.parse(page.items) as { 'tax-id': string; name: string }[]
  return companies.map(({ name, 'tax-id': taxId }) => ({
    ...nothing,
    type: 'company',
    id: taxId,
    name,
    'tax-id': taxId,
  }))
}

/** Movements by a part of the carrier's protocol, or by their id. */
export async function findMovements(sql: Sql, q: string, term: SearchTerm): Promise<Found[]> {
  const parameters = new Parameters()
  const part = partOf(term, parameters)
  const matches = [
    `select company_id, id, carrier_protocol from open_movement where lower(carrier_protocol) like ${part} limit ${maxFound}`,
    `select movement_company_id, enrollment_id, carrier_protocol from shipment_item
     where status <> 'cancelled' and lower(carrier_protocol) like ${part} limit ${maxFound}`,
  ]
  if (uuid.test(q)) {
    const id = `${parameters.add(q)}::uuid`
    matches.push(
      `select company_id, id, carrier_protocol from enrollment where id = ${id}`,
      `select movement_company_id, enrollment_id, carrier_protocol from shipment_item
       where enrollment_id = ${id} and movement_company_id <> company_id limit ${maxFound}`,
    )
  }
  const rows = await sql.queryPlanned<Found>(
    `select 'movement' as type, enrollment.id, ${memberName} as name, company.name as "company-name", coalesce(enrollment.carrier_protocol, (
       select shipment_item.carrier_protocol from shipment_item
       where shipment_item.company_id = enrollment.company_id and shipment_item.enrollment_id = enrollment.id
         and shipment_item.carrier_protocol is not null limit 1), matching.carrier_protocol) as "carrier-protocol"
     from (select company_id, id, max(carrier_protocol) as carrier_protocol
       from (${matches.map((match) => `(${match})`).join(' union ')}) matching group by company_id, id) matching
     join enrollment on enrollment.company_id = matching.company_id and enrollment.id = matching.id
     join company on company.id = enrollment.company_id
     order by enrollment.created_at desc, enrollment.id limit ${maxFound}`,
    parameters.values,
  )
  return rows.map((row) => ({ ...nothing, ...row }))
}

/** Requests by their reference or that of one of their movements, or by their id. */
export async function findRequests(sql: Sql, q: string): Promise<Found[]> {
  const parameters = new Parameters()
  const matches = [withReference(parameters.add(q))]
  if (uuid.test(q))
    matches.push(`(request.company_id, request.id) in (
    select company_id, id from request where id = ${parameters.add(q)}::uuid)`)
  const rows = await sql.queryPlanned<Found>(
    `select 'request' as type, request.id, request.reference, company.name as "company-name"
     from (${matches.map((match) => `select company_id, id from request where ${match}`).join(' union ')}) matching
     join request on request.company_id = matching.company_id and request.id = matching.id
     join company on company.id = request.company_id
     order by request.created_at desc, request.id limit ${maxFound}`,
    parameters.values,
  )
  return rows.map((row) => ({ ...nothing, ...row }))
}

/** Invoices by a part of their id. */
export async function findInvoices(sql: Sql, term: SearchTerm): Promise<Found[]> {
  const parameters = new Parameters()
  const rows = await sql.queryPlanned<Found>(
    `select 'invoice' as type, invoice.id, invoice.carrier_name as name, company.name as "company-name", invoice.due_date as "due-date"
     from invoice join company on company.id = invoice.company_id
     where lower(invoice.id) like ${partOf(term, parameters)}
     order by invoice.due_date desc, invoice.id collate "C" limit ${maxFound}`,
    parameters.values,
  )
  return rows.map((row) => ({ ...nothing, ...row }))
}
