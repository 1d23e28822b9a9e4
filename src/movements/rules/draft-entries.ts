/* What whoever confirms items of a movement draft gives for them: how it is read, and what becomes of an entry and of what it needs. */
import type { LocalDate } from '#kernel/calendar.ts'
import type { StartOption } from '#kernel/enums.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import { type Field, type FieldError, type Fields, invalidValue, isAbsent } from '#kernel/fields.ts'
import { INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import type { DraftClass, DraftMovement } from '#kernel/movement-drafts.ts'
import { unknownField } from '#kernel/nearest.ts'
import {
  EXCLUSION_FIELDS,
  misplacedDetails,
  missingContinuationItems,
  parseExclusionDetails,
} from '#coverage/rules/exclusion-details.ts'
import { ALTERATION_FIELDS, profileKey } from './alteration-data.ts'
import type { DraftDifference } from './movement-draft.ts'

type DraftEntry = Readonly<Record<string, unknown>>

/** As it is sent, for all items or for one. */
export interface SentValues {
  readonly 'exclusion-details'?: Readonly<Record<string, unknown>> | undefined
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly 'start-option'?: StartOption | undefined
  readonly 'start-date'?: LocalDate | undefined
}

/** Whether something that is given for all items is for one like this. */
export const takesOfAll = (item: Pick<FilledItem, 'class' | 'movement'>, all: SentValues): boolean =>
  (item.movement === 'exclusion' && all['exclusion-details'] !== undefined) ||
  (item.movement === 'inclusion' && all['start-option'] !== undefined) ||
  (item.class === 'plan-change' && all['start-date'] !== undefined)

/** The keys of `data` by movement: those that an entry may have, but for whom it is about. */
const DATA_FIELDS: { readonly [Movement in DraftMovement]?: Fields } = {
  inclusion: Object.fromEntries(
    Object.entries<Field>(INCLUSION_FIELDS).filter(
      ([key]) => !['beneficiary-type', 'tax-id', 'products', 'reference', 'sandbox'].includes(key),
    ),
  ),
  alteration: Object.fromEntries(
    Object.entries(ALTERATION_FIELDS).filter(
      ([key]) => !['tax-id', 'new-product-id', 'new-company-tax-id', 'company-id'].includes(key),
    ),
  ),
}

/** An item, as far as what is given for it depends on it. */
export interface FilledItem {
  readonly class: DraftClass
  readonly movement: DraftMovement | null
  readonly entry: DraftEntry
  readonly needs: readonly string[]
  /** For an exclusion: whether its contract asks for what RN 488 asks of who may keep the plan. */
  readonly isContributory: boolean
}

export interface Filled {
  readonly entry: DraftEntry
  /** What is still missing. */
  readonly needs: readonly string[]
  /** The changed values of `data`, under the keys of the profile. */
  readonly stated: Readonly<Record<string, DraftDifference['stated']>>
  readonly documents: readonly DocumentReference[]
  readonly errors: readonly FieldError[]
}

/**
 * The entry of an item with what is given for it, and for all: what is given for the item wins, and what is given for all fills what is missing.
 * @param path of what is given for the item, such as `items[2].`; empty: nothing is.
 */
export function fillEntry(item: FilledItem, own: SentValues, all: SentValues, path: string): Filled {
  switch (item.movement) {
    case 'exclusion':
      return fillExclusion(item, own, all, path)
    case 'inclusion':
      return fillInclusion(item, own, all, path)
    case 'alteration':
      return fillAlteration(item, own, all, path)
    case null:
      return { ...unchanged(item), errors: misplaced(own, [], path) }
    default:
      return item.movement satisfies never
  }
}

const unchanged = ({ entry, needs }: FilledItem): Filled => ({ entry, needs, stated: {}, documents: [], errors: [] })

/** What is given for the item and does not belong to its movement. */
const misplaced = (own: SentValues, known: readonly (keyof SentValues)[], path: string): FieldError[] =>
  (Object.keys(own) as (keyof SentValues)[])
    .filter((key) => own[key] !== undefined && !known.includes(key))
    .map((key) => ({ field: `${path}${key}`, code: 'not-applicable' }))

function fillExclusion(item: FilledItem, own: SentValues, all: SentValues, path: string): Filled {
  const errors = misplaced(own, ['exclusion-details'], path)
  const ofItem = parseSome(own['exclusion-details'] ?? {}, EXCLUSION_FIELDS, `${path}exclusion-details.`)
  const ofAll = parseSome(all['exclusion-details'] ?? {}, EXCLUSION_FIELDS, 'exclusion-details.')
  errors.push(...ofItem.errors, ...ofAll.errors)
  const stored = item.entry['exclusion-details'] as DraftEntry
  const merged = { ...ofAll.values, ...withoutAbsent(stored), ...ofItem.values }
  // What is given for all does not belong to each reason.
  for (const key of misplacedDetails(merged)) {
    if (!Object.hasOwn(stored, key) && !Object.hasOwn(ofItem.values, key)) delete merged[key]
  }
  const missing = [...new Set([...item.needs, ...(item.isContributory ? missingContinuationItems(merged) : [])])]
  const needs = missing.filter((need) => isAbsent(merged[need]))
  if (errors.length === 0 && !isAbsent(merged['end-date']) && !isAbsent(merged['exclusion-reason'])) {
    const parsed = parseExclusionDetails(merged)
    const prefix = own['exclusion-details'] === undefined ? '' : path
    if (!parsed.ok)
      errors.push(
        ...detailsOf(parsed.code, parsed.details).map((error) => ({ ...error, field: `${prefix}${error.field}` })),
      )
  }
  const documents = [ofItem, ofAll].flatMap(
    ({ values }) => (values['documents'] as DocumentReference[] | undefined) ?? [],
  )
  return { entry: { ...item.entry, 'exclusion-details': merged }, needs, stated: {}, documents, errors }
}

/** Two codes of a single exclusion have no details. */
const detailsOf = (code: string, details: readonly FieldError[]): readonly FieldError[] =>
  details.length > 0
    ? details
    : code === 'exclusion-reason-details-required'
      ? [{ field: 'exclusion-details.exclusion-reason-details', code: 'missing' }]
      : [{ field: 'exclusion-details.extension-plan', code: 'not-applicable' }]

type Products = Readonly<Record<string, readonly DraftEntry[]>>

function fillInclusion(item: FilledItem, own: SentValues, all: SentValues, path: string): Filled {
  const errors = misplaced(own, ['data', 'start-option'], path)
  const { values, errors: found } = parseSome(own.data ?? {}, DATA_FIELDS.inclusion ?? {}, `${path}data.`)
  errors.push(...found)
  const option = own['start-option'] ?? null
  const products = Object.entries(item.entry['products'] as Products).map(([type, group]) => [
    type,
    group.map((product) => {
      const stored = isAbsent(product['start-option']) ? (all['start-option'] ?? null) : product['start-option']
      const chosen = option ?? stored
      return chosen === null ? product : { ...product, 'start-option': chosen }
    }),
  ])
  const entry: DraftEntry = { ...item.entry, ...values, products: Object.fromEntries(products) }
  const hasOption = Object.values(entry['products'] as Products)
    .flat()
    .every((product) => !isAbsent(product['start-option']))
  const needs = item.needs.filter((need) => (need === 'start-option' ? !hasOption : isAbsent(entry[need])))
  return { entry, needs, stated: {}, documents: (values['documents'] as DocumentReference[] | undefined) ?? [], errors }
}

function fillAlteration(item: FilledItem, own: SentValues, all: SentValues, path: string): Filled {
  const isChange = item.class === 'plan-change'
  const errors = misplaced(own, ['data', ...(isChange ? (['start-date'] as const) : [])], path)
  const { values, errors: found } = parseSome(own.data ?? {}, DATA_FIELDS.alteration ?? {}, `${path}data.`)
  errors.push(...found)
  const stored = item.entry['alteration-data'] as DraftEntry
  const start = isChange ? (own['start-date'] ?? stored['requested-start-date'] ?? all['start-date']) : undefined
  const data: DraftEntry = { ...stored, ...values, ...(start !== undefined && { 'requested-start-date': start }) }
  const { documents = [], reason: _, 'requested-start-date': __, ...changed } = values
  return {
    entry: { ...item.entry, 'alteration-data': data },
    needs: item.needs.filter((need) => isAbsent(data[need])),
    stated: Object.fromEntries(
      Object.entries(changed).map(([key, value]) => [profileKey(key), value as DraftDifference['stated']]),
    ),
    documents: documents as readonly DocumentReference[],
    errors,
  }
}

/** Reads those of the fields that are there. */
function parseSome(
  sent: Readonly<Record<string, unknown>>,
  fields: Fields,
  path: string,
): { readonly values: Readonly<Record<string, unknown>>; readonly errors: FieldError[] } {
  const values: Record<string, unknown> = {}
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(sent)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined) errors.push(unknownField(key, Object.keys(fields), path))
    else {
      const parsed = field.parse(value)
      if (parsed === null) errors.push(invalidValue(`${path}${key}`, field, value))
      else if (parsed !== undefined) values[key] = parsed
    }
  }
  return { values, errors }
}

const withoutAbsent = (entry: DraftEntry): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => !isAbsent(value)))

/** The differences of an item with what was given for it. @param profile what is stored of the person. */
export function differencesWith(
  differences: readonly DraftDifference[],
  stated: Filled['stated'],
  profile: Readonly<Record<string, unknown>>,
): DraftDifference[] {
  const known = new Set(differences.map(({ field }) => field))
  return [
    ...differences.map((one) => ({ ...one, stated: stated[one.field] ?? one.stated })),
    ...Object.entries(stated)
      .filter(([field]) => !known.has(field))
      .map(([field, value]) => ({ field, here: (profile[field] ?? null) as DraftDifference['here'], stated: value })),
  ]
}
