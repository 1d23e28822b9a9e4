/** What an operator may correct of a benefit once it was completed. */
export const CORRECTED_FIELDS = ['card-number', 'start-date', 'end-date'] as const
export type CorrectedField = (typeof CORRECTED_FIELDS)[number]
