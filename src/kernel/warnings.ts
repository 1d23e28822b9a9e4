/* Warnings of an inclusion, of an alteration, of a line of an import, and of a decision: nothing is rejected. Their words are in texts/. */

/** Why a benefit starts later than its movement or line says. */
export const START_WARNINGS = ['starts-after-former-cover', 'starts-with-primary'] as const
export type StartWarning = (typeof START_WARNINGS)[number]

export const INCLUSION_WARNINGS = [
  'admission-date-far',
  'after-cut-off',
  'child-older-than-primary',
  'ignored-field',
  'late-inclusion',
  'missing-documents',
  'same-product-type',
  'starts-after-former-cover',
  'starts-with-primary',
  'suspicious-text',
  'two-spouses',
  'unknown-field',
] as const
export const ALTERATION_WARNINGS = ['dependent-too-old', 'suspicious-text'] as const

export type WarningCode = InclusionWarningCode | (typeof ALTERATION_WARNINGS)[number]
export type InclusionWarningCode = (typeof INCLUSION_WARNINGS)[number]
