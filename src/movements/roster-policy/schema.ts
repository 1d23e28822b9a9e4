import { type Static, Type } from 'typebox'
import { AUTOMATIC_CLASSES } from '#kernel/roster-syncs.ts'
import { ResultOf } from '#platform/http/page.ts'
import { Closed, Cnpj, Named, OneOf } from '#platform/http/schemas.ts'
import { MIN_GUARDED_PEOPLE } from '../rules/roster-policy.ts'

const percent = (minimum: number) => Type.Integer({ minimum, maximum: 100 })

const fields = {
  automatic: Type.Array(OneOf(AUTOMATIC_CLASSES), {
    maxItems: AUTOMATIC_CLASSES.length,
    uniqueItems: true,
    description:
      'What a list with `automatic: true` confirms of itself, where nothing is missing: never who is absent, nor another CPF.',
  }),
  'guard-people': Type.Integer({
    minimum: 1,
    maximum: 200_000,
    description: 'When more people leave a product by one list, whoever confirms gives their number and a reason.',
  }),
  'guard-percent': {
    ...percent(1),
    description: `The same for more than this share of the people whom the product covers, from ${MIN_GUARDED_PEOPLE} people on.`,
  },
  'min-presence-percent': {
    ...percent(0),
    description: 'A list that has fewer of the covered primaries is doubtful: it proposes inclusions only.',
  },
}

export const RosterPolicyBody = Closed(fields, {
  examples: [
    {
      automatic: ['inclusion', 'company-data'],
      'guard-people': 20,
      'guard-percent': 10,
      'min-presence-percent': 80,
    },
  ],
})
export type RosterPolicyBody = Static<typeof RosterPolicyBody>

export const RosterPolicyResponse = ResultOf(
  Named('RosterPolicy', Type.Object({ 'company-tax-id': Cnpj, ...fields })),
  'The policy.',
)
