import type { Explanation } from './offenses.ts'

/** Offenses of an entry of a batch of exclusions, sorted. */
export const EXCLUSION_OFFENSE_EXPLANATIONS = {
  'ambiguous-product': {
    meaning: 'The person has the product as a primary and as a dependent.',
    fix: 'Select by `benefit-id`, in an entry for each.',
  },
  'conflicting-selector': {
    meaning: 'The entry has more than one of `product-id`, `benefit-id` and `primary-member-tax-id`.',
    fix: 'Send one of them, or none for everything that the person has in the company.',
  },
  'duplicated-member': {
    meaning: 'Two entries select the same benefit.',
    fix: 'Keep one. A dependent who would be excluded with a primary may have an entry of its own.',
  },
  'invalid-exclusion-details': {
    meaning:
      'A field is missing, invalid or unknown, `other` has no details, the reason allows no extension plan, `end-date` is before the start of ' +
      'a selected benefit, or no extension plan keeps the primary.',
    fix: 'Correct the field that `offense-details` names.',
  },
  'invalid-reference': { meaning: 'Not a text of 1 to 100 characters, or it holds a CPF.', fix: 'Correct it.' },
  'invalid-selector': {
    meaning:
      'A selector is malformed, null or blank, or the entry has an unknown field: without a selector everything would be excluded.',
    fix: 'Correct the field that `offense-details` names, or leave it out.',
  },
  'invalid-tax-id': { meaning: 'Missing, or not a CPF.', fix: 'Correct it.' },
  'member-not-found': { meaning: 'The company has no member with this CPF.', fix: 'Correct the CPF or the company.' },
  'no-active-benefit': {
    meaning: 'The person has no active benefit that the entry selects.',
    fix: 'See `GET /v1/benefit`. An open inclusion is rejected or cancelled instead.',
  },
  'ongoing-enrollment': {
    meaning:
      'A selected benefit has an open exclusion, plan change or company change; nothing of the entry is excluded.',
    fix: 'Wait until it is resolved.',
  },
} as const satisfies Readonly<Record<string, Explanation>>

export type ExclusionOffense = keyof typeof EXCLUSION_OFFENSE_EXPLANATIONS

export const EXCLUSION_OFFENSES = Object.keys(EXCLUSION_OFFENSE_EXPLANATIONS) as readonly ExclusionOffense[]
