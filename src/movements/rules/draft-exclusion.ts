/* Exclusions that the clock proposes, and the ends of benefits that it reports before. */

/** Why a benefit will end: the age of a dependent, or the term of the continuation of a plan (Lei 9.656 arts. 30 and 31). */
export const ENDING_CAUSES = ['age-limit', 'continuation'] as const
export type EndingCause = (typeof ENDING_CAUSES)[number]

export const DRAFT_EXCLUSION_STATUSES = ['open', 'confirmed', 'discarded'] as const
export type DraftExclusionStatus = (typeof DRAFT_EXCLUSION_STATUSES)[number]
