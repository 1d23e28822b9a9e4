import { Type } from 'typebox'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  conditionsOf,
  isInForce,
  type RequirementRule,
  Requirements,
  type RequirementSubject,
  strictest,
} from '../rules/requirement.ts'
import { parseCnpj } from '#kernel/tax-id.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { deleteRule, mayWriteRules, putRule } from './put.ts'
import { listRules, readProductSubject, readRule, readRules } from './queries.ts'
import { countMovements } from './used.ts'
import {
  PutRuleResponse,
  RuleBody,
  RuleList,
  RulePath,
  RuleResponse,
  type Simulation,
  SimulationBody,
  SimulationResponse,
} from './schema.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const url = '/operator/v1/requirement-rule'
const columns = { 'RULE-ID': 'rule-id', NAME: 'name', ACTIVE: 'active', ENFORCEMENT: 'enforcement' }
const listedColumns = { ...columns, 'MOVEMENTS OF 30 DAYS': 'movements-of-30-days' }
const example = '01995e0b-7c11-7f22-8b33-4d5e6f708192'

/** `/operator/v1/requirement-rule`: which documents carriers want with a movement. */
export async function requirementRuleRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  writeRoutes(app, context)
  simulateRoute(app, context)

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listRequirementRules',
      'x-sdk': 'requirementRules.list',
      'x-cli': { command: 'requirement-rule list', columns: listedColumns },
      summary: 'List the rules of required documents',
      description:
        'Ordered by name, also those that are off. With how many movements of the last 30 days each would concern.',
      querystring: Closed(pageQuery),
      response: { 200: RuleList },
    },
    handler: async (request, reply) => {
      const counts = await countMovements(database, await readRules(database), context.today())
      const page = await listRules(database, pageBounds(request.query), counts)
      return sendJson(reply, listBody(page, request.query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:ruleId`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readRequirementRule',
      'x-sdk': 'requirementRules.get',
      'x-cli': { command: 'requirement-rule show' },
      summary: 'Read a rule of required documents',
      description: 'With all its conditions.',
      params: RulePath,
      response: { 200: RuleResponse, ...errorResponses('requirement-rule-not-found') },
    },
    handler: async (request, reply) => {
      const rule = await readRule(database, request.params.ruleId.toLowerCase())
      if (rule === null) throw new ApiError('requirement-rule-not-found')
      return sendJson(reply, `{"result":${rule}}`)
    },
  })
}

function writeRoutes(app: App, context: Context): void {
  route(app, {
    method: 'PUT',
    url: `${url}/:ruleId`,
    api: 'operator',
    roles: mayWriteRules,
    schema: {
      operationId: 'putRequirementRule',
      'x-sdk': 'requirementRules.put',
      'x-cli': {
        command: 'requirement-rule put',
        file: true,
        examples: { [`requirement-rule put ${example} rule.json`]: 'the file is the body of the PUT' },
        columns,
      },
      summary: 'Create or replace a rule of required documents',
      description:
        'The whole rule: a condition that is left out holds for every movement. The documents of all rules that match a movement add up, and the ' +
        'strictest enforcement counts. Movements that were accepted before stay as they are. 500 rules at most.',
      params: RulePath,
      response: { 200: PutRuleResponse },
    },
    body: json(RuleBody),
    handler: async (request, reply) => {
      const id = request.params.ruleId.toLowerCase()
      return sendJson(reply, await putRule(context, callerOf(request), id, request.body))
    },
  })

  route(app, {
    method: 'DELETE',
    url: `${url}/:ruleId`,
    api: 'operator',
    roles: mayWriteRules,
    schema: {
      operationId: 'deleteRequirementRule',
      'x-sdk': 'requirementRules.delete',
      'x-cli': {
        command: 'requirement-rule delete',
        result: { 'rule-id': '{rule-id}', deleted: true },
        message: 'Rule {rule-id} is deleted.',
      },
      summary: 'Delete a rule of required documents',
      description: 'Movements that wait for its documents still do.',
      params: RulePath,
      response: { 204: Type.Null({ description: 'Deleted.' }), ...errorResponses('requirement-rule-not-found') },
    },
    handler: async (request, reply) => {
      await deleteRule(context, callerOf(request), request.params.ruleId.toLowerCase())
      return reply.status(204).send()
    },
  })
}

function simulateRoute(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'POST',
    url: `${url}/simulate`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'simulateRequirements',
      'x-sdk': 'requirementRules.simulate',
      'x-cli': {
        command: 'requirement-rule simulate',
        options: { 'document-types': 'document-type' },
        examples: {
          'requirement-rule simulate --company-tax-id 7B4XK2M9000194 --product-id 01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e --movement inclusion --beneficiary-type dependent --dependent-type partner':
            'which rules match, and why the others do not',
        },
      },
      summary: 'Show which rules match a member that does not exist',
      description: 'Without personal data. What is left out is not known of the member. Nothing is stored.',
      response: { 200: SimulationResponse },
    },
    body: json(SimulationBody),
    handler: async (request) => {
      const { body } = request
      const companyTaxId = parseCnpj(body['company-tax-id']) ?? ''
      const product = await readProductSubject(database, companyTaxId, body['product-id'].toLowerCase())
      if (product === null) throw invalidBody([{ field: 'product-id', code: 'unknown' }])
      const subject = { ...product, ...subjectOf(body) }
      return { result: simulate(await readRules(database), subject, body['document-types'] ?? [], context.today()) }
    },
  })
}

function subjectOf(body: Simulation): RequirementSubject {
  return {
    movement: body.movement,
    beneficiaryType: body['beneficiary-type'],
    dependentType: body['dependent-type'] ?? null,
    workContractType: body['work-contract-type'] ?? null,
    exclusionReason: body['exclusion-reason'] ?? null,
    age: body.age ?? null,
    daysSinceAdmission: body['days-since-admission'] ?? null,
    late: body.late ?? null,
  }
}

function simulate(
  rules: readonly RequirementRule[],
  subject: RequirementSubject,
  documentTypes: readonly string[],
  today: LocalDate,
) {
  const inForce = rules.filter((rule) => isInForce(rule, today))
  const missing = new Requirements(inForce).missing(subject, new Set(documentTypes))
  const judged = rules.map((rule) => {
    const { active, 'valid-from': from } = rule
    const failed = [
      ...(active ? [] : (['active'] as const)),
      ...(from === null || from <= today ? [] : (['valid-from'] as const)),
      ...conditionsOf(rule, subject).failed,
    ]
    return { 'rule-id': rule['rule-id'], name: rule.name, matches: failed.length === 0, 'failed-conditions': failed }
  })
  return {
    enforcement: strictest(missing),
    'missing-documents': missing.map((one) => ({ ...one, 'any-of': [...one['any-of']] })),
    rules: judged.toSorted((one, other) => Number(other.matches) - Number(one.matches)),
  }
}
