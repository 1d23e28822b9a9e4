import { type Static, Type } from 'typebox'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { MAX_VIEW_NAME_CHARACTERS, MAX_VIEWS, VIEW_AREAS, VIEW_FILTERS } from '../rules/view.ts'
import { Closed, Name, Named, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'

export const ViewQuery = Closed({ area: Type.Optional(OneOf(VIEW_AREAS, { description: 'Default: every area.' })) })

const fields = {
  area: OneOf(VIEW_AREAS, { description: 'The list of the console that has the view.' }),
  name: Type.String({
    ...Name,
    maxLength: MAX_VIEW_NAME_CHARACTERS,
    description: 'Unique in the area, without regard to case and accents.',
  }),
  filters: Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS }), {
    description: `As in the address of the list in the console. Of the queue: ${VIEW_FILTERS.queue.map((name) => `\`${name}\``).join(', ')}.`,
  }),
}

const example = {
  area: 'queue',
  name: 'Aurora, atrasadas',
  filters: { 'carrier-name': 'Operadora Aurora', due: 'overdue' },
} as const

export const ViewBody = Named('ViewBody', Closed(fields, { examples: [example] }))
export type ViewInput = Static<typeof ViewBody>

export const View = Named(
  'View',
  Type.Object({
    'view-id': Uuid,
    ...fields,
    'created-by': Type.String({ description: 'Client id of the operator who created it.' }),
    'created-at': Timestamp,
    'last-updated-at': Timestamp,
  }),
)
export const ViewList = Type.Object({ result: Type.Array(View, { maxItems: MAX_VIEWS * VIEW_AREAS.length }) })
