import { Type } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { invalidParameter } from '#platform/core/errors.ts'
import type { Role } from '#kernel/enums.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { MIN_SEARCH_CHARACTERS, parseSearch } from '#kernel/search.ts'
import type { App, Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { Closed, DateOnly, Named, Nullable, OneOf, Text } from '#platform/http/schemas.ts'
import {
  findCompanies,
  findInvoices,
  findMembers,
  findMovements,
  findRequests,
  type Found,
  FOUND_TYPES,
} from './queries.ts'

const FoundObject = Named(
  'FoundObject',
  Type.Object({
    type: OneOf(FOUND_TYPES, { description: 'What was found.' }),
    id: Type.String({ description: 'In the address of the object; of a company its CNPJ.' }),
    name: Nullable(Type.String({ description: 'Of a person or a company; of an invoice the carrier.' })),
    'tax-id': Nullable(Type.String({ description: 'Of a company its CNPJ, of a member the masked CPF.' })),
    'company-name': Nullable(Text),
    reference: Nullable(Type.String({ description: 'Of a request.' })),
    'carrier-protocol': Nullable(Type.String({ description: 'Of a movement.' })),
    'due-date': Nullable({ ...DateOnly, description: 'Of an invoice.' }),
  }),
)

/** What the role may read, as the lists of each type say. One statement at a time: a search takes one connection. */
async function find(sql: Sql, text: string, role: Role): Promise<Found[]> {
  const q = text.trim()
  const term = parseSearch(q)
  if (term === null) throw invalidParameter([{ field: 'q', code: 'invalid' }])
  const readsPeople = role !== 'finance'
  const readsInvoices = role !== 'analyst'
  return [
    ...(readsPeople ? await findMembers(sql, q, term, role !== 'auditor') : []),
    ...(await findCompanies(sql, q)),
    ...(readsPeople ? await findMovements(sql, q, term) : []),
    ...(readsPeople ? await findRequests(sql, q) : []),
    ...(readsInvoices ? await findInvoices(sql, term) : []),
  ]
}

/** The search of all objects. */
export async function searchRoutes(app: App, { database }: Context): Promise<void> {
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
        examples: { 'search --query aurora': 'what has the word: people, companies, invoices' },
        columns: {
          TYPE: 'type',
          ID: 'id',
          NAME: 'name',
          COMPANY: 'company-name',
          REFERENCE: 'reference',
          PROTOCOL: 'carrier-protocol',
        },
      },
      summary: 'Search members, companies, movements, requests and invoices',
      description:
        'At most five of a type. Members: a part of the CPF, the card number of an active benefit, a part of the name or of the employee id. ' +
        'Companies: a part of the name or of the CNPJ. Movements: a part of the carrier’s protocol, or the id. Requests: the reference or the id. Invoices: a ' +
        'part of the id. `finance` gets companies and invoices, `analyst` no invoices; an `auditor` does not search by CPF. CPFs are masked.',
      querystring: Closed({
        q: Type.String({
          minLength: MIN_SEARCH_CHARACTERS,
          maxLength: MAX_TEXT_CHARACTERS,
          description: `At least ${MIN_SEARCH_CHARACTERS} characters, without case and accents.`,
          examples: ['helena'],
        }),
      }),
      response: {
        200: Type.Object({ result: Type.Array(FoundObject) }),
      },
    },
    handler: async ({ query, role }) => ({ result: await find(database, query.q, role ?? 'finance') }),
  })
}
