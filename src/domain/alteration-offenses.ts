import type { Explanation } from './offenses.ts'

/** Offenses of an entry of a batch of alterations, sorted. */
export const ALTERATION_OFFENSE_EXPLANATIONS = {
  'duplicated-member': {
    meaning: 'Two entries alter the same person, or give two people the same CPF.',
    fix: 'Keep one, with all the data of the person.',
  },
  'invalid-alteration-data': {
    meaning:
      'A field is missing, invalid or unknown, nothing would be altered, or the company does not offer what is asked for: as in the ' +
      'alteration of one member. `new-company-tax-id` is a company of yours, `company-id` the company of the batch.',
    fix: 'Correct the field that `offense-details` names.',
  },
  'invalid-reference': { meaning: 'Not a text of 1 to 100 characters, or it holds a CPF.', fix: 'Correct it.' },
  'invalid-tax-id': { meaning: 'Missing, or not a CPF.', fix: 'Correct it.' },
  'member-not-found': { meaning: 'The company has no member with this CPF.', fix: 'Correct the CPF or the company.' },
  'no-active-benefit': {
    meaning: 'The person has no active benefit as a primary in the company.',
    fix: 'See `GET /v1/benefit`. Dependents move with their primary; an open inclusion is resolved first.',
  },
  'ongoing-enrollment': {
    meaning:
      'A benefit that would move has an open exclusion, plan change or company change; nothing of the entry is altered.',
    fix: 'Wait until it is resolved.',
  },
} as const satisfies Readonly<Record<string, Explanation>>

export type AlterationOffense = keyof typeof ALTERATION_OFFENSE_EXPLANATIONS

export const ALTERATION_OFFENSES = Object.keys(ALTERATION_OFFENSE_EXPLANATIONS) as readonly AlterationOffense[]
