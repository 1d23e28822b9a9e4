/** Offenses of an entry of a batch of alterations, sorted. */
export const ALTERATION_OFFENSES = [
  'duplicated-member',
  'invalid-alteration-data',
  'invalid-reference',
  'invalid-sandbox',
  'invalid-tax-id',
  'member-not-found',
  'missing-documents',
  'no-active-benefit',
  'ongoing-enrollment',
] as const
export type AlterationOffense = (typeof ALTERATION_OFFENSES)[number]
