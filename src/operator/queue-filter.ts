import { Type, type Static } from 'typebox'
import { ENROLLMENT_STATUSES, REQUEST_TYPES } from '../domain/enums.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'
import { MIN_SEARCH_CHARACTERS, parseSearch } from '../domain/search.ts'
import { parseCnpj, parseCpf } from '../domain/tax-id.ts'
import { QUEUE_ORDERS, type QueueFilter, UNASSIGNED } from '../enrollments/queue-queries.ts'
import { DateOnly, OneOf } from '../http/schemas.ts'
import { ClientId } from './accounts.ts'
import { parseParameter } from './parse-parameter.ts'

/** The parameter `q` of a list. @param fields that it searches. */
export const searchParameter = (fields: string) =>
  Type.Optional(
    Type.String({
      minLength: MIN_SEARCH_CHARACTERS,
      maxLength: MAX_TEXT_CHARACTERS,
      description: `A part of ${fields}, without case and accents; at least ${MIN_SEARCH_CHARACTERS} characters.`,
    }),
  )

/** The parameters that filter and order the queue. */
export const queueQuery = {
  status: Type.Optional(OneOf(ENROLLMENT_STATUSES, { description: 'Default: every status.' })),
  'enrollment-type': Type.Optional(OneOf(REQUEST_TYPES, { description: 'Default: every type.' })),
  'company-tax-id': Type.Optional(Type.String({ description: 'CNPJ, formatted or not.' })),
  'carrier-name': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_CHARACTERS,
      description: 'The whole name, without case and accents.',
    }),
  ),
  'member-tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not.' })),
  'due-before': Type.Optional({ ...DateOnly, description: 'Only with a `due-date` before this day.' }),
  assignee: Type.Optional({
    ...ClientId,
    description: `The client id of an operator; \`${UNASSIGNED}\`: without assignee.`,
  }),
  q: searchParameter('the name, the CPF or the employee id'),
  sort: OneOf(QUEUE_ORDERS, {
    default: 'created-at',
    description: 'Oldest first, or by `due-date`, those without one last.',
  }),
}

type QueueQuery = Static<ReturnType<typeof Type.Object<typeof queueQuery>>>

/** The filter of the parameters. @throws ApiError 400 */
export function queueFilterOf(query: QueueQuery): QueueFilter {
  return {
    status: query.status ?? null,
    enrollmentType: query['enrollment-type'] ?? null,
    companyTaxId: parseParameter('company-tax-id', query['company-tax-id'], parseCnpj),
    carrierName: query['carrier-name'] ?? null,
    memberTaxId: parseParameter('member-tax-id', query['member-tax-id'], parseCpf),
    dueBefore: query['due-before'] ?? null,
    assignee: query.assignee ?? null,
    search: parseParameter('q', query.q, parseSearch),
  }
}
