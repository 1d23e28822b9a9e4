/* Warnings of an inclusion, of an exclusion, of an alteration, of a line of an import, and of a decision: nothing is rejected. Their words are in texts/. */

/** Why a benefit starts later than its movement or line says. */
export const START_WARNINGS = ['starts-after-former-cover', 'starts-with-primary'] as const
export type StartWarning = (typeof START_WARNINGS)[number]

/** How far back the carrier recognizes a movement is nearly reached, or passed: by the contract. */
export const LIMIT_WARNINGS = ['retroactive-limit-near', 'retroactive-limit-passed'] as const

export const INCLUSION_WARNINGS = [
  'admission-date-far',
  'after-cut-off',
  'child-older-than-primary',
  'ignored-field',
  'late-inclusion',
  'missing-documents',
  ...LIMIT_WARNINGS,
  'same-product-type',
  'starts-after-former-cover',
  'starts-with-primary',
  'suspicious-text',
  'two-spouses',
  'unknown-field',
] as const
export const ALTERATION_WARNINGS = ['dependent-too-old', 'suspicious-text'] as const

export const EXCLUSION_WARNINGS = LIMIT_WARNINGS

export type WarningCode = InclusionWarningCode | (typeof ALTERATION_WARNINGS)[number]
export type InclusionWarningCode = (typeof INCLUSION_WARNINGS)[number]
