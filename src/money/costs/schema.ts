import { Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { ALLOCATION_GROUPS } from '../rules/allocation.ts'
import { Cents, Closed, Named, Nullable, OneOf, pageQuery, Text } from '#platform/http/schemas.ts'

const CostGroup = Named(
  'CostGroup',
  Type.Object({
    key: Nullable(
      Type.String({
        description:
          'The cost center, or the id of the member or product, as `group-by` says. null: people without a cost center, or whom the carrier charges and who are unknown here.',
      }),
    ),
    name: Nullable(Text),
    unmatched: Type.Boolean({ description: 'The carrier names people who are not found here.' }),
    people: Type.Integer({ description: 'How many people it is charged for.' }),
    premium: Cents('Premiums, with their corrections and credits.'),
    coparticipation: Cents('Co-participation.'),
    allocated: Cents('The group’s part of `without-person`, by its amounts; the parts sum up to it to the cent.'),
    total: Cents('`premium`, `coparticipation` and `allocated`.'),
    'employee-amount': Nullable(
      Cents(
        'What employees pay of it, by the contribution rules, else by the carrier’s file. null: not known of a person.',
      ),
    ),
  }),
)

/** A page of the costs of a month with their totals. */
export const CostList = Type.Object({
  result: Type.Array(CostGroup),
  pagination: Type.Ref('Pagination'),
  totals: Named(
    'CostTotals',
    Type.Object({
      total: Cents('Of all groups: the sum of the carriers’ files.'),
      'without-person': Cents('What the invoices charge without a person, such as fees and discounts.'),
    }),
  ),
})

export const costQuery = Closed({
  'reference-month': Month,
  'group-by': OneOf(ALLOCATION_GROUPS, {
    default: 'cost-center',
    description: 'A dependent counts for its primary’s cost center.',
  }),
  ...pageQuery,
})
