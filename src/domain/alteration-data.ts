/*
 * What an alteration asks for, read from its body. Pure.
 */
import type { LocalDate } from './calendar.ts'
import {
  type DocumentReference,
  hasAtMostCharacters,
  isAbsent,
  readCpf,
  readDate,
  readDocuments,
  readEmail,
  readGender,
  readMaritalStatus,
  readName,
  readPhone,
  readSalary,
  readText,
  readWorkContractType,
  type Reading,
} from './member-fields.ts'
import { parseCnpj } from './tax-id.ts'
import { STATES } from './enums.ts'

export interface AlterationRequest {
  /** Of the body; null when not sent. */
  readonly companyTaxId: string | null
  readonly companyId: string | null
  readonly newProductId: string | null
  readonly newCompanyTaxId: string | null
  readonly requestedStartDate: LocalDate | null
  readonly documents: readonly DocumentReference[]
  /** What changes in the member's profile, by the profile's own keys; empty when nothing does. */
  readonly registration: Readonly<Record<string, string | number>>
  /** Everything that was asked but the documents, in normal form, under the keys that it was sent with. */
  readonly asked: Readonly<Record<string, string | number>>
}

export interface FieldError {
  readonly field: string
  readonly code: string
}

export type AlterationReading =
  | { readonly ok: true; readonly request: AlterationRequest }
  | { readonly ok: false; readonly error: string; readonly faults: readonly FieldError[] }

export const invalidAlterationData = 'Invalid alteration-data'

const MAX_REASON_CHARACTERS = 500
const MAX_FIELD_ERRORS = 20
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const POSTAL_CODE = /^(\d{5})-?(\d{3})$/
const states: ReadonlySet<string> = new Set(STATES)

type Reader = (value: unknown, today: LocalDate) => Reading<string | number>

const registrationKeys: Readonly<Record<string, Reader>> = {
  name: readName,
  'preferred-name': readName,
  'tax-id': readCpf,
  'mothers-name': readName,
  'date-of-birth': readBirth,
  gender: readGender,
  'marital-status': readMaritalStatus,
  email: readEmail,
  phone: readPhone,
  'address-postal-code': readPostalCode,
  'address-street': readText,
  'address-number': readText,
  'address-neighborhood': readText,
  'address-complement': readText,
  'address-city': readText,
  'address-state': readState,
  'work-contract-type': readWorkContractType,
  'monthly-salary': readSalary,
  'employee-company-tax-id': parseCnpj,
  'bank-number': readText,
  'bank-branch-number': readText,
  'bank-account-number': readText,
  'bank-account-owners-name': readName,
  'bank-account-owners-tax-id': readCpf,
}

const otherKeys: Readonly<Record<string, Reader>> = {
  'new-product-id': readUuid,
  'new-company-tax-id': parseCnpj,
  'requested-start-date': readDate,
  reason: readReason,
  'company-id': readUuid,
}

const readers = new Map(Object.entries({ ...registrationKeys, ...otherKeys }))
const profileKeys = new Map([
  ['email', 'email-private'],
  ['monthly-salary', 'salary'],
])

/** The 30 keys that `alteration-data` may have. */
export const ALTERATION_KEYS: readonly string[] = [...readers.keys(), 'documents']

/** Those of them that make an alteration by themselves. */
export const QUALIFYING_KEYS: readonly string[] = [
  'new-product-id',
  'new-company-tax-id',
  ...Object.keys(registrationKeys),
]

/** Reads the body of an alteration, with every fault of it. An empty string and null are bad values. */
export function readAlteration(body: Readonly<Record<string, unknown>>, today: LocalDate): AlterationReading {
  const { 'alteration-data': data, 'company-tax-id': sentCompany, ...others } = body
  const bodyErrors = Object.keys(others)
    .slice(0, MAX_FIELD_ERRORS)
    .map((field) => ({ field: field.slice(0, 100), code: 'unknown' }))
  const companyTaxId = sentCompany === undefined ? null : parseCnpj(sentCompany)
  if (sentCompany !== undefined && companyTaxId === null) bodyErrors.push({ field: 'company-tax-id', code: 'invalid' })
  if (bodyErrors.length > 0) return refuse('Invalid body', bodyErrors)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return refuse(invalidAlterationData, [
      { field: 'alteration-data', code: data === undefined ? 'missing' : 'invalid' },
    ])
  }
  const sent = data as Record<string, unknown>
  const { faults, asked, documents } = readKeys(sent, today)
  if (faults.length > 0) return refuse(invalidAlterationData, faults)
  if (!QUALIFYING_KEYS.some((key) => asked.has(key))) {
    return refuse(invalidAlterationData, [{ field: 'alteration-data', code: 'nothing-to-alter' }])
  }
  const text = (key: string) => (asked.get(key) as string | undefined) ?? null
  const registration = [...asked].filter(([key]) => Object.hasOwn(registrationKeys, key))
  return {
    ok: true,
    request: {
      companyTaxId,
      companyId: text('company-id'),
      newProductId: text('new-product-id'),
      newCompanyTaxId: text('new-company-tax-id'),
      requestedStartDate: text('requested-start-date'),
      documents,
      registration: Object.fromEntries(registration.map(([key, value]) => [profileKeys.get(key) ?? key, value])),
      asked: Object.fromEntries(asked),
    },
  }
}

interface ReadKeys {
  readonly faults: FieldError[]
  readonly asked: Map<string, string | number>
  readonly documents: readonly DocumentReference[]
}

function readKeys(sent: Readonly<Record<string, unknown>>, today: LocalDate): ReadKeys {
  const faults: FieldError[] = []
  const asked = new Map<string, string | number>()
  let documents: readonly DocumentReference[] = []
  const blame = (key: string, code: string) => faults.push({ field: `alteration-data.${key.slice(0, 100)}`, code })
  for (const [key, value] of Object.entries(sent)) {
    if (faults.length === MAX_FIELD_ERRORS) break
    if (key === 'documents') {
      const reading = readDocuments(value)
      if (reading) documents = reading
      else blame(key, 'invalid')
      continue
    }
    const reader = readers.get(key)
    if (reader === undefined) {
      blame(key, 'unknown')
      continue
    }
    const reading = reader(value, today)
    if (reading === undefined || reading === null) blame(key, 'invalid')
    else asked.set(key, reading)
  }
  return { faults, asked, documents }
}

function refuse(error: string, faults: readonly FieldError[]): AlterationReading {
  return { ok: false, error, faults }
}

function readUuid(value: unknown): Reading<string> {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : null
}

function readReason(value: unknown): Reading<string> {
  if (typeof value !== 'string' || isAbsent(value)) return null
  const text = value.trim()
  return hasAtMostCharacters(text, MAX_REASON_CHARACTERS) ? text : null
}

function readBirth(value: unknown, today: LocalDate): Reading<LocalDate> {
  const day = readDate(value)
  return typeof day === 'string' && day > today ? null : day
}

/** Eight digits, with or without the hyphen, kept as digits. */
function readPostalCode(value: unknown): Reading<string> {
  const parts = typeof value === 'string' ? POSTAL_CODE.exec(value.trim()) : null
  return parts === null ? null : `${parts[1]}${parts[2]}`
}

/** One of the 27 units of the federation; lower case is upper-cased, as in a CNPJ. */
function readState(value: unknown): Reading<string> {
  const state = typeof value === 'string' ? value.trim().toUpperCase() : ''
  return states.has(state) ? state : null
}
