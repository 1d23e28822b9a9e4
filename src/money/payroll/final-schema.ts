import { type Static, Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { PAYROLL_KINDS } from '#kernel/broker-enums.ts'
import { ResultOf } from '#platform/http/page.ts'
import { Cents, Closed, DateOnly, Named, Nullable, OneOf, Text, Uuid } from '#platform/http/schemas.ts'

const money = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000_000, description })

/** What the limit of a final deduction follows from. */
export const finalCompensation = {
  remuneration: Type.Optional(money('One month’s remuneration, in cents; absent: the salary on file.')),
  'other-compensation': Type.Optional(money('What else is compensated at the end of the employment, in cents.')),
}

export const FinalBalanceQuery = Closed({
  'end-date': Type.Optional({
    ...DateOnly,
    description: 'The last day of the employment; absent: that of the exclusion that is completed or scheduled.',
  }),
  ...finalCompensation,
})
export type FinalBalanceQuery = Static<typeof FinalBalanceQuery>

const FinalLine = Named(
  'FinalBalanceLine',
  Type.Object({
    kind: OneOf(PAYROLL_KINDS),
    'product-type': Text,
    'origin-month': Month,
    amount: Cents('What the employee owes for the month.'),
    exported: Cents('What exports have of it.'),
    open: Cents('What is left: negative where it is given back.'),
    held: Cents('What is not deducted while the carrier’s charge is contested.'),
  }),
)

const FinalBalance = Named(
  'FinalBalance',
  Type.Object({
    'member-id': Uuid,
    name: Text,
    'end-date': DateOnly,
    months: Type.Array(FinalLine, { description: 'What is left, by month of origin.' }),
    balance: Cents('The sum of what is left: negative where it is given back.'),
    limit: Nullable(Cents('The most that is deducted; null: there is no limit, or the remuneration is not known.')),
    fits: Cents('The part that the payroll deducts, or gives back.'),
    rest: Cents('The part that the company bills.'),
    'later-until': Nullable({
      ...Month,
      description: 'The month until which co-participation may still come; null: a contract does not say it.',
    }),
    sentence: Type.String({ description: 'The same in a sentence, in the language of the request.' }),
  }),
)
export const FinalBalanceResponse = ResultOf(FinalBalance)
