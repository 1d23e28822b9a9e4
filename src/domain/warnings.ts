/*
 * Warnings of an inclusion, of a line of an import, and of a decision: nothing is rejected. `npm run docs` writes the tables of the documentation
 * from here.
 */

/** Why a benefit starts later than its movement or line says. */
export const START_WARNINGS = ['starts-after-former-cover', 'starts-with-primary'] as const
export type StartWarning = (typeof START_WARNINGS)[number]

export const WARNING_MEANINGS = {
  'admission-date-far': 'The admission is more than a year ahead.',
  'child-older-than-primary':
    'A `child`, `stepchild` or `adopted-child` was born before the primary, or on the same day.',
  'ignored-field':
    "A field that is ignored for this role: a dependent's own `admission-date`, a primary's `primary-member-tax-id` or `dependent-type`.",
  'late-inclusion':
    'More than 30 days after the admission, or for a dependent after its `dependency-date`. Carriers may set waiting periods.',
  'same-product-type':
    'Another product of this product type: of this person in the batch, or as an active or pending benefit in the company. A change of plan is an alteration.',
  'starts-after-former-cover':
    'The person had this product in this role until the day before `start-date`: the benefit starts on that day.',
  'starts-with-primary':
    "The benefit starts on `start-date`, the start of the primary's benefit of the product: a dependent is not covered before.",
  'two-spouses': 'The primary has another `spouse` or `partner` in this product, in the batch or in the company.',
  'unknown-field': 'The field is unknown and was not stored. Without `index`: a field of the body itself.',
} as const satisfies Readonly<Record<string, string>>

export type InclusionWarningCode = keyof typeof WARNING_MEANINGS

export const INCLUSION_WARNINGS = Object.keys(WARNING_MEANINGS) as readonly InclusionWarningCode[]
