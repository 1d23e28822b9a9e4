import { Type } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { invalidParameter } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Role } from '#kernel/enums.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { MIN_SEARCH_CHARACTERS, parseSearch } from '#kernel/search.ts'
import { Month } from '#registry/contracts/calendar-schema.ts'
import type { App, Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { Closed, DateOnly, Named, Nullable, OneOf, Text } from '#platform/http/schemas.ts'
import {
  findCarriers,
  findClaims,
  findCompanies,
  findContracts,
  findInvoices,
  findMembers,
  findMovements,
  findRequests,
  findShipments,
  FOUND_TYPES,
  type FoundOfType,
  MAX_COUNTED,
} from './queries.ts'

const FoundObject = Named(
  'FoundObject',
  Type.Object({
    type: OneOf(FOUND_TYPES, { description: 'What was found.' }),
    id: Type.String({ description: 'In the address of the object; of a company its CNPJ.' }),
    name: Nullable(Type.String({ description: 'Of a person, a company or a carrier.' })),
    'tax-id': Nullable(Type.String({ description: 'Of a company its CNPJ, of a member the masked CPF.' })),
    'company-name': Nullable(Text),
    'carrier-name': Nullable(Type.String({ description: 'Of a contract, a shipment, a claim or an invoice.' })),
    'contract-number': Nullable(
      Type.String({ description: 'Of a contract, a shipment or a claim, with the sub-contract.' }),
    ),
    number: Nullable(Type.Integer({ description: 'Of a shipment.' })),
    'reference-month': Nullable({ ...Month, description: 'Of a claim.' }),
    reference: Nullable(Type.String({ description: 'Of a request.' })),
    'carrier-protocol': Nullable(Type.String({ description: 'Of a movement, a shipment or a claim.' })),
    'due-date': Nullable({ ...DateOnly, description: 'Of an invoice.' }),
  }),
)

/** What the role may read, as the lists of each type say. One statement at a time: a search takes one connection. */
async function find(sql: Sql, text: string, role: Role, today: LocalDate): Promise<FoundOfType[]> {
  const q = text.trim()
  const term = parseSearch(q)
  if (term === null) throw invalidParameter([{ field: 'q', code: 'invalid' }])
  const readsPeople = role !== 'finance'
  const readsInvoices = role !== 'analyst'
  return [
    ...(readsPeople ? [await findMembers(sql, q, term, role !== 'auditor')] : []),
    await findCompanies(sql, q),
    await findCarriers(sql, q),
    await findContracts(sql, q),
    ...(readsPeople ? [await findMovements(sql, q, term)] : []),
    ...(readsPeople ? [await findRequests(sql, q)] : []),
    await findShipments(sql, q),
    await findClaims(sql, q),
    ...(readsInvoices ? [await findInvoices(sql, q, today)] : []),
  ]
}

/** The search of all objects. */
export async function searchRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/search',
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'search',
      'x-sdk': 'search.find',
      'x-cli': {
        command: 'search',
        examples: { 'search --query aurora': 'what has the word: people, companies, carriers, contracts' },
        columns: {
          TYPE: 'type',
          ID: 'id',
          NAME: 'name',
          COMPANY: 'company-name',
          CARRIER: 'carrier-name',
          REFERENCE: 'reference',
          PROTOCOL: 'carrier-protocol',
        },
      },
      summary: 'Search people, companies, contracts, movements and other objects',
      description:
        'People, companies, carriers, contracts, movements, requests, shipments, claims and invoices, at most five of a type. ' +
        'Members: a part of the CPF, the card number of an active benefit, a part of the name or of the employee id. ' +
        'Everything else: what the `q` of its list searches; movements and requests also by their id, requests by their whole reference. ' +
        '`finance` gets no people, movements and requests, `analyst` no invoices; an `auditor` does not search by CPF. CPFs are masked.',
      querystring: Closed({
        q: Type.String({
          minLength: MIN_SEARCH_CHARACTERS,
          maxLength: MAX_TEXT_CHARACTERS,
          description: `At least ${MIN_SEARCH_CHARACTERS} characters, without case and accents.`,
          examples: ['helena'],
        }),
      }),
      response: {
        200: Type.Object({
          result: Type.Array(FoundObject),
          counts: Type.Array(
            Type.Object({
              type: OneOf(FOUND_TYPES),
              count: Type.Integer({
                description: `How many objects of the type match, those of the result included: at most ${MAX_COUNTED}.`,
              }),
            }),
            { description: 'Of the types that the role may read and of which something was found.' },
          ),
        }),
      },
    },
    handler: async ({ query, role }) => {
      const found = await find(database, query.q, role ?? 'finance', context.today())
      return {
        result: found.flatMap((one) => one.found),
        counts: found.filter(({ count }) => count > 0).map(({ type, count }) => ({ type, count })),
      }
    },
  })
}
