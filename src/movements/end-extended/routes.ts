import { benefitResource } from '#coverage/benefits/resource.ts'
import { Type } from 'typebox'
import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { Closed, noControls, Text } from '#platform/http/schemas.ts'
import { Confirm } from '../decide/items.ts'
import { endBenefit } from './end.ts'

const EndBody = Closed(
  {
    'end-date': Type.String({ format: 'date', description: 'The last day covered.' }),
    reason: Type.String({ ...Text, ...noControls }),
    confirm: Type.Optional(Confirm),
  },
  {
    examples: [{ 'end-date': '2026-11-30', reason: 'Legal term of the extension ended' }],
  },
)

/** Ends benefits of an extension plan (Lei 9.656 arts. 30 and 31), a primary's together with its dependents'. */
export async function endExtendedRoutes(app: App, context: Context): Promise<void> {
  benefitResource(app, context).act('end', {
    summary: 'End a benefit of an extension plan',
    description:
      'Sets the last day: the benefit is inactive at once when that day has come, else from that day on. The end of a primary’s ' +
      'benefit also ends the dependents’ benefits of the product. The reason is stored with each of them.',
    cli: {
      examples: {
        'benefit end 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --end-date 2026-11-30 --reason "Legal term ended"':
          'and those of its dependents',
      },
    },
    errors: ['before-start-date', 'date-out-of-range', 'benefit-not-under-extension-plan'],
    body: json(EndBody),
    run: (actor, id, body) => endBenefit(context, actor, id, body),
  })
}
