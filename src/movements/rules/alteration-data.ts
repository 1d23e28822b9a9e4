import type { LocalDate } from '#kernel/calendar.ts'
import type { CodeOf } from '#kernel/error-codes.ts'
import * as types from '#kernel/field-types.ts'
import { invalidValue, isObject, nonBlank } from '#kernel/fields.ts'
import { MAX_KEY_LENGTH } from '#kernel/field-types.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import type { Field, FieldError, ParsedBody } from '#kernel/fields.ts'
import { reference as referenceType } from '#kernel/reference.ts'
import { type Sandbox, sandbox as sandboxType } from '#kernel/sandbox.ts'
import { unknownField, unknownFieldOfBody } from '#kernel/nearest.ts'
import { addedFields, REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'

/** Keys of `alteration-data` that correct registration data. */
export const REGISTRATION_FIELDS = {
  name: nonBlank(types.name),
  'tax-id': nonBlank(types.cpf),
  'mothers-name': nonBlank(types.name),
  'date-of-birth': nonBlank(types.date),
  gender: nonBlank(types.gender),
  'marital-status': nonBlank(types.maritalStatus),
  phone: nonBlank(types.phone),
  'work-contract-type': nonBlank(types.workContractType),
  ...addedFields(nonBlank),
}

/** Keys of `alteration-data` that change the plan or the company. */
const CHANGE_FIELDS = {
  'new-product-id': nonBlank(types.uuid),
  'new-company-tax-id': nonBlank(types.cnpj),
}

/** The keys of `alteration-data`. */
export const ALTERATION_FIELDS: Readonly<Record<string, Field>> = {
  ...CHANGE_FIELDS,
  'requested-start-date': nonBlank(types.date),
  reason: nonBlank(types.reason),
  ...REGISTRATION_FIELDS,
  'company-id': nonBlank(types.uuid),
  documents: nonBlank(types.documents),
}

/** Those that make an alteration by themselves. */
export const QUALIFYING_KEYS: readonly string[] = [...Object.keys(CHANGE_FIELDS), ...Object.keys(REGISTRATION_FIELDS)]

export interface AlterationRequest {
  /** The company in the body; null when not sent. */
  readonly companyTaxId: string | null
  readonly companyId: string | null
  readonly newProductId: string | null
  readonly newCompanyTaxId: string | null
  readonly requestedStartDate: LocalDate | null
  readonly reference: string | null
  readonly sandbox: Sandbox | null
  readonly documents: readonly DocumentReference[]
  /** Changed registration data under the keys of the profile. */
  readonly registration: Readonly<Record<string, string | number | boolean>>
  /** All of `alteration-data` but the documents, in normal form, under the keys that it was sent with. */
  readonly data: Readonly<Record<string, string | number | boolean>>
}

const BODY_FIELDS = ['alteration-data', 'company-tax-id', 'reference', 'sandbox'] as const
const MAX_FIELD_ERRORS = 20
const profileKeys = new Map<string, string>(Object.entries(REGISTRATION_ALIASES))

/** The key of the profile for a key of the alteration. */
export const profileKey = (key: string): string => profileKeys.get(key) ?? key

/** Parses the body of an alteration. Lists every error, up to 20, in the order of the keys that were sent. */
export function parseAlteration(
  body: Readonly<Record<string, unknown>>,
  today: LocalDate,
): ParsedBody<AlterationRequest> {
  const {
    'alteration-data': sent,
    'company-tax-id': sentCompany,
    reference: sentReference,
    sandbox: sentSandbox,
    ...others
  } = body
  const bodyErrors: FieldError[] = Object.keys(others)
    .slice(0, MAX_FIELD_ERRORS)
    .map((key) => unknownFieldOfBody(key, BODY_FIELDS, 'alteration-data', Object.keys(ALTERATION_FIELDS)))
  const companyTaxId = sentCompany === undefined ? null : (types.cnpj.parse(sentCompany) ?? null)
  if (sentCompany !== undefined && companyTaxId === null) bodyErrors.push({ field: 'company-tax-id', code: 'invalid' })
  const reference = referenceType.parse(sentReference)
  if (reference === null) bodyErrors.push({ field: 'reference', code: 'invalid' })
  const sandbox = sandboxType.parse(sentSandbox)
  if (sandbox === null) bodyErrors.push(invalidValue('sandbox', sandboxType, sentSandbox))
  if (bodyErrors.length > 0) return refuse('invalid-body', bodyErrors)
  if (!isObject(sent)) return refuseData('alteration-data', sent === undefined ? 'missing' : 'invalid')
  const { errors, data, documents } = parseData(sent, today)
  if (errors.length > 0) return refuse('invalid-alteration-data', errors)
  if (!QUALIFYING_KEYS.some((key) => data.has(key))) return refuseData('alteration-data', 'nothing-to-alter')
  const textOf = (key: string) => (data.get(key) as string | undefined) ?? null
  const registration = [...data].filter(([key]) => Object.hasOwn(REGISTRATION_FIELDS, key))
  return {
    ok: true,
    value: {
      companyTaxId,
      companyId: textOf('company-id'),
      newProductId: textOf('new-product-id'),
      newCompanyTaxId: textOf('new-company-tax-id'),
      requestedStartDate: textOf('requested-start-date'),
      reference: reference ?? null,
      sandbox: sandbox ?? null,
      documents,
      registration: Object.fromEntries(registration.map(([key, value]) => [profileKey(key), value])),
      data: Object.fromEntries(data),
    },
  }
}

interface ParsedData {
  readonly errors: FieldError[]
  readonly data: Map<string, string | number | boolean>
  readonly documents: readonly DocumentReference[]
}

function parseData(sent: Readonly<Record<string, unknown>>, today: LocalDate): ParsedData {
  const parsed: ParsedData = { errors: [], data: new Map(), documents: [] }
  let documents: readonly DocumentReference[] = []
  for (const [key, sentValue] of Object.entries(sent)) {
    if (parsed.errors.length === MAX_FIELD_ERRORS) break
    const field = Object.hasOwn(ALTERATION_FIELDS, key) ? ALTERATION_FIELDS[key] : undefined
    const value = field?.parse(sentValue) ?? null
    const isAfterToday = key === 'date-of-birth' && typeof value === 'string' && value > today
    if (field === undefined || value === null || isAfterToday) {
      const path = `alteration-data.${key.slice(0, MAX_KEY_LENGTH)}`
      const error =
        field === undefined
          ? unknownField(key, Object.keys(ALTERATION_FIELDS), 'alteration-data.')
          : invalidValue(path, field, sentValue)
      parsed.errors.push(isAfterToday ? { ...error, message: { key: 'not-after-today' } } : error)
    } else if (key === 'documents') documents = value as DocumentReference[]
    else parsed.data.set(key, value as string | number | boolean)
  }
  return { ...parsed, documents }
}

function refuseData(field: string, code: FieldError['code']): ParsedBody<AlterationRequest> {
  return refuse('invalid-alteration-data', [{ field, code }])
}

function refuse(code: CodeOf<400>, details: readonly FieldError[]): ParsedBody<AlterationRequest> {
  return { ok: false, code, details }
}
