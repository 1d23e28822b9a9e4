import type { LocalDate } from '#kernel/calendar.ts'
import { hasAtMostCharacters, isAbsent } from '#kernel/fields.ts'
import { MAX_KEY_LENGTH, MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import type { Parsed } from '#kernel/fields.ts'
import { INCLUSION_FIELDS, PROFILE_FIELDS, startOption } from '#kernel/inclusion-fields.ts'
import type { InclusionField, OwedField } from '#kernel/inclusion-fields.ts'
import { REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'
import type { Sandbox } from '#kernel/sandbox.ts'
import { invalid, missing } from '#kernel/offenses.ts'
import type { Offense } from '#kernel/offenses.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { nearest } from '#kernel/nearest.ts'
import type { BeneficiaryType, DependentType, StartOption } from '#kernel/enums.ts'
import { type EntryWarning, suspiciousTexts, warningsOf } from './entry-warnings.ts'
import { type Hint, hintOf, suggestedValue, Suggestions } from './suggestions.ts'

/** Most members of one batch. */
export const MAX_BATCH_MEMBERS = 10_000

/** One requested product. */
export interface ProductItem {
  productType: string
  /** Its index under the product type. */
  index: number
  /** As sent; null when missing, as `nameKey` is. */
  name: string | null
  nameKey: string | null
  startOption: Parsed<StartOption>
  /** What an invalid start option most likely stands for. */
  suggestion?: string
}

/** The path of a product within its member. */
export function pathOfItem({ productType, index }: ProductItem): string {
  return `products.${productType.slice(0, MAX_KEY_LENGTH).toWellFormed()}[${index}]`
}

/** Fields as sent, null when absent. An object or array of over 200 characters of JSON is null too, to bound the memory of a batch. */
export interface Echo {
  'beneficiary-type': unknown
  name: unknown
  'tax-id': unknown
}

type Profile = Record<string, string | number | boolean | null>

/** A member of the batch in normal form, with the offenses that follow from the member alone. */
export interface Entry {
  index: number
  echo: Echo
  /** null: missing or invalid. The fields that only one role requires are not required then. */
  role: BeneficiaryType | null
  taxId: string | null
  primaryTaxId: string | null
  dependentType: DependentType | null
  dateOfBirth: LocalDate | null
  /** undefined for a dependent, whose own date is ignored. */
  admissionDate: Parsed<LocalDate>
  dependencyDate: LocalDate | null
  profile: Profile
  reference: string | null
  documents: readonly DocumentReference[]
  /** Staging only. */
  sandbox: Sandbox | null
  /** null: `products` is missing or invalid. */
  items: ProductItem[] | null
  offenses: readonly Offense[]
  /** What may mend invalid values. */
  hints: ReadonlyMap<Offense, Hint>
  warnings: readonly EntryWarning[]
}

/** A parsed batch; each member is judged without facts of the company. */
export interface Batch {
  readonly entries: readonly Entry[]
  /** Unique valid CPFs of the members. */
  readonly taxIds: string[]
  /** Unique valid CPFs in `primary-member-tax-id` of dependents. */
  readonly primaryTaxIds: string[]
  /** Unique ids of documents, any text of up to 200 characters: compare them as text. */
  readonly documentIds: string[]
}

type ProfileField = keyof typeof PROFILE_FIELDS

const PROFILE_KEYS: ReadonlySet<string> = new Set(Object.keys(PROFILE_FIELDS))
const REQUIRED_PROFILE_KEYS = (Object.keys(PROFILE_FIELDS) as ProfileField[]).filter(
  (field) => PROFILE_FIELDS[field].presence === 'required',
)
/**
 * Normalizes every member of a batch and judges each by itself.
 * @param members objects parsed from JSON.
 */
export function parseBatch(members: readonly unknown[]): Batch {
  const lookups: LookUps = {
    nameKeys: new Map(),
    fields: new Suggestions((field) => nearest(field, Object.keys(INCLUSION_FIELDS))),
    values: new Suggestions(suggestedValue),
  }
  const taxIds = new Set<string>()
  const primaryTaxIds = new Set<string>()
  const documentIds = new Set<string>()
  const entries = members.map((member, index) => {
    const entry = parseEntry(member as Record<string, unknown>, index, lookups)
    if (entry.taxId !== null) taxIds.add(entry.taxId)
    if (entry.role === 'dependent' && entry.primaryTaxId !== null) primaryTaxIds.add(entry.primaryTaxId)
    for (const document of entry.documents) documentIds.add(document['document-id'])
    return entry
  })
  return { entries, taxIds: [...taxIds], primaryTaxIds: [...primaryTaxIds], documentIds: [...documentIds] }
}

/** What is looked up once for all members of a batch. */
interface LookUps {
  readonly nameKeys: Map<string, string>
  readonly fields: Suggestions
  readonly values: Suggestions
}

function parseEntry(sent: Record<string, unknown>, index: number, lookups: LookUps): Entry {
  const offenses: Offense[] = []
  const { role, taxId, profile } = parsePerson(sent, offenses)
  const admissionDate =
    role === 'dependent' ? undefined : INCLUSION_FIELDS['admission-date'].parse(sent['admission-date'])
  if (typeof admissionDate === 'string') profile['admission-date'] = admissionDate
  else if (admissionDate === null) offenses.push('invalid-admission-date')
  const { primaryTaxId, dependentType } = parseDependency(sent, role, taxId, offenses)
  const reference = parseField(sent, 'reference', offenses)
  const documents = parseField(sent, 'documents', offenses) ?? []
  const sandbox = parseField(sent, 'sandbox', offenses)
  const items = parseProducts(sent, lookups, offenses)
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
    reference,
    documents,
    sandbox,
    items,
    offenses,
    hints: hintsOf(sent, offenses, lookups),
    warnings: [...warningsOf(sent, role, lookups.fields), ...suspiciousTexts(sent, profile)],
  }
}

function hintsOf(
  sent: Readonly<Record<string, unknown>>,
  offenses: readonly Offense[],
  { values }: LookUps,
): ReadonlyMap<Offense, Hint> {
  const hints = new Map<Offense, Hint>()
  for (const code of offenses) {
    const field = code.replace(/^invalid-/, '')
    const hint = Object.hasOwn(INCLUSION_FIELDS, field) ? hintOf(field as InclusionField, sent[field], values) : null
    if (hint !== null) hints.set(code, hint)
  }
  return hints
}

type ValueOf<Key extends InclusionField> = Exclude<
  ReturnType<(typeof INCLUSION_FIELDS)[Key]['parse']>,
  null | undefined
>

/** The value of a field; null where it is absent or invalid, with the offense, if it has one. */
export function parseField<Key extends InclusionField>(
  sent: Readonly<Record<string, unknown>>,
  field: Key,
  offenses: OffenseList,
  isRequired = INCLUSION_FIELDS[field].presence === 'required',
): ValueOf<Key> | null {
  const value = sent[field]
  const parsed = INCLUSION_FIELDS[field].parse(value) as Parsed<ValueOf<Key>>
  if (parsed === null) offenses.push(invalid(field))
  else if (parsed === undefined && isRequired) offenses.push(missing(field as OwedField))
  return parsed ?? null
}

interface OffenseList {
  readonly push: (offense: Offense) => unknown
}

/** Role, CPF and profile, each null or left out where it has an offense. */
export function parsePerson(
  sent: Readonly<Record<string, unknown>>,
  offenses: OffenseList,
): { role: BeneficiaryType | null; taxId: string | null; profile: Record<string, string | number | boolean> } {
  const role = parseField(sent, 'beneficiary-type', offenses)
  const taxId = parseField(sent, 'tax-id', offenses)
  const profile: Record<string, string | number | boolean> = {}
  // Only what was sent: most optional fields are absent from most members.
  for (const field in sent) {
    if (!PROFILE_KEYS.has(field)) continue
    const value = parseField(sent, field as ProfileField, offenses)
    if (value !== null) profile[field] = value
  }
  for (const field of REQUIRED_PROFILE_KEYS) {
    if (!(field in sent)) offenses.push(missing(field as OwedField))
  }
  renameAliases(profile, offenses)
  return { role, taxId, profile }
}

const aliases = Object.entries(REGISTRATION_ALIASES) as [keyof typeof REGISTRATION_ALIASES, string][]

/** Moves the values of aliases to the keys of the profile. Two names of one value must not differ. */
function renameAliases(profile: Record<string, string | number | boolean>, offenses: OffenseList): void {
  for (const [alias, field] of aliases) {
    const value = profile[alias]
    if (value === undefined) continue
    delete profile[alias]
    if ((profile[field] ??= value) !== value) offenses.push(invalid(alias))
  }
}

/** The fields that tie a dependent to a primary: required of dependents, ignored for primaries, optional when the role is unknown. */
export function parseDependency(
  sent: Readonly<Record<string, unknown>>,
  role: BeneficiaryType | null,
  taxId: string | null,
  offenses: OffenseList,
): { primaryTaxId: string | null; dependentType: DependentType | null } {
  if (role === 'primary') return { primaryTaxId: null, dependentType: null }
  const isRequired = role === 'dependent'
  const primaryTaxId = parseField(sent, 'primary-member-tax-id', offenses, isRequired)
  const isOwn = primaryTaxId !== null && primaryTaxId === taxId
  if (isOwn) offenses.push('invalid-primary-member-tax-id')
  const dependentType = parseField(sent, 'dependent-type', offenses, isRequired)
  return { primaryTaxId: isOwn ? null : primaryTaxId, dependentType }
}

/** null: missing or invalid. */
function parseProducts(
  sent: Record<string, unknown>,
  { nameKeys, values }: LookUps,
  offenses: OffenseList,
): ProductItem[] | null {
  const groups = parseField(sent, 'products', offenses)
  if (groups === null) return null
  // `{}` counts as absent.
  if (Object.keys(groups).length === 0) {
    offenses.push('missing-products')
    return null
  }
  return Object.entries(groups).flatMap(([productType, group]) =>
    group.map(({ name, 'start-option': option }, index) => {
      const parsed = startOption.parse(option)
      const suggestion = parsed === null ? values.of(option, 'start-option') : undefined
      return {
        productType,
        index,
        name: isAbsent(name) ? null : (name as string),
        nameKey: isAbsent(name) ? null : cachedNameKey(name as string, nameKeys),
        startOption: parsed,
        ...(suggestion !== undefined && { suggestion }),
      }
    }),
  )
}

function cachedNameKey(name: string, nameKeys: Map<string, string>): string {
  let key = nameKeys.get(name)
  if (key === undefined) {
    // No product has a longer name, and normalizing long runs of combining marks takes more than linear time.
    key = hasAtMostCharacters(name.trim(), MAX_TEXT_CHARACTERS) ? productNameKey(name) : name
    nameKeys.set(name, key)
  }
  return key
}

function echoOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null
  return JSON.stringify(value).length <= MAX_TEXT_CHARACTERS ? value : null
}
