import { benefitResource } from '#coverage/benefits/resource.ts'
import { Type } from 'typebox'
import type { App, Context } from '#platform/http/context.ts'
import { json } from '#platform/http/bodies.ts'
import { Closed, noControls, Text } from '#platform/http/schemas.ts'
import { Confirm } from '../decide/items.ts'
import { correctBenefit } from './correct.ts'

const CorrectionBody = Closed(
  {
    'card-number': Type.Optional(Type.String({ ...Text, ...noControls })),
    'start-date': Type.Optional(Type.String({ format: 'date', description: 'The first day covered.' })),
    'end-date': Type.Optional(
      Type.String({ format: 'date', description: 'The last day covered, of a benefit that has one.' }),
    ),
    reason: Type.String({ ...Text, ...noControls }),
    confirm: Type.Optional(Confirm),
  },
  { examples: [{ 'card-number': '0045 1120 7799', reason: 'The carrier wrote another number' }] },
)

/** Corrects what the completion of a movement, or an import, said of a benefit. */
export async function correctionRoutes(app: App, context: Context): Promise<void> {
  benefitResource(app, context).act('correct', {
    path: 'correction',
    summary: 'Correct the card number, start or end of a benefit',
    description:
      'Of a benefit that is active or has ended. What was and what is are in `corrections` of its movements; clients get `benefit.updated`. ' +
      'A correction of the end neither ends a benefit nor brings it back. What is so already is not changed.',
    cli: {
      examples: {
        'benefit correct 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --card-number "0045 1120 7799" --reason "Typed wrong"':
          'the card number that was typed wrong',
      },
    },
    errors: ['before-start-date', 'date-out-of-range', 'benefit-not-correctable', 'duplicate-card'],
    body: json(CorrectionBody),
    run: (actor, id, body) => correctBenefit(context, actor, id, body),
  })
}
