import { Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { TAX_FIGURE_BASES } from '#kernel/broker-enums.ts'
import { ALLOCATION_GROUPS } from '../rules/allocation.ts'
import { TAX_FIGURE_ERRORS } from '../rules/tax-figures.ts'
import { Closed, Cnpj, Cpf, Named, Nullable, OneOf, pageQuery, Text, Cents } from '#platform/http/schemas.ts'

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

/** What an employer declares of an employee and month. */
export const TaxFiguresItem = Named(
  'TaxFigures',
  Type.Object({
    'reference-month': Month,
    'tax-id': Cpf,
    'employee-id': Nullable(Text),
    declaration: OneOf(['s-1210', 'r-4010'], {
      description: '`r-4010`: of people without employment, by their `work-contract-type`.',
    }),
    plans: Type.Array(
      Type.Object({
        'carrier-tax-id': Nullable(Cnpj),
        'ans-registration': Nullable(Type.String({ description: 'Of the carrier at the ANS, 6 digits.' })),
        amount: Cents('What the employee was charged for the own cover.'),
        dependents: Type.Array(Type.Object({ 'tax-id': Nullable(Cpf), amount: Cents('More than zero.') })),
        errors: Type.Array(OneOf(TAX_FIGURE_ERRORS), { description: 'What is missing for the declaration.' }),
      }),
    ),
    deducted: Cents('Nature 9219: what the employee is charged.'),
    'whole-cost': Cents('Nature 9911: all that the carriers charge for the month, whoever pays.'),
    'tax-figures-by': OneOf(TAX_FIGURE_BASES, {
      description:
        'Whether the amounts are what was charged for the month, or what its payroll deducted, by the payroll profile of the company.',
    }),
    'differing-months': Type.Array(Month, {
      description:
        'The months of the year in which what was charged for the employee is not what was deducted, while the profile says neither.',
    }),
  }),
)
