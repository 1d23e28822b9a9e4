import type { LocalDate } from './calendar.ts'
import {
  hasAtMostCharacters,
  isAbsent,
  MAX_TEXT_CHARACTERS,
  readChoice,
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
} from './member-fields.ts'
import type { DocumentReference, Reading } from './member-fields.ts'
import { productNameKey } from './product-name.ts'
import { BENEFICIARY_TYPES, DEPENDENT_TYPES, START_OPTIONS } from './enums.ts'
import type { BeneficiaryType, DependentType, Offense, StartOption } from './enums.ts'

/** One product asked for. `nameKey` is null when the name is missing; `startOption` as read from the field. */
export interface ProductItem {
  productType: string
  nameKey: string | null
  startOption: Reading<StartOption>
}

export interface EntryWarning {
  warning: 'unknown-field' | 'ignored-field'
  field: string
}

/** Fields as sent, null when absent; an object or array only while small, so that no batch is held in memory for it. */
export interface Echo {
  'beneficiary-type': unknown
  name: unknown
  'tax-id': unknown
}

/** A member of the batch in normal form, with the offenses that need nothing but the member itself. */
export interface Entry {
  index: number
  /** For the echo of a rejected member; the rest of what was sent is let go. */
  echo: Echo
  /** Null when missing or invalid: then nothing is demanded that only one of the roles owes. */
  role: BeneficiaryType | null
  taxId: string | null
  primaryTaxId: string | null
  dependentType: DependentType | null
  dateOfBirth: LocalDate | null
  /** As sent; a dependent's own is never read. */
  admissionDate: Reading<LocalDate>
  dependencyDate: LocalDate | null
  profile: Record<string, string | number | null>
  documents: readonly DocumentReference[]
  /** Null when `products` is missing or invalid. */
  items: ProductItem[] | null
  offenses: readonly Offense[]
  warnings: readonly EntryWarning[]
}

/** A batch read and judged member by member, before any fact is known. */
export interface Batch {
  readonly entries: readonly Entry[]
  /** Unique valid CPFs of the members. */
  readonly taxIds: string[]
  /** Unique valid CPFs named as `primary-member-tax-id` by dependents. */
  readonly primaryTaxIds: string[]
  /** Unique ids of documents, any text of up to 200 characters: compare them as text. */
  readonly documentIds: string[]
}

/** A field of a person that one reading judges by itself. */
export interface ProfileField {
  field: string
  read: (value: unknown) => Reading<string | number>
  missing: Offense | null
  invalid: Offense
}

/** What is known of a person in any role, beside the CPF and the admission date. */
export const PROFILE_FIELDS: readonly ProfileField[] = [
  { field: 'name', read: readName, missing: 'missing-name', invalid: 'invalid-name' },
  { field: 'mothers-name', read: readName, missing: 'missing-mothers-name', invalid: 'invalid-mothers-name' },
  { field: 'date-of-birth', read: readDate, missing: 'missing-date-of-birth', invalid: 'invalid-date-of-birth' },
  { field: 'gender', read: readGender, missing: 'missing-gender', invalid: 'invalid-gender' },
  { field: 'marital-status', read: readMaritalStatus, missing: null, invalid: 'invalid-marital-status' },
  { field: 'work-contract-type', read: readWorkContractType, missing: null, invalid: 'invalid-work-contract-type' },
  { field: 'job-title', read: readText, missing: null, invalid: 'invalid-job-title' },
  { field: 'employee-id', read: readText, missing: null, invalid: 'invalid-employee-id' },
  { field: 'cost-center', read: readText, missing: null, invalid: 'invalid-cost-center' },
  { field: 'salary', read: readSalary, missing: null, invalid: 'invalid-salary' },
  { field: 'email-corporate', read: readEmail, missing: null, invalid: 'invalid-email-corporate' },
  { field: 'email-private', read: readEmail, missing: null, invalid: 'invalid-email-private' },
  { field: 'phone', read: readPhone, missing: null, invalid: 'invalid-phone' },
  { field: 'dependency-date', read: readDate, missing: null, invalid: 'invalid-dependency-date' },
]
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...PROFILE_FIELDS.map((profile) => profile.field),
  'beneficiary-type',
  'tax-id',
  'admission-date',
  'primary-member-tax-id',
  'dependent-type',
  'documents',
  'products',
])
// Without a bound, 16 MiB of short unknown keys would be answered with a hundred times as much.
const MAX_UNKNOWN_FIELD_WARNINGS = 20

// Shared by the many members that have none.
const NO_OFFENSES: readonly Offense[] = []
const NO_WARNINGS: readonly EntryWarning[] = []
const NO_FIELDS: readonly string[] = []
const NO_DOCUMENTS: readonly DocumentReference[] = []
const IGNORED_FOR_DEPENDENTS = ['admission-date']
const IGNORED_FOR_PRIMARIES = ['primary-member-tax-id', 'dependent-type']

const roles: ReadonlySet<string> = new Set(BENEFICIARY_TYPES)
const dependentTypes: ReadonlySet<string> = new Set(DEPENDENT_TYPES)
const startOptions: ReadonlySet<string> = new Set(START_OPTIONS)

/**
 * Normalises every member of a batch and judges each on its own. `members` are known to be objects
 * parsed from JSON, 1 to 10,000. The ids that come with the batch are what the facts are to be fetched for.
 */
export function readBatch(members: readonly unknown[]): Batch {
  const nameKeys = new Map<string, string>()
  const taxIds = new Set<string>()
  const primaryTaxIds = new Set<string>()
  const documentIds = new Set<string>()
  const entries = members.map((member, index) => {
    const entry = readEntry(member as Record<string, unknown>, index, nameKeys)
    if (entry.taxId !== null) taxIds.add(entry.taxId)
    if (entry.role === 'dependent' && entry.primaryTaxId !== null) primaryTaxIds.add(entry.primaryTaxId)
    for (const document of entry.documents) documentIds.add(document['document-id'])
    return entry
  })
  return { entries, taxIds: [...taxIds], primaryTaxIds: [...primaryTaxIds], documentIds: [...documentIds] }
}

/**
 * Up to 20 keys of an object parsed from JSON that are not `known`, each cut after 200 characters, as the
 * `unknown-field` warnings tell them.
 */
export function unknownFields(sent: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): readonly string[] {
  let unknown = NO_FIELDS
  for (const key in sent) {
    if (known.has(key)) continue
    const told = key.length <= MAX_TEXT_CHARACTERS ? key : key.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
    unknown = [...unknown, told]
    if (unknown.length === MAX_UNKNOWN_FIELD_WARNINGS) break
  }
  return unknown
}

function readEntry(sent: Record<string, unknown>, index: number, nameKeys: Map<string, string>): Entry {
  let offenses = NO_OFFENSES
  const collect = <T>(reading: Reading<T>, missing: Offense | null, invalid: Offense): T | null => {
    if (reading === null) offenses = [...offenses, invalid]
    else if (reading === undefined && missing !== null) offenses = [...offenses, missing]
    return reading ?? null
  }
  const role = readRole(sent, collect)
  const taxId = collect(readCpf(sent['tax-id']), 'missing-tax-id', 'invalid-tax-id')
  const profile: Record<string, string | number | null> = {}
  for (const { field, read, missing, invalid } of PROFILE_FIELDS) {
    const value = collect(read(sent[field]), missing, invalid)
    if (value !== null) profile[field] = value
  }
  const admissionDate = role === 'dependent' ? undefined : readDate(sent['admission-date'])
  if (typeof admissionDate === 'string') profile['admission-date'] = admissionDate
  else collect(admissionDate, null, 'invalid-admission-date')
  const { primaryTaxId, dependentType } = readDependency(sent, role, taxId, collect)
  const documents = collect(readDocuments(sent['documents']), null, 'invalid-documents') ?? NO_DOCUMENTS
  const items = collect(readItems(sent['products'], nameKeys), 'missing-products', 'invalid-products')
  return {
    index,
    echo: {
      'beneficiary-type': echoOf(sent['beneficiary-type']),
      name: echoOf(sent['name']),
      'tax-id': echoOf(sent['tax-id']),
    },
    role,
    taxId,
    primaryTaxId,
    dependentType,
    dateOfBirth: (profile['date-of-birth'] as LocalDate | undefined) ?? null,
    admissionDate,
    dependencyDate: (profile['dependency-date'] as LocalDate | undefined) ?? null,
    profile,
    documents,
    items,
    offenses,
    warnings: warningsOf(sent, role),
  }
}

/** Notes the offense of a reading. @returns its value, null when there is none. */
export type Collect = <T>(reading: Reading<T>, missing: Offense | null, invalid: Offense) => T | null

/** Primary or dependent; null with its offense noted. */
export function readRole(sent: Readonly<Record<string, unknown>>, collect: Collect): BeneficiaryType | null {
  const role = readChoice<BeneficiaryType>(sent['beneficiary-type'], roles)
  return collect(role, 'missing-beneficiary-type', 'invalid-beneficiary-type')
}

/** What ties a dependent to a primary. Owed by dependents, ignored for primaries; with the role unknown, judged if sent. */
export function readDependency(
  sent: Readonly<Record<string, unknown>>,
  role: BeneficiaryType | null,
  taxId: string | null,
  collect: Collect,
): { primaryTaxId: string | null; dependentType: DependentType | null } {
  if (role === 'primary') return { primaryTaxId: null, dependentType: null }
  const owed = role === 'dependent'
  let primary = readCpf(sent['primary-member-tax-id'])
  if (typeof primary === 'string' && primary === taxId) primary = null
  return {
    primaryTaxId: collect(primary, owed ? 'missing-primary-member-tax-id' : null, 'invalid-primary-member-tax-id'),
    dependentType: collect(
      readChoice<DependentType>(sent['dependent-type'], dependentTypes),
      owed ? 'missing-dependent-type' : null,
      'invalid-dependent-type',
    ),
  }
}

// An object of non-empty arrays of objects whose name, if sent, is a string; `{}` is missing.
function readItems(products: unknown, nameKeys: Map<string, string>): Reading<ProductItem[]> {
  if (isAbsent(products)) return undefined
  if (typeof products !== 'object' || products === null || Array.isArray(products)) return null
  const groups = Object.entries(products as Record<string, unknown>)
  if (groups.length === 0) return undefined
  const items: ProductItem[] = []
  for (const [productType, group] of groups) {
    if (!Array.isArray(group) || group.length === 0) return null
    for (const item of group as readonly unknown[]) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return null
      const { name, 'start-option': option } = item as Record<string, unknown>
      if (typeof name !== 'string' && !isAbsent(name)) return null
      items.push({
        productType,
        nameKey: isAbsent(name) ? null : cachedNameKey(name as string, nameKeys),
        startOption: readChoice<StartOption>(option, startOptions),
      })
    }
  }
  return items
}

function cachedNameKey(name: string, nameKeys: Map<string, string>): string {
  let key = nameKeys.get(name)
  if (key === undefined) {
    // No product bears so long a name, and sorting endless runs of accents is not linear work.
    key = hasAtMostCharacters(name.trim(), MAX_TEXT_CHARACTERS) ? productNameKey(name) : name
    nameKeys.set(name, key)
  }
  return key
}

function echoOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null
  return JSON.stringify(value).length <= MAX_TEXT_CHARACTERS ? value : null
}

function warningsOf(sent: Record<string, unknown>, role: BeneficiaryType | null): readonly EntryWarning[] {
  let warnings = NO_WARNINGS
  for (const field of unknownFields(sent, KNOWN_FIELDS)) {
    warnings = [...warnings, { warning: 'unknown-field', field }]
  }
  for (const field of role === 'dependent' ? IGNORED_FOR_DEPENDENTS : IGNORED_FOR_PRIMARIES) {
    if (!isAbsent(sent[field])) warnings = [...warnings, { warning: 'ignored-field', field }]
  }
  return warnings
}
