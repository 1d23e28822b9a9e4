import { Type } from 'typebox'
import { ACKNOWLEDGEMENT_COLUMNS, ACKNOWLEDGEMENT_OUTCOMES, REFUSAL_STATUSES } from '../rules/acknowledgement.ts'
import { MAX_REASON_CHARACTERS, MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { PendingItem } from '#platform/http/pending-item.ts'
import { Closed, Code, Named, noControls, OneOf } from '#platform/http/schemas.ts'

/* What a contract says of the carrier's acknowledgements. */

const codeMapDescription =
  'What the codes of the carrier’s refusals ask for; a code that is not listed is a `pending-correction` with its message.'
export const mappingDescription =
  'How the carrier’s spreadsheets are read, where the contract has no layout of their format. Without it the headings are those of the guide.'

const heading = Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, ...noControls })

export const codeMap = Type.Array(
  Named(
    'RefusalMeaning',
    Closed({
      code: Code(30, 'As the carrier has it.', ['17']),
      status: OneOf(REFUSAL_STATUSES),
      'pending-items': Type.Optional(
        Type.Array(PendingItem, {
          maxItems: 50,
          description: 'Of both `pending-*`: what the partner has to send or to correct.',
        }),
      ),
      reason: Type.Optional({
        ...heading,
        maxLength: MAX_REASON_CHARACTERS,
        pattern: '\\S',
        description: 'For the partner; without it the carrier’s message.',
      }),
    }),
  ),
  { maxItems: 500, description: codeMapDescription },
)
export const mapping = Named(
  'AcknowledgementMapping',
  Closed({
    columns: Type.Record(Type.String(), OneOf(ACKNOWLEDGEMENT_COLUMNS), {
      maxProperties: 100,
      description:
        'The column of each heading, without case and accents, beside the headings that are known; others are left aside.',
    }),
    outcomes: Type.Record(Type.String(), OneOf(ACKNOWLEDGEMENT_OUTCOMES), {
      maxProperties: 100,
      description:
        'What the words of the column `outcome` mean, beside those that are known. `in-analysis`: the carrier has not decided.',
    }),
  }),
)
