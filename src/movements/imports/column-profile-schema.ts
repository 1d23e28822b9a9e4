import { Type } from 'typebox'
import { MAPPED_FIELDS, MAPPED_VALUE_FIELDS } from '../rules/table-columns.ts'
import { Closed, Cnpj, Name, Named, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'

const maxHeadings = 200

const heading = {
  heading: Type.String({
    ...Name,
    description: 'As files have it; compared without case and accents.',
    examples: ['Nome do funcionário'],
  }),
  field: OneOf(MAPPED_FIELDS, {
    description: 'The column of a table, read as under its Portuguese name: money in reais.',
    examples: ['name'],
  }),
}

export const MappedHeadings = Type.Array(Type.Object(heading))

const maxValues = 500

const value = {
  field: OneOf(MAPPED_VALUE_FIELDS, { description: 'The column with the word.', examples: ['dependent-type'] }),
  value: Type.String({
    ...Name,
    description: 'The word as files have it; compared without case and accents.',
    examples: ['Agregado'],
  }),
  as: Type.String({ ...Name, description: 'The value that it stands for.', examples: ['other'] }),
}

const words = [{ field: 'dependent-type', value: 'Agregado', as: 'other' }]
const example = [{ heading: 'Nome do funcionário', field: 'name' }]

export const ColumnProfileBody = Named(
  'ColumnProfileBody',
  Closed(
    {
      columns: Type.Array(Closed(heading), { maxItems: maxHeadings }),
      values: Type.Optional(Type.Array(Closed(value), { maxItems: maxValues })),
    },
    { examples: [{ columns: example, values: words }] },
  ),
)

export const ColumnProfileResponse = Named(
  'ColumnProfileResponse',
  Type.Object({
    result: Type.Object({
      'company-tax-id': Cnpj,
      columns: MappedHeadings,
      values: Type.Array(Type.Object(value)),
      'last-updated-at': Nullable(Timestamp),
    }),
  }),
)
