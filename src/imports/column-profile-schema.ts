import { Type } from 'typebox'
import { IMPORT_COLUMNS } from '../domain/import-columns.ts'
import { Closed, Cnpj, Name, Named, Nullable, OneOf, Timestamp } from '../http/schemas.ts'

const maxHeadings = 200

const heading = {
  heading: Type.String({
    ...Name,
    description: 'As files have it; compared without case and accents.',
    examples: ['Nome do funcionário'],
  }),
  field: OneOf([...IMPORT_COLUMNS.keys()], {
    description: 'The column of an import, read as under its Portuguese name: money in reais.',
    examples: ['name'],
  }),
}

export const MappedHeadings = Type.Array(Type.Object(heading))

const example = [{ heading: 'Nome do funcionário', field: 'name' }]

export const ColumnProfileBody = Named(
  'ColumnProfileBody',
  Closed({ columns: Type.Array(Closed(heading), { maxItems: maxHeadings }) }, { examples: [{ columns: example }] }),
)

export const ColumnProfileResponse = Named(
  'ColumnProfileResponse',
  Type.Object(
    {
      result: Type.Object({
        'company-tax-id': Cnpj,
        columns: MappedHeadings,
        'last-updated-at': Nullable(Timestamp),
      }),
    },
    {
      examples: [
        {
          result: {
            'company-tax-id': '12ABC34501DE35',
            columns: example,
            'last-updated-at': '2026-11-21T13:05:09.120Z',
          },
        },
      ],
    },
  ),
)
