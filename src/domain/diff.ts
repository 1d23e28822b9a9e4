/*
 * What a movement would change, field by field, for whoever has to decide on it. Pure.
 */
import type { RequestType } from './enums.ts'

type Value = string | number | boolean | null

export interface Difference {
  readonly field: string
  readonly old: Value
  readonly new: Value
}

export interface DifferenceFacts {
  readonly enrollmentType: RequestType
  /** What was asked: the enrollment's data, in wire keys. */
  readonly asked: Readonly<Record<string, unknown>>
  /** The person as the company knows them now; null for somebody unknown. */
  readonly profile: Readonly<Record<string, unknown>> | null
  /** Whether an inclusion is of somebody who was a member before. */
  readonly updatesProfile: boolean
  readonly benefit: {
    readonly productName: string
    readonly startDate: string | null
    readonly endDate: string | null
    readonly extensionPlan: boolean
  }
  readonly companyTaxId: string
  /** A plan or company change. */
  readonly destination: { readonly productName: string; readonly companyTaxId: string } | null
  /** An exclusion's last day, an alteration's first. */
  readonly effectiveDate: string | null
}

const notOfTheProfile = new Set(['documents', 'dependency-date'])

/** Old and new value of each field that differs; for a new member every field that was sent. */
export function diffOf(facts: DifferenceFacts): Difference[] {
  if (facts.enrollmentType === 'inclusion') {
    const old = facts.updatesProfile ? facts.profile : null
    return [...profileDifference(old, facts.asked), ...changed('start-date', null, facts.benefit.startDate)]
  }
  if (facts.enrollmentType === 'exclusion') return exclusionDifference(facts)
  const registration = recordOf(facts.asked['registration'])
  return [...changeDifference(facts), ...profileDifference(facts.profile, registration)]
}

function exclusionDifference({ asked, benefit, effectiveDate }: DifferenceFacts): Difference[] {
  const extended = recordOf(asked['exclusion-details'])['extension-plan'] === true
  return extended
    ? changed('extension-plan', benefit.extensionPlan, true)
    : changed('end-date', benefit.endDate, effectiveDate)
}

function changeDifference({ destination, benefit, companyTaxId, effectiveDate }: DifferenceFacts): Difference[] {
  if (destination === null) return []
  return [
    ...changed('product-name', benefit.productName, destination.productName),
    ...changed('company-tax-id', companyTaxId, destination.companyTaxId),
    ...changed('start-date', benefit.startDate, effectiveDate),
  ]
}

function profileDifference(
  profile: Readonly<Record<string, unknown>> | null,
  told: Readonly<Record<string, unknown>>,
): Difference[] {
  return Object.entries(told)
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
