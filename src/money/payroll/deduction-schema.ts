import { type Static, Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { DESTINATIONS, PAYROLL_KINDS } from '#kernel/broker-enums.ts'
import { PageOf } from '#platform/http/page.ts'
import { Cents, Closed, Named, Nullable, OneOf, pageQuery, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'
import { searchParameter } from '#platform/http/search-parameter.ts'
import { DEDUCTION_CAUSES } from '../rules/deduction-change.ts'

const DEDUCTION_STATUSES = ['recurring', 'difference', 'settled', 'final'] as const
export type DeductionStatus = (typeof DEDUCTION_STATUSES)[number]

export const DeductionQuery = Closed({
  'reference-month': { ...Month, description: 'The month of cover.' },
  'member-id': Type.Optional({ ...Uuid, description: 'Only the deductions of this employee.' }),
  q: searchParameter('the employee’s name or number'),
  'changed-since': Type.Optional({
    ...Timestamp,
    description:
      'Only employees whose deductions may have changed since: a change of a price, a rule, a contract or a closed month is one of everybody.',
  }),
  ...pageQuery,
})
export type DeductionQuery = Static<typeof DeductionQuery>

const DeductionItem = Named(
  'Deduction',
  Type.Object({
    'member-id': { ...Uuid, description: 'The employee.' },
    name: Text,
    'employee-id': Nullable(Text),
    kind: OneOf(PAYROLL_KINDS),
    'product-type': Text,
    'reference-month': { ...Month, description: 'The month of cover.' },
    'by-person': Type.Array(
      Named('DeductionOfPerson', Type.Object({ 'member-id': Uuid, amount: Cents('The part of the person.') })),
    ),
    amount: Cents('What the employee owes for the month, as far as it is known.'),
    exported: Cents('What exports have of it.'),
    open: Cents('What the next export has of it.'),
    held: Cents('What is not deducted while the carrier’s charge is contested.'),
    status: OneOf(DEDUCTION_STATUSES, {
      description:
        '`recurring`: no closed month charges it yet. `difference`: something is left to deduct or to give back. `settled`: the closed months are deducted. ' +
        '`final`: the employee left, and an export of leavers has it.',
    }),
    'since-month': { ...Month, description: 'The first month with the same amount, at most a year before.' },
    cause: Nullable(
      OneOf(DEDUCTION_CAUSES, {
        description: 'Why the amount changed in `since-month`; null: it has been so for a year.',
      }),
    ),
    'next-change': Nullable({
      ...Month,
      description: 'The first month of the next year in which another amount is known; null: none.',
    }),
    destination: OneOf(DESTINATIONS, {
      description: '`bill`: the company bills it, because the person is not on the payroll of the month.',
    }),
  }),
)
export type DeductionItem = Static<typeof DeductionItem>
export const DeductionList = PageOf(DeductionItem)
