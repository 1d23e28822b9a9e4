import { Type } from 'typebox'
import { START_WARNINGS, type WarningCode } from '#kernel/warnings.ts'
import { ENGLISH } from '#kernel/texts/texts.ts'
import { DateOnly, Named, OneOf } from './schemas.ts'

/** `message` in `warnings`. */
export const WarningMessage = Type.Optional(
  Type.String({
    description: 'The warning in a sentence, for a person: in English, or with `Accept-Language: pt-BR` in Portuguese.',
    examples: ['The field is unknown and was not stored. Without `index`: a field of the body itself.'],
  }),
)

/** What each warning means, for a description. */
export function explainWarnings(codes: readonly WarningCode[]): string {
  return codes.map((code) => `\`${code}\`: ${ENGLISH.warnings[code]}`).join(' ')
}

export const StartDateOfWarning = {
  ...DateOnly,
  description: 'Of `starts-with-primary` and `starts-after-former-cover`: the day on which the benefit starts.',
}

export const ExpectedStartOfWarning = {
  ...DateOnly,
  description: 'Of `after-cut-off`: the day on which the carrier’s cover is expected to start.',
}

export const LastDayOfWarning = {
  ...DateOnly,
  description: 'Of `late-inclusion`: the last day that was not late.',
}

export const UntilOfWarning = {
  ...DateOnly,
  description: 'Of `retroactive-limit-near` and `retroactive-limit-passed`: the last day.',
}

/** `warnings` of a decision: the benefit starts later than it was to. */
export const StartWarnings = Type.Array(
  Named(
    'StartWarning',
    Type.Object({
      warning: OneOf(START_WARNINGS, { description: explainWarnings(START_WARNINGS) }),
      'start-date': StartDateOfWarning,
      message: WarningMessage,
    }),
  ),
  { description: 'What was done otherwise than it was asked for. Absent when there is nothing.' },
)
