import { Type, type Static } from 'typebox'
import type { LocalDate } from '#kernel/calendar.ts'
import { LISTED_DEADLINES } from '#coverage/rules/deadline.ts'
import { ALTERATION_KINDS, ENROLLMENT_STATUSES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { parseSearch, type SearchTerm } from '#kernel/search.ts'
import { filters } from '#platform/http/filters.ts'
import { searchParameter } from '#platform/http/search-parameter.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { checkDays, checkDaysBefore } from '#platform/http/date-range.ts'
import { Closed, DateOnly, OneOf, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { ClientId } from '#access/clients/accounts.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'

export const QUEUE_ORDERS = ['created-at', 'due-date', 'money-at-risk'] as const

/** A value of the filter `status`: every status that is not terminal. */
export const OPEN = 'open'

/** A value of the filter `assignee`: enrollments without an assignee. */
export const UNASSIGNED = 'none'

/** The parameters that filter the queue, but for the status. */
export const queueFilterQuery = {
  'enrollment-type': Type.Optional(OneOf(MOVEMENT_KINDS, { description: 'Default: every type.' })),
  'alteration-kind': Type.Optional(OneOf(ALTERATION_KINDS, { description: 'Of the alterations of operators.' })),
  'company-tax-id': filters.company,
  'carrier-name': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_CHARACTERS,
      description: 'The whole name, without case and accents.',
    }),
  ),
  'product-id': Type.Optional({
    ...Uuid,
    description: 'Of a plan or company change it is the new product, as in the items.',
  }),
  'member-tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not.' })),
  'member-id': Type.Optional({ ...Uuid, description: 'The `member-id` of the items: without a CPF in the address.' }),
  'request-id': Type.Optional({ ...Uuid, description: 'Only the movements of this request.' }),
  'from-dt': Type.Optional({ ...DateOnly, description: 'First day of `created-at` in America/Sao_Paulo, included.' }),
  'until-dt': Type.Optional({ ...DateOnly, description: 'Last day, included; not before `from-dt`.' }),
  'resolved-from-dt': Type.Optional({
    ...DateOnly,
    description: 'First day in America/Sao_Paulo, included, of those completed, rejected or cancelled from then on.',
  }),
  'resolved-until-dt': Type.Optional({
    ...DateOnly,
    description: 'Last day, included; not before `resolved-from-dt`.',
  }),
  'due-from': Type.Optional({ ...DateOnly, description: 'Only with a `due-date` on or after this day.' }),
  'due-before': Type.Optional({ ...DateOnly, description: 'Only with a `due-date` before this day.' }),
  assignee: Type.Optional({
    ...ClientId,
    description: `The client id of an operator; \`${UNASSIGNED}\`: without assignee.`,
  }),
  'shipment-id': Type.Optional({ ...Uuid, description: 'Only items of this shipment, once it was closed.' }),
  'shipment-number': Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999,
      description: 'Only items of the shipments with this number, of any contract, once they were closed.',
    }),
  ),
  'cut-off-date': Type.Optional({
    ...DateOnly,
    description: 'Only items of the closed shipments of this cut-off day.',
  }),
  'overdue-at-carrier': Type.Optional(
    Type.Boolean({
      description: '`true`: only those that a carrier has not answered within the days of its contract.',
    }),
  ),
  answered: Type.Optional(
    Type.Boolean({
      description: '`true`: only those that the partner has answered, and whose status is the same since.',
    }),
  ),
  q: searchParameter('the name, the CPF, the employee id or the carrier’s protocol'),
}

/** The parameters that filter and order the queue. */
export const queueQuery = {
  status: Type.Optional(
    OneOf([...ENROLLMENT_STATUSES, OPEN], {
      description: `Default: every status. \`${OPEN}\`: every status but completed, rejected and cancelled.`,
    }),
  ),
  ...queueFilterQuery,
  sort: OneOf(QUEUE_ORDERS, {
    default: 'created-at',
    description:
      'Oldest first, or by `due-date`, those without one last, or by `money-at-risk`: the largest `lost-if-missed` first, then `if-missed`.',
  }),
}

type QueueQuery = Static<ReturnType<typeof Type.Object<typeof queueQuery>>>

/** Conditions joined by AND: the parameters, with what two of them mean. */
export interface QueueFilter extends Partial<Omit<QueueQuery, 'sort' | 'overdue-at-carrier' | 'member-tax-id' | 'q'>> {
  readonly 'member-tax-id'?: string | undefined
  /** The business day, of those that a carrier should have answered before. */
  readonly overdueOn?: LocalDate | undefined
  /** A part of the name, the CPF, the employee id or the carrier's protocol. */
  readonly search?: SearchTerm | undefined
}

/** The filter of the parameters. @throws ApiError 400 */
export function queueFilterOf(query: Omit<QueueQuery, 'sort'>, today: LocalDate): QueueFilter {
  const day = (name: DayName) => ({ name, day: query[name] ?? null })
  checkDays(day('from-dt'), day('until-dt'))
  checkDays(day('resolved-from-dt'), day('resolved-until-dt'))
  checkDaysBefore(day('due-from'), day('due-before'))
  const { 'overdue-at-carrier': isOverdue, q, 'member-tax-id': taxId, ...filter } = query
  return {
    ...filter,
    'member-tax-id': parseParameter('member-tax-id', taxId, parseCpf) ?? undefined,
    overdueOn: isOverdue === true ? today : undefined,
    search: parseParameter('q', q, parseSearch) ?? undefined,
  }
}

type DayName = 'from-dt' | 'until-dt' | 'resolved-from-dt' | 'resolved-until-dt' | 'due-from' | 'due-before'

export const DeadlineQuery = Closed({
  'from-dt': Type.Optional({ ...DateOnly, description: 'First day of `until`, included.' }),
  'until-dt': Type.Optional({ ...DateOnly, description: 'Last day, included; not before `from-dt`.' }),
  kind: Type.Optional(OneOf(LISTED_DEADLINES, { description: 'Default: every kind.' })),
  'company-tax-id': filters.company,
  'contract-id': Type.Optional({ ...Uuid, description: 'The active contract of the product.' }),
  assignee: Type.Optional({
    ...ClientId,
    description: `The client id of an operator; \`${UNASSIGNED}\`: without assignee.`,
  }),
  ...pageQuery,
})
export type DeadlineQuery = Static<typeof DeadlineQuery>
