import { Type } from 'typebox'
import { auditWrite } from '../audit/audit-log.ts'
import { listAllBenefits } from '../benefits/operator-queries.ts'
import { BenefitList } from '../benefits/schema.ts'
import { maskFields } from '../domain/masking.ts'
import { parseSearch } from '../domain/search.ts'
import { parseCnpj, parseCpf } from '../domain/tax-id.ts'
import type { App, Context } from '../http/context.ts'
import { listBody, sendJson } from '../http/json-response.ts'
import { PageOf } from '../http/page.ts'
import { Closed, errorResponses, pageBounds, pageQuery, Uuid } from '../http/schemas.ts'
import { readMaskedFields, readMemberForOperator, searchMembers } from '../members/operator-queries.ts'
import { DisclosureResponse, Member, memberExample, OperatorMemberResponse } from '../members/schema.ts'
import { ApiError } from '../platform/errors.ts'
import { parseParameter } from './parse-parameter.ts'
import { searchParameter } from './queue-filter.ts'

const mayRead = ['analyst', 'auditor'] as const

const filters = {
  'company-tax-id': Type.Optional(
    Type.String({ description: 'CNPJ, formatted or not: only what this company has; empty for an unknown one.' }),
  ),
  'include-inactive': Type.Boolean({
    default: false,
    description: '`true`: also benefits that are pending or have ended.',
  }),
  ...pageQuery,
}

const masked = Type.Boolean({
  default: false,
  description:
    '`true`: every CPF is shown as `***.982.247-**`, and the bank data of registrations as `***`. `discloseMember` returns what is hidden.',
})

const MemberPath = Type.Object({ memberId: { ...Uuid, description: 'From a list of members or an enrollment.' } })

const maskedJson = (json: string) => JSON.stringify(maskFields(JSON.parse(json)))

/** Members and benefits of all companies. */
export async function memberReadRoutes(app: App, context: Context): Promise<void> {
  memberRoutes(app, context)
  disclosureRoute(app, context)
  benefitListRoute(app, context)
}

function memberRoutes(app: App, { database }: Context): void {
  app.route({
    method: 'GET',
    url: '/operator/v1/member',
    config: { api: 'operator', roles: mayRead },
    schema: {
      operationId: 'searchMembers',
      summary: 'Search the members of all companies',
      description:
        'One item per person, by CPF, as in the list of a partner. Filters are combined with AND; `include-inactive` also lists people without ' +
        'an active benefit.',
      querystring: Closed({
        q: searchParameter('the name, an e-mail address or the employee id'),
        'tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not.' })),
        masked,
        ...filters,
      }),
      response: { 200: PageOf(Member, memberExample) },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        includeInactive: query['include-inactive'],
        taxId: parseParameter('tax-id', query['tax-id'], parseCpf),
        companyTaxId: parseParameter('company-tax-id', query['company-tax-id'], parseCnpj),
        search: parseParameter('q', query.q, parseSearch),
      }
      const page = await searchMembers(database, filter, pageBounds(query))
      const items = query.masked ? maskedJson(page.items) : page.items
      return sendJson(reply, listBody({ ...page, items }, query))
    },
  })

  app.route({
    method: 'GET',
    url: '/operator/v1/member/:memberId',
    config: { api: 'operator', roles: mayRead },
    schema: {
      operationId: 'readAnyMember',
      summary: 'Read a member with the registration data of each company',
      description: 'With the benefits of every status, and the family.',
      params: MemberPath,
      querystring: Closed({ masked }),
      response: { 200: OperatorMemberResponse, ...errorResponses('member-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readMemberForOperator(database, request.params.memberId)
      if (body === null) throw new ApiError('member-not-found')
      return sendJson(reply, request.query.masked ? maskedJson(body) : body)
    },
  })
}

function disclosureRoute(app: App, { database }: Context): void {
  app.route({
    method: 'POST',
    url: '/operator/v1/member/:memberId/disclosure',
    config: { api: 'operator', roles: ['analyst'] },
    schema: {
      operationId: 'discloseMember',
      summary: 'Read what is masked of a member',
      description:
        'The CPF and the bank data. Leaves an audit row `member.disclosed` for each company, with the id of the member.',
      params: MemberPath,
      response: { 200: DisclosureResponse, ...errorResponses('member-not-found') },
    },
    handler: async (request, reply) => {
      const { memberId } = request.params
      const item = await database.transaction(async (sql) => {
        const found = await readMaskedFields(sql, memberId)
        if (found === null) throw new ApiError('member-not-found')
        const target = memberId.toLowerCase()
        await auditWrite(
          sql,
          request,
          found.companyIds.map((companyId) => ({ action: 'member.disclosed', target, companyId })),
        )
        return found.item
      })
      return sendJson(reply, `{"result":${item}}`)
    },
  })
}

function benefitListRoute(app: App, { database }: Context): void {
  app.route({
    method: 'GET',
    url: '/operator/v1/benefit',
    config: { api: 'operator', roles: mayRead },
    schema: {
      operationId: 'listAllBenefits',
      summary: 'List the benefits of all companies',
      description: 'Ordered by `benefit-id`: new benefits come last. Filters are combined with AND.',
      querystring: Closed({
        'member-tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not: only this person.' })),
        ...filters,
      }),
      response: { 200: BenefitList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        companyTaxId: parseParameter('company-tax-id', query['company-tax-id'], parseCnpj),
        memberTaxId: parseParameter('member-tax-id', query['member-tax-id'], parseCpf),
        includeInactive: query['include-inactive'],
      }
      return sendJson(reply, listBody(await listAllBenefits(database, filter, pageBounds(query)), query))
    },
  })
}
