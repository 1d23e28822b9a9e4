import { route } from '#platform/http/route.ts'
import { type Static, Type } from 'typebox'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { isActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Database } from '#platform/core/database.ts'
import { isEntitledToCompany } from '#registry/companies/queries.ts'
import { parseSearch } from '#kernel/search.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'
import { searchParameter } from '#platform/http/search-parameter.ts'
import { sendHeaders } from '#platform/http/download.ts'
import { type Detail, invalidBody, invalidCredentials, notEntitled, ApiError } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { DateOnly, errorResponses, MAX_PAGE_ITEMS, OneOf, pageBounds, Uuid } from '#platform/http/schemas.ts'
import { FILTER_FIELDS, type MemberFilter, parseMemberFilter } from './filter.ts'
import { setDate, updatedSinceQuery } from '#platform/http/updated-since.ts'
import { listFewMembers, listMembers, MEMBER_ORDERS, type MemberSelection } from './queries.ts'
import { MemberList, MemberResponse } from './schema.ts'
import { openWholeList } from './whole-list.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'
import { readMember } from './detail-queries.ts'

/** A filter of at most so many CPFs is read in one statement; other lists are streamed over a connection of their own. */
const maxTaxIds = 100

const isShort = ({ filter, having }: MemberSelection) =>
  filter !== null &&
  having === undefined &&
  filter['tax-id'].length <= maxTaxIds &&
  filter['cost-center'].length === 0 &&
  filter['employee-id'].length === 0

const firstPage = { page: 1, 'items-per-page': 20 }

// `page` and `items-per-page` have no defaults: without both the whole list is sent.
const Query = Type.Object(
  {
    filter: Type.Optional(
      Type.String({
        description:
          '`field=value` terms joined by `|`: members who match one of them in any of the caller’s companies are shown, with all ' +
          'benefits. Fields: `tax-id` (CPF, formatted or not), `cost-center`, `employee-id`, compared exactly; a term is split ' +
          'at its first `=`.',
        examples: ['tax-id=52998224725|cost-center=4100'],
      }),
    ),
    'include-inactive': Type.Boolean({
      default: false,
      description:
        '`true`: also benefits that are pending or have ended, and members who have no other. Implied by `updated-since` and `active-on`.',
    }),
    'company-tax-id': Type.Optional({
      ...CompanyTaxId,
      description: 'CNPJ, formatted or not: only members who have a benefit there.',
    }),
    'active-on': Type.Optional({
      ...DateOnly,
      description: 'Only members who have a benefit that covers, or covered, them on this day.',
    }),
    q: searchParameter('the name, an e-mail address or the employee id, or a card number'),
    sort: OneOf(MEMBER_ORDERS, { default: 'tax-id', description: 'The order of a page: by CPF, or by name.' }),
    include: Type.Optional(
      OneOf(['registration'], {
        description:
          '`registration`: each item also has `registrations`, the registration data that each of the caller’s companies has of the person.',
      }),
    ),
    ...updatedSinceQuery,
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Page number, from 1. Selects a page; 1 when only the other is sent.',
      }),
    ),
    'items-per-page': Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PAGE_ITEMS,
        description: 'Members per page, 1 to 500. Selects a page; 20 when only the other is sent.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** `GET /v1/member`: the members of all companies that the caller may access. */
export async function memberRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/v1/member',
    api: 'partner',
    schema: {
      operationId: 'listMembers',
      'x-sdk': 'members.list',
      'x-cli': {
        command: 'member list',
        examples: {
          'member list --filter cost-center=CC-111': 'partner: those of a cost center',
          'member list --as operator --query "helena brandao"':
            'operator: those whose name, e-mail or employee id holds it',
          'member list --include registration --json':
            'partner: with salaries, cost centers and all else of the registration',
        },
        columns: {
          'MEMBER-ID': 'id',
          NAME: 'profile.name',
          'TAX-ID': 'profile.tax-id',
          BENEFITS: 'benefits[].product-name',
        },
      },
      tags: ['members'],
      summary: 'List members with their benefits',
      description:
        'One item per person and `id`, by CPF unless `sort` says otherwise: the benefits in the caller’s companies and the profile most recently updated among them. After a correction of the CPF in ' +
        'one of the companies the item has the newest CPF. ' +
        'Without `page` and `items-per-page` the whole list of one moment, streamed; a response that breaks off is not the whole ' +
        'list. With either of them a page of the same list and `pagination`.',
      querystring: Query,
      response: { 200: MemberList, ...errorResponses('invalid-filter', 'not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const selection = {
        includeInactive: query['include-inactive'] || query['active-on'] !== undefined,
        filter: readFilter(query.filter),
        ...(await readHaving(database, callerOf(request), query)),
        updatedSince: query['updated-since'] ?? null,
        withRegistrations: query.include === 'registration',
      }
      setDate(reply, database.now())
      const isWhole = query.page === undefined && query['items-per-page'] === undefined
      if (isWhole && isShort(selection)) {
        const found = await listFewMembers(database, callerOf(request), selection)
        return sendJson(reply, `{"result":${found.items}}`)
      }
      if (isWhole && request.method === 'HEAD') {
        // Not read only to be discarded.
        if (!(await isActiveClient(database, callerOf(request)))) throw invalidCredentials('client-revoked')
        return sendHeaders(reply.type('application/json; charset=utf-8'))
      }
      if (isWhole) {
        const list = await openWholeList(context, reply, callerOf(request), selection)
        return reply.type('application/json; charset=utf-8').send(list)
      }
      const page = {
        page: query.page ?? firstPage.page,
        'items-per-page': query['items-per-page'] ?? firstPage['items-per-page'],
      }
      const found = await listMembers(database, callerOf(request), selection, { ...pageBounds(page), sort: query.sort })
      return sendJson(reply, listBody(found, page))
    },
  })
}

/** The conditions of a benefit, if there are any. @throws ApiError 400; 403 for a company that is not the caller's. */
async function readHaving(
  database: Database,
  caller: Client,
  query: Partial<Static<typeof Query>>,
): Promise<Pick<MemberSelection, 'having'>> {
  const { 'company-tax-id': taxId, 'active-on': activeOn, q } = query
  if (taxId === undefined && activeOn === undefined && q === undefined) return {}
  const companyTaxId = query['company-tax-id'] ?? null
  if (companyTaxId !== null && !(await isEntitledToCompany(database, caller, companyTaxId)))
    throw notEntitled('company')
  const search = parseParameter('q', q, parseSearch)
  return { having: { companyTaxId, activeOn: activeOn ?? null, search } }
}

const invalidTerm: Detail = {
  field: 'filter',
  code: 'invalid',
  message: { key: 'filter-terms', fields: FILTER_FIELDS },
  allowed: FILTER_FIELDS,
}

/** @throws ApiError 400 for a filter without a valid term. */
function readFilter(text: string | undefined): MemberFilter | null {
  if (text === undefined) return null
  const filter = parseMemberFilter(text)
  if (filter === null) throw invalidBody([invalidTerm], 'invalid-filter')
  return filter
}

/** `GET /v1/member/{member-id}`: one person with all registration data. */
export async function memberDetailRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/member/:memberId',
    api: 'partner',
    schema: {
      operationId: 'readMember',
      'x-sdk': 'members.get',
      'x-cli': {
        command: 'member show',
        examples: { 'member show 5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11': 'inactive benefits too' },
      },
      tags: ['members'],
      summary: 'Read a member with all registration data',
      description:
        'As in the list, with benefits in every status, and the registration data that each of the caller’s companies has of the ' +
        'person. The response for a person who is in none of them is that for an unknown id.',
      params: Type.Object({ memberId: { ...Uuid, description: 'The `id` in the member list, or a `member-id`.' } }),
      response: { 200: MemberResponse, ...errorResponses('member-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readMember(database, callerOf(request), request.params.memberId)
      if (body === null) throw new ApiError('member-not-found')
      return sendJson(reply, body)
    },
  })
}
