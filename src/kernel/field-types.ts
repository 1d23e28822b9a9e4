/*
 * The types of the fields: texts, dates, numbers, closed sets.
 */
import { isLocalDate } from './calendar.ts'
import type { LocalDate } from './calendar.ts'
import { DOCUMENT_TYPES, GENDERS, MARITAL_STATUSES, STATES, WORK_CONTRACT_TYPES } from './enums.ts'
import type { DocumentType, MaritalStatus } from './enums.ts'
import { fieldType, type FieldType, hasAtMostCharacters, isAbsent, isObject } from './fields.ts'
import type { Message } from './messages.ts'
import { fitsLines, unfitForLines } from './name.ts'
import { isNoName, nameCharacter, normalLine, normalText, visible, visibleCharacter } from './person-text.ts'
import { isScientificNotation } from './spreadsheet-cell.ts'
import { parseCns, parsePis } from './registration-numbers.ts'
import { parseCnpj, parseCpf } from './tax-id.ts'

export interface DocumentReference {
  readonly 'document-id': string
  readonly 'document-type': DocumentType
}

/** Longest text of a field, in characters (code points). */
export const MAX_TEXT_CHARACTERS = 200
/** Longest reason or other explanation, in characters. */
export const MAX_REASON_CHARACTERS = 500
/** Longest part of an unknown key that an error repeats, in UTF-16 units. */
export const MAX_KEY_LENGTH = 100
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/
/** A UUID in either case, as a JSON Schema `pattern`. */
export const UUID_PATTERN = UUID.source

const EARLIEST_DATE: LocalDate = '1900-01-01'
const POSTAL_CODE = /^\d{2}\.?\d{3}-?\d{3}$/
const BIRTH_DECLARATION = /^\d{2}-?\d{8}-?\d$/
// The first two digits are the state.
const CITY_IBGE_CODE = /^(?:1[1-7]|2[1-9]|3[1235]|4[1-3]|5[0-3])\d{4,5}$/
const CBO = /^\d{4}-?\d{2}$/
// The first character decides each alternative, so that both patterns take linear time.
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const DOMAIN = /^[a-z\d]+(?:-+[a-z\d]+)*(?:\.[a-z\d]+(?:-+[a-z\d]+)*)+$/i
const NUMERIC_TOP_LABEL = /\.\d+$/
/** After the country, or the zero of a long-distance call, or both. */
const PHONE = /^(?:(?:\+|00)?55)?0?([1-9]{2}\d{8,9})$/
const PHONE_PUNCTUATION = /[\s()./\-\u2010-\u2015]+/g

/** UTF-16 units of a character, with its marks: to normalize long runs of marks takes more than linear time. */
const MAX_MARKS = 8

/** A text in the normal form of `normalize`, if it has up to 200 characters. */
function normalized(value: unknown, normalize: (text: string) => string): string | null {
  const trimmed = typeof value === 'string' ? value.trim() : ''
  const normal = trimmed.length > MAX_MARKS * MAX_TEXT_CHARACTERS ? '' : normalize(trimmed)
  return normal !== '' && hasAtMostCharacters(normal, MAX_TEXT_CHARACTERS) ? normal : null
}

const limit = { maxLength: MAX_TEXT_CHARACTERS }

/** A text of a person, in normal form. */
export const text = fieldType(
  { type: 'string', ...limit, minLength: 1, pattern: visibleCharacter },
  { key: 'rule-text', limit: MAX_TEXT_CHARACTERS },
  (value) => normalized(value, normalText),
  { type: 'string', ...limit },
)
/** The number of a person's card at the carrier. */
export const cardNumber: FieldType<string> = {
  ...text,
  rule: { key: 'rule-card-number', limit: MAX_TEXT_CHARACTERS },
  parse: (value) => {
    const parsed = text.parse(value)
    return typeof parsed === 'string' && isScientificNotation(parsed) ? null : parsed
  },
}

const noControls = { type: 'string', maxLength: MAX_REASON_CHARACTERS, not: { type: 'string', pattern: unfitForLines } }
/** What one person writes to another, without controls and marks of writing direction. */
export const reason = fieldType(
  { ...noControls, minLength: 1, pattern: '\\S' },
  { key: 'rule-reason', limit: MAX_REASON_CHARACTERS },
  (value) => {
    const trimmed = typeof value === 'string' ? value.trim() : null
    return trimmed !== null && hasAtMostCharacters(trimmed, MAX_REASON_CHARACTERS) && fitsLines(trimmed)
      ? trimmed
      : null
  },
  noControls,
)

const lostCharacter = { type: 'string', pattern: '\\ufffd' }
/** The name of a person, in normal form. */
export const name = fieldType(
  { type: 'string', ...limit, minLength: 1, pattern: nameCharacter, not: lostCharacter },
  { key: 'rule-name', limit: MAX_TEXT_CHARACTERS },
  (value) => {
    const normal = normalized(value, normalLine)
    return normal === null || isNoName(normal) ? null : normal
  },
  { type: 'string', ...limit, pattern: `${nameCharacter}|^\\s*$`, not: lostCharacter },
)

/**
 * One of a closed set, exactly as spelt there.
 * @param aliases another spelling of a member of the set.
 */
export function choice<const T extends string>(values: readonly T[], aliases: Record<string, T> = {}): FieldType<T> {
  const byText = new Map<unknown, T>([...values.map((value) => [value, value] as const), ...Object.entries(aliases)])
  const all = [...values, ...Object.keys(aliases)]
  const [alias] = Object.entries(aliases)
  const rule: Message =
    alias === undefined
      ? { key: 'rule-choice', values }
      : { key: 'rule-choice-with-alias', values, alias: alias[0], value: alias[1] }
  return fieldType({ type: 'string', enum: all, examples: all.slice(0, 1) }, rule, (value) => byText.get(value) ?? null)
}

export const gender = choice(GENDERS)
export const maritalStatus = choice<MaritalStatus>(MARITAL_STATUSES, { other: 'others' })
export const workContractType = choice(WORK_CONTRACT_TYPES)

const seen = (value: unknown): unknown => (typeof value === 'string' ? visible(value) : value)

export const cpf = fieldType({ type: 'string', format: 'cpf' }, { key: 'rule-cpf' }, (value) => parseCpf(seen(value)))
export const cnpj = fieldType({ type: 'string', format: 'cnpj' }, { key: 'rule-cnpj' }, (value) =>
  parseCnpj(seen(value)),
)

export const date = fieldType<LocalDate>(
  { type: 'string', format: 'date' },
  { key: 'rule-date', earliest: EARLIEST_DATE },
  (value) => (isLocalDate(value) && value >= EARLIEST_DATE ? value : null),
)

/** An amount of money in cents. */
export const cents = fieldType(
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  { key: 'rule-cents' },
  (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null),
)

/** Dot-separated atoms, one `@`, a domain of two labels or more. */
export const email = fieldType(
  { type: 'string', format: 'email', maxLength: MAX_TEXT_CHARACTERS },
  { key: 'rule-email', limit: MAX_TEXT_CHARACTERS },
  (value) => {
    const address = text.parse(value) ?? ''
    const at = address.indexOf('@')
    if (at < 1 || at > 64) return null
    const domain = address.slice(at + 1)
    const isAddress = LOCAL_PART.test(address.slice(0, at)) && DOMAIN.test(domain) && !NUMERIC_TOP_LABEL.test(domain)
    return isAddress ? address : null
  },
)

/** A Brazilian phone, in normal form its digits. Neither digit of an area code is 0. */
export const phone = fieldType(
  { type: 'string', format: 'phone', maxLength: MAX_TEXT_CHARACTERS },
  { key: 'rule-phone' },
  (value) => PHONE.exec((text.parse(value) ?? '').replace(PHONE_PUNCTUATION, ''))?.[1] ?? null,
)

export const uuid = fieldType(
  { type: 'string', format: 'uuid', pattern: UUID_PATTERN },
  { key: 'rule-uuid' },
  (value) => (typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : null),
)

/** A number that is stored without its punctuation. */
function digits(pattern: RegExp, example: string, rule: Message): FieldType<string> {
  return fieldType({ type: 'string', pattern: pattern.source, examples: [example] }, rule, (value) => {
    const number = typeof value === 'string' ? visible(value).trim() : ''
    return pattern.test(number) ? number.replaceAll(/[.-]/g, '') : null
  })
}

export const postalCode = digits(POSTAL_CODE, '01310-100', { key: 'rule-postal-code' })
/** The number of the declaration of live birth (DN). */
export const birthDeclarationNumber = digits(BIRTH_DECLARATION, '30-72841935-4', { key: 'rule-birth-declaration' })
/** The code of a municipality at the IBGE; its last digit, the check digit, may be missing. */
export const cityIbgeCode = digits(CITY_IBGE_CODE, '3550308', { key: 'rule-city-ibge-code' })
/** An occupation in the Brazilian classification. */
export const cbo = digits(CBO, '2124-05', { key: 'rule-cbo' })

export const cns = fieldType(
  { type: 'string', format: 'cns', examples: ['705 0087 3402 6156'] },
  { key: 'rule-cns' },
  parseCns,
)
export const pis = fieldType(
  { type: 'string', format: 'pis', examples: ['120.54789.36-6'] },
  { key: 'rule-pis' },
  parsePis,
)

const states = choice(STATES)
/** A unit of the federation, in any case. */
export const state: FieldType<string> = {
  ...states,
  parse: (value) => states.parse(typeof value === 'string' ? value.trim().toUpperCase() : value),
}

/** A whole number between two, both included. */
export function integer(minimum: number, maximum: number): FieldType<number> {
  return fieldType({ type: 'integer', minimum, maximum }, { key: 'rule-integer', minimum, maximum }, (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum && value <= maximum ? value : null,
  )
}

export const trueOrFalse = fieldType({ type: 'boolean' }, { key: 'rule-flag' }, (value) =>
  typeof value === 'boolean' ? value : null,
)

/** True or false, by default false. Blank text is invalid. */
export const flag: FieldType<boolean> = {
  ...fieldType({ type: 'boolean', default: false }, { key: 'rule-flag' }, () => null),
  parse: (value) => (value === undefined || value === null ? undefined : typeof value === 'boolean' ? value : null),
}

const documentType = choice(DOCUMENT_TYPES)
const documentId = { ...text.schema, pattern: '\\S', not: { type: 'string', pattern: unfitForLines } }

/** Documents, each pair of id and type once. Whether the ids exist is not checked here. */
export const documents: FieldType<readonly DocumentReference[]> = {
  ...fieldType<readonly DocumentReference[]>(
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['document-id', 'document-type'],
        properties: { 'document-id': documentId, 'document-type': documentType.schema },
      },
    },
    { key: 'rule-documents' },
    (value) => {
      if (!Array.isArray(value) || locateInDocuments(value) !== null) return null
      const items = value as readonly DocumentReference[]
      const unique = items.map(({ 'document-id': id, 'document-type': type }) => {
        return [`${type} ${id}`, { 'document-id': id, 'document-type': type }] as const
      })
      return [...new Map(unique).values()]
    },
  ),
  locate: locateInDocuments,
}

function locateInDocuments(value: unknown): ReturnType<NonNullable<FieldType<unknown>['locate']>> {
  if (!Array.isArray(value)) return null
  for (const [index, item] of (value as readonly unknown[]).entries()) {
    if (!isObject(item)) {
      return { path: `[${index}]`, type: { rule: { key: 'rule-document' }, schema: {} } }
    }
    const { 'document-id': id, 'document-type': type } = item
    // The id is not trimmed: it is compared as text.
    const isId =
      typeof id === 'string' && !isAbsent(id) && hasAtMostCharacters(id, MAX_TEXT_CHARACTERS) && fitsLines(id)
    if (!isId) return { path: `[${index}].document-id`, type: text }
    if (!documentType.parse(type)) return { path: `[${index}].document-type`, type: documentType }
  }
  return null
}
