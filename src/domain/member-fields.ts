import { isLocalDate } from './calendar.ts'
import type { LocalDate } from './calendar.ts'
import { fitsNames } from './name.ts'
import { parseCpf } from './tax-id.ts'
import { DOCUMENT_TYPES, GENDERS, MARITAL_STATUSES, WORK_CONTRACT_TYPES } from './enums.ts'
import type { DocumentType, Gender, MaritalStatus, WorkContractType } from './enums.ts'

/** What a field says: its normal form, undefined when absent (null and blank count as absent), null when invalid. */
export type Reading<T> = T | null | undefined

export interface DocumentReference {
  'document-id': string
  'document-type': DocumentType
}

export const MAX_TEXT_CHARACTERS = 200
const EARLIEST_DATE: LocalDate = '1900-01-01'

const genders: ReadonlySet<string> = new Set(GENDERS)
const maritalStatuses: ReadonlySet<string> = new Set(MARITAL_STATUSES)
const workContractTypes: ReadonlySet<string> = new Set(WORK_CONTRACT_TYPES)
const documentTypes: ReadonlySet<unknown> = new Set(DOCUMENT_TYPES)

// Every alternative is told by its first character, so both patterns take linear time.
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const DOMAIN = /^[a-z\d]+(?:-+[a-z\d]+)*(?:\.[a-z\d]+(?:-+[a-z\d]+)*)+$/i
const NUMERIC_TOP_LABEL = /\.\d+$/
const PHONE = /^(?:\+55)?([1-9]{2}\d{8,9})$/
const PHONE_PUNCTUATION = /[\s()./\-\u2010-\u2015]+/g

/** Whether a value counts as not sent: undefined, null or a blank string. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** A text, trimmed, of up to 200 characters. */
export function readText(value: unknown): Reading<string> {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string') return null
  const text = value.trim()
  return hasAtMostCharacters(text, MAX_TEXT_CHARACTERS) ? text : null
}

/** A name of a person: such a text without control characters and marks of direction. */
export function readName(value: unknown): Reading<string> {
  const text = readText(value)
  return typeof text === 'string' && !fitsNames(text) ? null : text
}

/** One of a closed set, exactly as spelt there. */
export function readChoice<T extends string>(value: unknown, choices: ReadonlySet<string>): Reading<T> {
  if (isAbsent(value)) return undefined
  return typeof value === 'string' && choices.has(value) ? (value as T) : null
}

/** A CPF, in its unformatted normal form. */
export function readCpf(value: unknown): Reading<string> {
  return isAbsent(value) ? undefined : parseCpf(value)
}

/** A real day from 1900-01-01 on. */
export function readDate(value: unknown): Reading<LocalDate> {
  if (isAbsent(value)) return undefined
  return isLocalDate(value) && value >= EARLIEST_DATE ? value : null
}

/** `male` or `female`. */
export function readGender(value: unknown): Reading<Gender> {
  return readChoice<Gender>(value, genders)
}

/** A marital status; `other` is read as `others`. */
export function readMaritalStatus(value: unknown): Reading<MaritalStatus> {
  return value === 'other' ? 'others' : readChoice<MaritalStatus>(value, maritalStatuses)
}

/** A work-contract type of the contract's enumeration. */
export function readWorkContractType(value: unknown): Reading<WorkContractType> {
  return readChoice<WorkContractType>(value, workContractTypes)
}

/** A salary in cents: a whole, safe number of 0 or more. */
export function readSalary(value: unknown): Reading<number> {
  if (isAbsent(value)) return undefined
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** An e-mail address in ASCII: dot-separated atoms, one `@`, a domain of two labels or more, 200 characters at most. */
export function readEmail(value: unknown): Reading<string> {
  const text = readText(value)
  if (typeof text !== 'string') return text
  const at = text.indexOf('@')
  if (at < 1 || at > 64) return null
  const domain = text.slice(at + 1)
  return LOCAL_PART.test(text.slice(0, at)) && DOMAIN.test(domain) && !NUMERIC_TOP_LABEL.test(domain) ? text : null
}

/**
 * A Brazilian phone as its 10 or 11 digits with area code; punctuation and `+55` are allowed and dropped.
 * Neither digit of an area code is 0.
 */
export function readPhone(value: unknown): Reading<string> {
  const text = readText(value)
  if (typeof text !== 'string') return text
  return PHONE.exec(text.replace(PHONE_PUNCTUATION, ''))?.[1] ?? null
}

/** A list of documents, one item per pair of id and type; the ids are not looked up here. */
export function readDocuments(value: unknown): Reading<DocumentReference[]> {
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) return null
  const documents = new Map<string, DocumentReference>()
  for (const item of value as readonly unknown[]) {
    if (typeof item !== 'object' || item === null) return null
    const { 'document-id': id, 'document-type': type } = item as Record<string, unknown>
    if (typeof id !== 'string' || isAbsent(id) || !hasAtMostCharacters(id, MAX_TEXT_CHARACTERS)) return null
    if (!documentTypes.has(type)) return null
    documents.set(`${type as DocumentType} ${id}`, { 'document-id': id, 'document-type': type as DocumentType })
  }
  return [...documents.values()]
}

/** Whether a text has at most so many characters (code points, not UTF-16 units). */
export function hasAtMostCharacters(text: string, limit: number): boolean {
  if (text.length <= limit) return true
  if (text.length > 2 * limit) return false
  let count = 0
  for (const _ of text) count += 1
  return count <= limit
}
