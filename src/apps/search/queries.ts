import { companySearchOf, searchCompanies } from '#registry/companies/queries.ts'
import { carrierPage } from '#registry/carriers/queries.ts'
import { contractPage } from '#registry/contracts/queries.ts'
import { claimPage } from '#money/claims/queries.ts'
import { invoicePage } from '#money/invoices/queries.ts'
import { shipmentPage } from '#exchange/shipments/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Page } from '#platform/http/page.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { cardKey } from '#coverage/rules/card-number.ts'
import { maskCpf } from '#kernel/masking.ts'
import { likeName, likeText, type SearchTerm } from '#kernel/search.ts'
import { memberName } from '#coverage/enrollments/queries.ts'
import { readSharedTaxIds, sharedTable, withShared } from '#coverage/members/corrected.ts'
import { memberItems } from '#coverage/members/queries.ts'
import { withReference } from '#movements/requests/queries.ts'

/** The objects that are searched, in the order of the result. */
export const FOUND_TYPES = [
  'member',
  'company',
  'carrier',
  'contract',
  'movement',
  'request',
  'shipment',
  'claim',
  'invoice',
] as const
type FoundType = (typeof FOUND_TYPES)[number]

/** An object that was found. What its type does not have is null. */
interface Found {
  readonly type: FoundType
  readonly id: string
  readonly name: string | null
  readonly 'tax-id': string | null
  readonly 'company-name': string | null
  readonly 'carrier-name': string | null
  readonly 'contract-number': string | null
  readonly number: number | null
  readonly 'reference-month': string | null
  readonly reference: string | null
  readonly 'carrier-protocol': string | null
  readonly 'due-date': string | null
}

/** The first objects of a type, and how many there are, at most `MAX_COUNTED`. */
export interface FoundOfType {
  readonly type: FoundType
  readonly count: number
  readonly found: readonly Found[]
}

const nothing = {
  name: null,
  'tax-id': null,
  'company-name': null,
  'carrier-name': null,
  'contract-number': null,
  number: null,
  'reference-month': null,
  reference: null,
  'carrier-protocol': null,
  'due-date': null,
}

const MAX_FOUND = 5
/** A search counts no further: it reads no more rows of one condition. */
export const MAX_COUNTED = 100

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const partOf = (term: SearchTerm, parameters: Parameters) => likeText(parameters.add(term.text))

interface MemberItem {
  readonly id: string
  readonly profile: { readonly name: string; readonly 'tax-id': string }
  readonly benefits: readonly { readonly 'company-tax-id': string }[]
}

interface Counted {
  readonly total: number
}

/** @param shown what is shown of a row. */
const counted = <Row extends Counted>(
  type: FoundType,
  rows: readonly Row[],
  shown: (row: Row) => Partial<Found> & { readonly id: string },
): FoundOfType => ({
  type,
  count: Math.min(rows[0]?.total ?? 0, MAX_COUNTED),
  found: rows.map((row) => ({ ...nothing, type, ...shown(row) })),
})

/**
 * Members by the card number of an active benefit, or a part of the name, of the employee id or of the CPF; CPFs are masked.
 * @param byTaxId false: not by CPF.
 */
export async function findMembers(sql: Sql, q: string, term: SearchTerm, byTaxId: boolean): Promise<FoundOfType> {
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
  const some = matches.map((match) => `(${match} limit ${MAX_COUNTED})`).join(' union all ')
  const listed = withShared(`(select tax_id from matching limit ${MAX_FOUND})`, shared)
  const items = memberItems(
    { includeInactive: true, filter: null },
    `(${listed}) person join member on member.tax_id = person.tax_id`,
    shared,
  )
  const rows = await sql.queryPlanned<Counted & { item: MemberItem; companyName: string }>(
    `with matching as materialized (select distinct tax_id from (${some}) matching)
     select person.item, company.name as "companyName", (select count(*) from matching) as total from (${items}) person
     join company on company.tax_id = person.item->'benefits'->0->>'company-tax-id'
     order by person.item->'profile'->>'name', person.tax_id limit ${MAX_FOUND}`,
    parameters.values,
  )
  return counted('member', rows, ({ item, companyName }) => ({
    id: item.id,
    name: item.profile.name,
    'tax-id': maskCpf(item.profile['tax-id']),
    'company-name': companyName,
  }))
}

/** Movements by a part of the carrier's protocol, or by their id. */
export async function findMovements(sql: Sql, q: string, term: SearchTerm): Promise<FoundOfType> {
  const parameters = new Parameters()
  const part = partOf(term, parameters)
  const matches = [
    `select company_id, id, carrier_protocol from open_movement where lower(carrier_protocol) like ${part} limit ${MAX_COUNTED}`,
    `select movement_company_id, enrollment_id, carrier_protocol from shipment_item
     where status <> 'cancelled' and lower(carrier_protocol) like ${part} limit ${MAX_COUNTED}`,
  ]
  if (uuid.test(q)) {
    const id = `${parameters.add(q)}::uuid`
    matches.push(
      `select company_id, id, carrier_protocol from enrollment where id = ${id}`,
      `select movement_company_id, enrollment_id, carrier_protocol from shipment_item
       where enrollment_id = ${id} and movement_company_id <> company_id limit ${MAX_COUNTED}`,
    )
  }
  const rows = await sql.queryPlanned<Counted & MovementRow>(
    `select count(*) over () as total, enrollment.id, ${memberName} as name, company.name as "company-name", coalesce(enrollment.carrier_protocol, (
       select shipment_item.carrier_protocol from shipment_item
       where shipment_item.company_id = enrollment.company_id and shipment_item.enrollment_id = enrollment.id
         and shipment_item.carrier_protocol is not null limit 1), matching.carrier_protocol) as "carrier-protocol"
     from (select company_id, id, max(carrier_protocol) as carrier_protocol
       from (${matches.map((match) => `(${match})`).join(' union ')}) matching group by company_id, id) matching
     join enrollment on enrollment.company_id = matching.company_id and enrollment.id = matching.id
     join company on company.id = enrollment.company_id
     order by enrollment.created_at desc, enrollment.id limit ${MAX_FOUND}`,
    parameters.values,
  )
  return counted('movement', rows, (row) => ({
    id: row.id,
    name: row.name,
    'company-name': row['company-name'],
    'carrier-protocol': row['carrier-protocol'],
  }))
}

type MovementRow = Pick<Found, 'id' | 'name' | 'company-name' | 'carrier-protocol'>

/** Requests by their reference or that of one of their movements, or by their id. */
export async function findRequests(sql: Sql, q: string): Promise<FoundOfType> {
  const parameters = new Parameters()
  const matches = [withReference(parameters.add(q))]
  if (uuid.test(q))
    matches.push(`(request.company_id, request.id) in (
    select company_id, id from request where id = ${parameters.add(q)}::uuid)`)
  const rows = await sql.queryPlanned<Counted & Pick<Found, 'id' | 'reference' | 'company-name'>>(
    `select count(*) over () as total, request.id, request.reference, company.name as "company-name"
     from (${matches.map((match) => `(select company_id, id from request where ${match} limit ${MAX_COUNTED})`).join(' union ')}) matching
     join request on request.company_id = matching.company_id and request.id = matching.id
     join company on company.id = request.company_id
     order by request.created_at desc, request.id limit ${MAX_FOUND}`,
    parameters.values,
  )
  return counted('request', rows, (row) => ({
    id: row.id,
    reference: row.reference,
    'company-name': row['company-name'],
  }))
}

const firstPage = { page: 1, 'items-per-page': MAX_FOUND }

/** The first objects of the page of a list. */
function ofPage<Item>(
  type: FoundType,
  page: Page,
  shown: (item: Item) => Partial<Found> & { readonly id: string },
): FoundOfType {
  const items = JSON.parse(page.items) as Item[]
  return counted(
    type,
    items.map((item) => ({ total: page.total, item })),
    ({ item }) => shown(item),
  )
}

/** Companies by a part of the name or of the CNPJ. */
export async function findCompanies(sql: Sql, q: string): Promise<FoundOfType> {
  const page = await searchCompanies(sql, companySearchOf(q), { limit: MAX_FOUND, offset: 0 })
  return ofPage<Record<'tax-id' | 'name', string>>('company', page, ({ name, 'tax-id': taxId }) => ({
    id: taxId,
    name,
    'tax-id': taxId,
  }))
}

/** Carriers by a part of the name. */
export async function findCarriers(sql: Sql, q: string): Promise<FoundOfType> {
  const page = await carrierPage(sql, { ...firstPage, q })
  return ofPage<{ 'carrier-id': string; name: string }>('carrier', page, (carrier) => ({
    id: carrier['carrier-id'],
    name: carrier.name,
  }))
}

/** What an object of a contract has of it. */
type OfContract = Record<'carrier-name' | 'contract-number' | 'sub-contract' | 'company-name', string>

const ofContract = (item: OfContract) => ({
  'company-name': item['company-name'],
  'carrier-name': item['carrier-name'],
  'contract-number': [item['contract-number'], item['sub-contract']].filter((part) => part !== '').join(' / '),
})

/** Contracts by a part of the number or of the carrier's name. */
export async function findContracts(sql: Sql, q: string): Promise<FoundOfType> {
  const page = await contractPage(sql, { ...firstPage, q })
  const contracts = JSON.parse(page.items) as readonly { readonly 'company-tax-id': string }[]
  const companies = await sql.query<{ taxId: string; name: string }>(
    'select tax_id as "taxId", name from company where tax_id = any($1)',
    [contracts.map((contract) => contract['company-tax-id'])],
  )
  const names = new Map(companies.map(({ taxId, name }) => [taxId, name]))
  type Item = Omit<OfContract, 'company-name'> & Record<'contract-id' | 'company-tax-id', string>
  return ofPage<Item>('contract', page, (contract) => ({
    ...ofContract({ ...contract, 'company-name': names.get(contract['company-tax-id']) ?? '' }),
    id: contract['contract-id'],
  }))
}

/** Shipments by a part of the carrier's protocol, or by the number. */
export async function findShipments(sql: Sql, q: string): Promise<FoundOfType> {
  const page = await shipmentPage(sql, { ...firstPage, q })
  type Item = { shipment: OfContract & { 'shipment-id': string; number: number; 'carrier-protocol': string | null } }
  return ofPage<Item>('shipment', page, ({ shipment }) => ({
    ...ofContract(shipment),
    id: shipment['shipment-id'],
    number: shipment.number,
    'carrier-protocol': shipment['carrier-protocol'],
  }))
}

/** Claims by a part of the carrier's protocol or name, or by the month. */
export async function findClaims(sql: Sql, q: string): Promise<FoundOfType> {
  const page = await claimPage(sql, { ...firstPage, q })
  type Item = OfContract & Record<'claim-id' | 'reference-month', string> & Pick<Found, 'carrier-protocol'>
  return ofPage<Item>('claim', page, (claim) => ({
    ...ofContract(claim),
    id: claim['claim-id'],
    'reference-month': claim['reference-month'],
    'carrier-protocol': claim['carrier-protocol'],
  }))
}

/** Invoices by a part of their id. */
export async function findInvoices(sql: Sql, q: string, today: LocalDate): Promise<FoundOfType> {
  const page = await invoicePage(sql, { ...firstPage, q }, today)
  return ofPage<Record<'id' | 'carrier-name' | 'company-name' | 'due-date', string>>('invoice', page, (invoice) => ({
    id: invoice.id,
    'carrier-name': invoice['carrier-name'],
    'company-name': invoice['company-name'],
    'due-date': invoice['due-date'],
  }))
}
