/** Offenses of an entry of a batch of exclusions, sorted. */
export const EXCLUSION_OFFENSES = [
  'ambiguous-product',
  'conflicting-selector',
  'duplicated-member',
  'invalid-exclusion-details',
  'invalid-reference',
  'invalid-sandbox',
  'invalid-selector',
  'invalid-tax-id',
  'member-not-found',
  'missing-documents',
  'no-active-benefit',
  'ongoing-enrollment',
] as const
export type ExclusionOffense = (typeof EXCLUSION_OFFENSES)[number]
