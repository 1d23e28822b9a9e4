import { Type } from 'typebox'
import { PageOf } from '#platform/http/page.ts'
import { Closed, Named, Nullable, OneOf, Text, Timestamp } from '#platform/http/schemas.ts'
import { LAYOUT_FORMATS } from '../rules/layout.ts'
import { Definition } from './definition.ts'
import { direction } from './layout.ts'

const LayoutId = Type.String({
  pattern: '^[a-z0-9-]{1,36}$',
  description: 'A UUID, or the name of a built-in layout.',
  examples: ['generic-csv'],
})

/** The path parameter of a layout. */
export const LayoutPath = Type.Object({ layoutId: { ...LayoutId, description: 'From the list of layouts.' } })

export const VersionQuery = Closed({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default: the latest.' })),
})

const summary = {
  'layout-id': LayoutId,
  version: Type.Integer({ minimum: 1 }),
  name: Text,
  direction,
  format: OneOf(LAYOUT_FORMATS),
  source: Nullable(Type.String()),
  'built-in': Type.Boolean({ description: 'Whether every installation has it; it is copied, not changed.' }),
  'updated-at': Nullable(Timestamp),
}

/** A body of a layout. */
export const bodyExample = {
  name: 'Operadora Aurora: movimentação',
  direction: 'movement',
  source: 'Manual da operadora, versão 3',
  definition: {
    format: 'fixed-width',
    encoding: 'iso-8859-1',
    'record-length': 60,
    records: [
      {
        name: 'primary',
        when: { 'movement.beneficiary-type': 'primary' },
        columns: [
          { at: 1, length: 1, literal: '2' },
          { at: 2, length: 4, source: 'contract.sub-contract', pad: '0', align: 'right', required: true },
          { at: 6, length: 35, source: 'person.name', format: 'upper-ascii', overflow: 'truncate', required: true },
          { at: 41, length: 8, source: 'person.date-of-birth', format: 'date:ddMMyyyy', required: true },
          { at: 49, length: 1, source: 'person.gender', map: { male: '1', female: '2' } },
        ],
      },
    ],
  },
}

const layoutExample = {
  'layout-id': '01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e',
  version: 2,
  format: 'fixed-width',
  'built-in': false,
  'updated-at': null,
  ...bodyExample,
}
export const Layout = Named(
  'Layout',
  Type.Object({ ...summary, definition: Definition }, { examples: [layoutExample] }),
)

/** A page of layouts. */
export const LayoutList = PageOf(
  Named('LayoutSummary', Type.Object(summary)),
  'A page of layouts, each in its latest version.',
)
