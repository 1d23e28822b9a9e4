import { route } from '#platform/http/route.ts'
import { callerOf, type App, type Context } from '#platform/http/context.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { write } from '#platform/core/write.ts'
import { listAllBenefits } from '../benefits/queries.ts'
import { OperatorBenefitList } from '../benefits/schema.ts'
import { maskFields } from '#kernel/masking.ts'
import { parseSearch } from '#kernel/search.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, errorResponses, pageBounds, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { readMaskedFields, readMemberForOperator, searchMembers } from './search-queries.ts'
import { DisclosureResponse, OperatorMemberList, OperatorMemberResponse } from './schema.ts'
import { companyIdsOf } from '#registry/companies/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'
import { searchParameter } from '#platform/http/search-parameter.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'

const mayRead = ['analyst', 'auditor'] as const

const filters = {
  'company-tax-id': Type.Optional({
    ...CompanyTaxId,
    description: 'CNPJ, formatted or not: only what this company has; empty for an unknown one.',
  }),
  'include-inactive': Type.Boolean({
    default: false,
    description: '`true`: also benefits that are pending or have ended.',
  }),
  ...pageQuery,
}

const masking =
  'Every CPF is shown as `***.982.247-**`, and the numbers of documents and bank data of registrations as `***`, unless `disclose=true` is sent.'

const disclose = Type.Boolean({
  default: false,
  description:
    '`true`: CPFs, numbers of documents and bank data are shown. For `admin` and `analyst`; leaves an audit row `member.disclosed` for each company of the people, whose `target` are their ids.',
})

const MemberPath = Type.Object({ memberId: { ...Uuid, description: 'From a list of members or an enrollment.' } })

const maskedJson = (json: string) => JSON.stringify(maskFields(JSON.parse(json)))

/** What the audit needs of a member that is shown. */
interface ShownMember {
  readonly id: string
  readonly companies: readonly { readonly 'tax-id': string }[]
}

/**
 * Runs the read, and audits what it shows of people in the same transaction: a row for each of their companies, with the ids of those of it.
 * @param membersOf the members in what was read.
 * @throws ApiError 403 for an auditor.
 */
async function readDisclosed<T>(
  { database }: Context,
  request: FastifyRequest,
  read: (sql: Sql) => Promise<T>,
  membersOf: (found: T) => readonly ShownMember[],
): Promise<T> {
  return write({ database }, callerOf(request), { may: ['analyst'] }, async (sql) => {
    const found = await read(sql)
    const shown = membersOf(found).flatMap(({ id, companies }) =>
      companies.map((company) => [company['tax-id'], id] as const),
    )
    const byCompany = Map.groupBy(shown, ([taxId]) => taxId)
    const companyIds = await companyIdsOf(sql, [...byCompany.keys()])
    sql.audit(
      [...byCompany].map(([taxId, members]) => ({
        action: 'member.disclosed',
        target: members.map(([, id]) => id).join(' '),
        companyId: required(companyIds.get(taxId), 'company'),
      })),
    )
    return found
  })
}

/** Members and benefits of all companies. */
export async function memberReadRoutes(app: App, context: Context): Promise<void> {
  memberRoutes(app, context)
  disclosureRoute(app, context)
  benefitListRoute(app, context)
}

function memberRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/member',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'searchMembers',
      'x-sdk': 'members.list',
      'x-cli': { command: 'member list' },
      summary: 'Search the members of all companies',
      description:
        'One item per person, by CPF, as in the list of a partner. Filters are combined with AND; `include-inactive` also lists people without ' +
        `an active benefit. ${masking}`,
      querystring: Closed({
        q: searchParameter(
          'the name, an e-mail address, the employee id or, but for an auditor, the CPF, or the card number of an active benefit',
        ),
        'tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not.' })),
        disclose,
        ...filters,
      }),
      response: { 200: OperatorMemberList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        includeInactive: query['include-inactive'],
        taxId: parseParameter('tax-id', query['tax-id'], parseCpf),
        companyTaxId: query['company-tax-id'] ?? null,
        search: parseParameter('q', query.q, parseSearch),
        byTaxId: request.role !== 'auditor',
      }
      const read = (sql: Sql) => searchMembers(sql, filter, pageBounds(query))
      if (query.disclose) {
        const page = await readDisclosed(context, request, read, ({ items }) => JSON.parse(items))
        return sendJson(reply, listBody(page, query))
      }
      const page = await read(database)
      return sendJson(reply, listBody({ ...page, items: maskedJson(page.items) }, query))
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/member/:memberId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readAnyMember',
      'x-sdk': 'members.get',
      'x-cli': { command: 'member show' },
      summary: 'Read a member with the registration data of each company',
      description: `With the benefits of every status, and the family. ${masking}`,
      params: MemberPath,
      querystring: Closed({ disclose }),
      response: { 200: OperatorMemberResponse, ...errorResponses('member-not-found') },
    },
    handler: async (request, reply) => {
      const read = async (sql: Sql) => {
        const body = await readMemberForOperator(sql, request.params.memberId)
        if (body === null) throw new ApiError('member-not-found')
        return body
      }
      if (!request.query.disclose) return sendJson(reply, maskedJson(await read(database)))
      return sendJson(reply, await readDisclosed(context, request, read, (body) => [JSON.parse(body).result]))
    },
  })
}

function disclosureRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'POST',
    url: '/operator/v1/member/:memberId/disclosure',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'discloseMember',
      'x-sdk': 'members.disclose',
      'x-cli': {
        command: 'member disclose',
        examples: {
          'member disclose 5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11':
            'the CPF, the numbers of documents and the bank data; it is audited',
        },
      },
      summary: 'Read what is masked of a member',
      description:
        'The CPF, the numbers of documents and the bank data. Leaves an audit row `member.disclosed` for each company, with the id of the member.',
      params: MemberPath,
      response: { 200: DisclosureResponse, ...errorResponses('member-not-found') },
    },
    handler: async (request, reply) => {
      const { memberId } = request.params
      const item = await write({ database }, callerOf(request), { may: ['analyst'] }, async (sql) => {
        const found = await readMaskedFields(sql, memberId)
        if (found === null) throw new ApiError('member-not-found')
        const target = memberId
        sql.audit(found.companyIds.map((companyId) => ({ action: 'member.disclosed', target, companyId })))
        return found.item
      })
      return sendJson(reply, `{"result":${item}}`)
    },
  })
}

function benefitListRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/benefit',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listAllBenefits',
      'x-sdk': 'benefits.list',
      'x-cli': {
        command: 'benefit list',
        examples: {
          'benefit list --member-tax-id 52998224725 --include-inactive': 'all that a person has, or had',
          'benefit list --where carrier-name="operadora aurora" --limit 20': 'twenty of a carrier',
        },
        columns: {
          'BENEFIT-ID': 'benefit-id',
          STATUS: 'status',
          'MEMBER-TAX-ID': 'member-tax-id',
          TYPE: 'type',
          'COMPANY-TAX-ID': 'company-tax-id',
          PRODUCT: 'product-name',
          CARRIER: 'carrier-name',
          'START-DATE': 'start-date',
          'END-DATE': 'end-date',
        },
      },
      summary: 'List the benefits of all companies',
      description:
        'Ordered by `benefit-id`: new benefits come last. Filters are combined with AND. An auditor gets masked CPFs.',
      querystring: Closed({
        'member-tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not: only this person.' })),
        ...filters,
      }),
      response: { 200: OperatorBenefitList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const taxId = parseParameter('member-tax-id', query['member-tax-id'], parseCpf) ?? undefined
      const page = await listAllBenefits(database, { ...query, 'member-tax-id': taxId })
      return sendJson(reply, listBody(page, query))
    },
  })
}
