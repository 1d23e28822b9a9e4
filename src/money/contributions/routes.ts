import { Type } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds } from '#platform/http/schemas.ts'
import { mayReadMoney, mayWritePrices } from '../prices/put.ts'
import { ContractQuery } from '../prices/schema.ts'
import { deleteContributionRule, putContributionRule } from './put.ts'
import { listContributionRules, readContributionRule } from './queries.ts'
import { ContributionRuleBody, ContributionRuleList, ContributionRulePath, ContributionRuleResponse } from './schema.ts'

const url = '/operator/v1/contribution-rule'
const columns = {
  'CONTRIBUTION-RULE-ID': 'contribution-rule-id',
  'CONTRACT-ID': 'contract-id',
  'PRODUCT-ID': 'product-id',
  'VALID-FROM': 'valid-from',
}
const example = '01995e0f-3c21-7d33-8e44-7f8091021324'

/** `/operator/v1/contribution-rule`: which part of the premiums employees pay. */
export async function contributionRuleRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  writeRoutes(app, context)

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'listContributionRules',
      'x-sdk': 'contributionRules.list',
      'x-cli': { command: 'contribution-rule list', columns },
      summary: 'List the contribution rules',
      description: 'Ordered by contract, the latest first.',
      querystring: ContractQuery,
      response: { 200: ContributionRuleList },
    },
    handler: async (request, reply) => {
      const contractId = request.query['contract-id']?.toLowerCase() ?? null
      const page = await listContributionRules(database, contractId, pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:contributionRuleId`,
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readContributionRule',
      'x-sdk': 'contributionRules.get',
      'x-cli': { command: 'contribution-rule show' },
      summary: 'Read a contribution rule',
      description: 'Which part of the premiums the employees of a contract pay.',
      params: ContributionRulePath,
      response: { 200: ContributionRuleResponse, ...errorResponses('contribution-rule-not-found') },
    },
    handler: async (request) => {
      const result = await readContributionRule(database, request.params.contributionRuleId.toLowerCase())
      if (result === null) throw new ApiError('contribution-rule-not-found')
      return { result }
    },
  })
}

function writeRoutes(app: App, context: Context): void {
  route(app, {
    method: 'PUT',
    url: `${url}/:contributionRuleId`,
    api: 'operator',
    roles: mayWritePrices,
    schema: {
      operationId: 'putContributionRule',
      'x-sdk': 'contributionRules.put',
      'x-cli': {
        command: 'contribution-rule put',
        file: true,
        examples: { [`contribution-rule put ${example} rule.json`]: 'the file is the body of the PUT' },
        columns,
      },
      summary: 'Create or replace a contribution rule',
      description:
        'For a person the rule with the most conditions counts, of equal ones the latest; a dependent has the cost center and the job title of its primary. The ' +
        'contract stays. A rule that a closed month may follow from does not change.',
      params: ContributionRulePath,
      response: { 200: ContributionRuleResponse, ...errorResponses('contract-not-found', 'month-closed') },
    },
    body: json(ContributionRuleBody),
    handler: async (request) => {
      const id = request.params.contributionRuleId.toLowerCase()
      return { result: await putContributionRule(context, callerOf(request), id, request.body) }
    },
  })

  route(app, {
    method: 'DELETE',
    url: `${url}/:contributionRuleId`,
    api: 'operator',
    roles: mayWritePrices,
    schema: {
      operationId: 'deleteContributionRule',
      'x-sdk': 'contributionRules.delete',
      'x-cli': {
        command: 'contribution-rule delete',
        result: { 'contribution-rule-id': '{contribution-rule-id}', deleted: true },
        message: 'Contribution rule {contribution-rule-id} is deleted.',
      },
      summary: 'Delete a contribution rule',
      description: 'Not one that a closed month may follow from.',
      params: ContributionRulePath,
      response: {
        204: Type.Null({ description: 'Deleted.' }),
        ...errorResponses('contribution-rule-not-found', 'month-closed'),
      },
    },
    handler: async (request, reply) => {
      await deleteContributionRule(context, callerOf(request), request.params.contributionRuleId.toLowerCase())
      return reply.status(204).send()
    },
  })
}
