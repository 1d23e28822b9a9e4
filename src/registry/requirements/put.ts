import type { Actor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { keyOfDocuments, MAX_REQUIREMENT_RULES, type RequirementRule } from '../rules/requirement.ts'
import { contradictions, shadowing } from '../rules/requirement-rule.ts'
import type { Context } from '#platform/http/context.ts'
import { deleteRuleRow, lockRules, putRuleRow, readNamed, readRule, readRules } from './queries.ts'
import type { RuleInput } from './schema.ts'

/** The roles that write rules, beside `admin`. */
export const mayWriteRules = ['analyst'] as const

/**
 * Creates or replaces a rule.
 * @returns the body of the response, with the rules that ask for the same.
 * @throws ApiError 400 for what does not exist, conditions that cannot hold, and the 501st rule.
 */
export async function putRule(context: Context, actor: Actor, id: string, body: RuleInput): Promise<string> {
  return write(context, actor, { may: mayWriteRules }, async (tx) => {
    await lockRules(tx)
    const { rule, errors } = await readSent(tx, id, body)
    const others = (await readRules(tx)).filter((other) => other['rule-id'] !== id)
    if (others.length >= MAX_REQUIREMENT_RULES) errors.push({ field: 'rule-id', code: 'too-many' })
    if (errors.length > 0) throw invalidBody(errors)
    const isNew = (await readRule(tx, id)) === null
    await putRuleRow(tx, rule, tx.at())
    const action = isNew ? 'requirement-rule.created' : 'requirement-rule.replaced'
    tx.audit({ action, target: id, companyId: null })
    const result = required(await readRule(tx, id), 'rule')
    const warnings = (rule.active ? shadowing(rule, others) : []).map((other) => ({
      warning: 'rule-shadowed',
      'rule-id': other['rule-id'],
    }))
    return warnings.length === 0 ? result : `${result.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`
  })
}

/** Deletes a rule; movements that wait for its documents still do. @throws ApiError 404. */
export async function deleteRule(context: Context, actor: Actor, id: string): Promise<void> {
  await write(context, actor, { may: mayWriteRules }, async (tx) => {
    await lockRules(tx)
    if (!(await deleteRuleRow(tx, id))) throw new ApiError('requirement-rule-not-found')
    tx.audit({ action: 'requirement-rule.deleted', target: id, companyId: null })
  })
}

async function readSent(sql: Sql, id: string, body: RuleInput): Promise<{ rule: RequirementRule; errors: Detail[] }> {
  const { when = {} } = body
  const conditions = {
    'carrier-names': (when['carrier-names'] ?? []).map((name) => name.trim()),
    'product-types': when['product-types'] ?? [],
    'product-ids': when['product-ids'] ?? [],
    'company-tax-ids': when['company-tax-ids'] ?? [],
    movements: when.movements ?? [],
    'beneficiary-types': when['beneficiary-types'] ?? [],
    'dependent-types': when['dependent-types'] ?? [],
    'work-contract-types': when['work-contract-types'] ?? [],
    'exclusion-reasons': when['exclusion-reasons'] ?? [],
    lives: when.lives ?? null,
    'age-from': when['age-from'] ?? null,
    'age-until': when['age-until'] ?? null,
    'days-since-admission-over': when['days-since-admission-over'] ?? null,
    late: when.late ?? null,
  }
  const { 'carrier-names': names, 'product-ids': productIds, 'company-tax-ids': taxIds } = conditions
  const named = await readNamed(sql, names, productIds, taxIds)
  const rule = {
    'rule-id': id,
    name: body.name.trim(),
    active: body.active ?? true,
    'valid-from': body['valid-from'] ?? null,
    when: conditions,
    require: body.require.map((document) => ({
      'any-of': document['any-of'],
      of: document.of ?? null,
      message: document.message.trim(),
    })),
    enforcement: body.enforcement ?? 'pending',
    carrierKeys: named.carrierKeys.filter((key) => key !== null),
  }
  const productsKnown = new Set(named.products.map((product) => product.id))
  const companiesKnown = new Set(named.companyTaxIds)
  const unknown = (condition: string, list: readonly unknown[], isKnown: (index: number) => boolean): Detail[] =>
    list.flatMap((_, index) =>
      isKnown(index) ? [] : [{ field: `when.${condition}[${index}]`, code: 'unknown' as const }],
    )
  const errors = [
    ...unknown('carrier-names', names, (index) => named.carrierKeys[index] !== null),
    ...unknown('product-ids', productIds, (index) => productsKnown.has(productIds[index] as string)),
    ...unknown('company-tax-ids', taxIds, (index) => companiesKnown.has(taxIds[index] as string)),
    ...repeated(rule.require),
  ]
  return { rule, errors: errors.length > 0 ? errors : contradictions(rule, named.products) }
}

/** The same documents twice in one rule. */
function repeated(require: RequirementRule['require']): Detail[] {
  const keys = require.map((document) => keyOfDocuments(document['any-of']))
  return keys.flatMap((key, index) =>
    keys.indexOf(key) === index ? [] : [{ field: `require[${index}].any-of`, code: 'repeated' as const }],
  )
}
