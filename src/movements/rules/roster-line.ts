/* A line of a list of who should be covered, by itself. */
import { EXCLUSION_FIELDS } from '#coverage/rules/exclusion-details.ts'
import { cardNumber, cnpj, date, text } from '#kernel/field-types.ts'
import { type FieldType, isAbsent, isObject, type Parsed } from '#kernel/fields.ts'
import { INCLUSION_FIELDS, startOption } from '#kernel/inclusion-fields.ts'
import type { Offense } from '#kernel/offenses.ts'
import type { RosterLineOffense } from '#kernel/roster-syncs.ts'
import { parseDependency, parseField, parsePerson } from './inclusion-batch.ts'
import { LEAVER_DETAILS } from './leaver-columns.ts'
import { detailOfCell } from './movement-batch.ts'
import type { RosterLine } from './roster.ts'
import { withRole } from './role-of-row.ts'

type Fields = Readonly<Record<string, unknown>>

/** For a member in keys: each is a line with all that is stated of the member. */
const MAX_PRODUCTS = 100

/** A column of a role: without it a role follows from the kinship, and never from a blank cell. */
const roleColumn: ReadonlySet<string> = new Set(['beneficiary-type'])

/** The line of a table, its cells as values by column. @param sent null: it is malformed. */
export function rosterLinesOfRow(line: number, sent: Fields | null, companyTaxId: string): RosterLine[] {
  if (sent === null) return [malformed(line)]
  const fields = Object.entries(withRole(sent, roleColumn)).map(detailOfCell)
  return [parseRosterLine(line, Object.fromEntries(fields), companyTaxId)]
}

/** A member in keys, as of a batch of inclusions, or with the names of columns: a line for each product. @param sent null: it is malformed. */
export function rosterLinesOfMember(line: number, sent: Fields | null, companyTaxId: string): RosterLine[] {
  if (sent === null) return [malformed(line)]
  const { products, 'exclusion-details': details, ...others } = sent
  const fields = { ...others, ...(isObject(details) && details) }
  const groups = INCLUSION_FIELDS.products.parse(products)
  const stated = Object.values(groups ?? {}).flat()
  const items = stated.length > MAX_PRODUCTS ? [] : stated
  const refused = [
    ...(groups === null || items.length < stated.length ? (['invalid-products'] as const) : []),
    ...(isAbsent(details) || isObject(details) ? [] : (['invalid-exclusion-details'] as const)),
  ]
  const lines = (items.length === 0 ? [{}] : items).map((item) =>
    parseRosterLine(line, { ...fields, ...named(item) }, companyTaxId),
  )
  return refused.length === 0
    ? lines
    : lines.map((read) => ({ ...read, offenses: [...new Set([...read.offenses, ...refused])].toSorted() }))
}

const named = ({ name, 'start-option': option }: { readonly name?: unknown; readonly 'start-option'?: unknown }) => ({
  ...(name !== undefined && { 'product-name': name }),
  ...(option !== undefined && { 'start-option': option }),
})

const malformed = (line: number): RosterLine => ({
  line,
  taxId: null,
  role: null,
  primaryTaxId: null,
  dependentType: null,
  profile: {},
  productName: null,
  startOption: null,
  exclusion: null,
  carrier: {},
  reference: null,
  offenses: ['malformed-line'],
})

/**
 * Parses a line and judges it by itself. What is blank or null is not stated, and no offense but of the CPF.
 * @param sent its columns or keys.
 * @param companyTaxId of the list: a line may name no other.
 */
function parseRosterLine(line: number, sent: Fields, companyTaxId: string): RosterLine {
  const own: Offense[] = []
  const offenses: RosterLineOffense[] = []
  const parse = <T>(type: Pick<FieldType<T>, 'parse'>, field: string, offense: RosterLineOffense): T | null => {
    const parsed: Parsed<T> = type.parse(sent[field])
    if (parsed === null) offenses.push(offense)
    return parsed ?? null
  }
  const company = parse(cnpj, 'company-tax-id', 'invalid-company-tax-id')
  if (company !== null && company !== companyTaxId) offenses.push('other-company')
  const { role: stated, taxId, profile } = parsePerson(sent, own)
  const { primaryTaxId, dependentType } = parseDependency(sent, stated, taxId, own)
  const role = stated ?? (primaryTaxId === null && dependentType === null ? null : 'dependent')
  // The own date of a dependent is ignored.
  const admission = role === 'dependent' ? null : parseField(sent, 'admission-date', own)
  if (admission !== null) profile['admission-date'] = admission
  const productName = parse(text, 'product-name', 'unknown-product')
  const option = parse(startOption, 'start-option', 'invalid-start-option')
  const exclusion = parseExclusion(sent, offenses)
  const card = parse(cardNumber, 'card-number', 'invalid-card-number')
  const start = parse(date, 'start-date', 'invalid-start-date')
  const reference = parseField(sent, 'reference', own)
  const refused = own.filter((offense) => offense === 'missing-tax-id' || !offense.startsWith('missing-'))
  return {
    line,
    taxId,
    role,
    primaryTaxId,
    dependentType,
    profile,
    productName,
    startOption: option,
    exclusion,
    carrier: { ...(card !== null && { 'card-number': card }), ...(start !== null && { 'start-date': start }) },
    reference,
    offenses: [...new Set([...refused, ...offenses])].toSorted(),
  }
}

/** The details of a line with a last day. Which of them a reason takes and needs is judged with the exclusion. */
function parseExclusion(sent: Fields, offenses: RosterLineOffense[]): RosterLine['exclusion'] {
  if (isAbsent(sent['end-date'])) return null
  const details: Record<string, string | number | boolean> = {}
  for (const field of LEAVER_DETAILS) {
    const value = isAbsent(sent[field]) ? undefined : EXCLUSION_FIELDS[field].parse(sent[field])
    if (value === null) offenses.push(field === 'end-date' ? 'invalid-end-date' : 'invalid-exclusion-details')
    else if (value !== undefined) details[field] = value
  }
  return details['end-date'] === undefined ? null : details
}
