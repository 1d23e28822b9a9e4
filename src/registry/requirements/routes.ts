import { invalidBody } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  conditionsOf,
  isInForce,
  type RequirementRule,
  Requirements,
  type RequirementSubject,
  strictest,
} from '../rules/requirement.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { mapPage } from '#platform/http/page.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { Closed, pageQuery } from '#platform/http/schemas.ts'
import { deleteRule, mayWriteRules, putRule } from './put.ts'
import { readProductSubject, readRule, readRules, rulePage } from './queries.ts'
import { countMovements } from './used.ts'
import {
  PutRuleResponse,
  RuleBody,
  RuleList,
  RulePath,
  type Simulation,
  SimulationBody,
  SimulationResponse,
  Rule,
} from './schema.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const url = '/operator/v1/requirement-rule'
const columns = { 'RULE-ID': 'rule-id', NAME: 'name', ACTIVE: 'active', ENFORCEMENT: 'enforcement' }
const example = '01995e0b-7c11-7f22-8b33-4d5e6f708192'

/** `/operator/v1/requirement-rule`: which documents carriers want with a movement. */
export async function requirementRuleRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const rule = resource(app, context, {
    noun: 'requirement-rule',
    mayRead,
    mayWrite: mayWriteRules,
    item: Rule,
    read: readRule,
    columns,
    parameter: 'ruleId',
    id: RulePath.properties.ruleId,
  })

  putRoute(app, context)
  rule.remove({
    summary: 'Delete a rule of required documents',
    description: 'Movements that wait for its documents still do.',
    cli: { result: { 'rule-id': '{rule-id}', deleted: true }, message: 'Rule {rule-id} is deleted.' },
    run: (actor, id) => deleteRule(context, actor, id),
  })
  simulateRoute(app, context)
  rule.list({
    summary: 'List the rules of required documents',
    description:
      'Ordered by name, also those that are off. With how many movements of the last 30 days each would concern.',
    cli: { columns: { ...columns, 'MOVEMENTS OF 30 DAYS': 'movements-of-30-days' } },
    query: Closed(pageQuery),
    response: RuleList,
    page: async (sql, query) => {
      const counts = await countMovements(database, await readRules(sql), context.today())
      return mapPage(await rulePage(sql, query), (rule: RequirementRule) => ({
        ...rule,
        'movements-of-30-days': counts.get(rule['rule-id']) ?? 0,
      }))
    },
  })
  rule.get({ summary: 'Read a rule of required documents', description: 'With all its conditions.' })
}

function putRoute(app: App, context: Context): void {
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
      const id = request.params.ruleId
      return sendJson(reply, await putRule(context, callerOf(request), id, request.body))
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
      const product = await readProductSubject(database, body['company-tax-id'], body['product-id'])
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
    'missing-documents': missing.map((document) => ({ ...document, 'any-of': [...document['any-of']] })),
    rules: judged.toSorted((a, b) => Number(b.matches) - Number(a.matches)),
  }
}
