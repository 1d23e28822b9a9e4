/*
 * What a movement would change, and what an answer changed of it, field by field, for the operator who decides on it.
 */
import type { Changes } from './answer.ts'
import type { CorrectedEnrollment } from './answer-effects.ts'
import type { MovementKind } from '#kernel/enums.ts'
import { earlier, ownEnd } from './exclusion.ts'

type Value = string | number | boolean | null

export interface Difference {
  readonly field: string
  readonly old: Value
  readonly new: Value
}

export interface DifferenceFacts {
  readonly enrollmentType: MovementKind
  /** The data of the enrollment, in wire keys. */
  readonly data: Readonly<Record<string, unknown>>
  /** The stored profile of the person; null when the company has none. */
  readonly profile: Readonly<Record<string, unknown>> | null
  /** Whether an inclusion is of a person who was a member before. */
  readonly updatesProfile: boolean
  readonly benefit: {
    readonly productName: string
    readonly startDate: string | null
    readonly endDate: string | null
    readonly extensionPlan: boolean
  }
  /** For a dependent's exclusion that follows the primary's: the primary's benefit. */
  readonly primary: { readonly endDate: string | null } | null
  readonly companyTaxId: string
  /** A plan or company change. */
  readonly destination: { readonly productName: string; readonly companyTaxId: string } | null
  /** An exclusion's last day, an alteration's first. */
  readonly effectiveDate: string | null
}

const notOfTheProfile = new Set(['documents', 'dependency-date'])

/** Old and new value of each field that differs; for a new member every field that was sent. */
export function diffOf(facts: DifferenceFacts): Difference[] {
  const { data, profile, updatesProfile, benefit } = facts
  switch (facts.enrollmentType) {
    case 'inclusion':
      return [
        ...profileDifference(updatesProfile ? profile : null, data),
        ...changed('start-date', null, benefit.startDate),
      ]
    case 'exclusion':
      return exclusionDifference(facts)
    case 'alteration':
      return [
        ...transferDifference(facts),
        ...changed('sub-contract', null, valueOf(recordOf(data['alteration-data'])['sub-contract'])),
        ...profileDifference(profile, recordOf(data['registration'])),
      ]
    default:
      return facts.enrollmentType satisfies never
  }
}

/** Old and new value of each field that an answer changed of an enrollment; of its documents their number. */
export function answerChanges({ enrollment, data }: CorrectedEnrollment, values: Changes['values']): Difference[] {
  if (enrollment.isFollower) return []
  const [before, after] = [
    sentValues(enrollment.enrollmentType, enrollment.data),
    sentValues(enrollment.enrollmentType, data),
  ]
  return [
    ...[...values.keys()].flatMap((field) =>
      field === 'dependent-type'
        ? changed(field, enrollment.dependentType, valueOf(values.get(field)))
        : changed(field, valueOf(before[field]), valueOf(after[field])),
    ),
    ...changed('documents', countOf(enrollment.data['documents']), countOf(data['documents'])),
  ]
}

/** The values that the movement was sent with, flat. */
function sentValues(kind: MovementKind, data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'inclusion':
      return data
    case 'exclusion':
      return recordOf(data['exclusion-details'])
    case 'alteration':
      return recordOf(data['alteration-data'])
    default:
      return kind satisfies never
  }
}

const countOf = (list: unknown) => (Array.isArray(list) ? list.length : 0)

function exclusionDifference({ data, benefit, primary, effectiveDate }: DifferenceFacts): Difference[] {
  const ahead = primary === null ? null : ownEnd(benefit, primary)
  if (recordOf(data['exclusion-details'])['extension-plan'] === true) {
    return ahead === null ? changed('extension-plan', benefit.extensionPlan, true) : []
  }
  return changed('end-date', benefit.endDate, effectiveDate === null ? null : earlier(effectiveDate, ahead))
}

function transferDifference({ destination, benefit, companyTaxId, effectiveDate }: DifferenceFacts): Difference[] {
  if (destination === null) return []
  return [
    ...changed('product-name', benefit.productName, destination.productName),
    ...changed('company-tax-id', companyTaxId, destination.companyTaxId),
    ...changed('start-date', benefit.startDate, effectiveDate),
  ]
}

function profileDifference(
  profile: Readonly<Record<string, unknown>> | null,
  sent: Readonly<Record<string, unknown>>,
): Difference[] {
  return Object.entries(sent)
    .filter(([field]) => !notOfTheProfile.has(field))
    .flatMap(([field, value]) => changed(field, profile === null ? null : valueOf(profile[field]), valueOf(value)))
}

function changed(field: string, old: Value, now: Value): Difference[] {
  return old === now ? [] : [{ field, old, new: now }]
}

function valueOf(value: unknown): Value {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
