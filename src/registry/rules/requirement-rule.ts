/*
 * What is wrong with a rule of required documents.
 */
import type { FieldError } from '#kernel/fields.ts'
import { type Condition, keyOfDocuments, type RequirementRule, strength } from './requirement.ts'

/** A product that a rule names. */
export interface NamedProduct {
  readonly id: string
  readonly productType: string
  readonly carrierKey: string
  readonly companyTaxId: string
}

/** Conditions that no movement fulfills together. @param products those of `product-ids`. */
export function contradictions(rule: RequirementRule, products: readonly NamedProduct[]): FieldError[] {
  const { when } = rule
  const excludes = (list: readonly string[], value: string) => list.length > 0 && !list.includes(value)
  const errors: FieldError[] = []
  const never = (condition: Condition) => errors.push({ field: `when.${condition}`, code: 'not-applicable' })
  if (when['dependent-types'].length > 0 && excludes(when['beneficiary-types'], 'dependent')) never('dependent-types')
  if (when['exclusion-reasons'].length > 0 && excludes(when.movements, 'exclusion')) never('exclusion-reasons')
  if (when.late !== null && excludes(when.movements, 'inclusion')) never('late')
  if (when['exclusion-reasons'].length > 0 && when.late !== null) never('late')
  const { 'age-from': from, 'age-until': until } = when
  if (from !== null && until !== null && from > until) never('age-until')
  const isPossible = (product: NamedProduct) =>
    !excludes(rule.carrierKeys, product.carrierKey) &&
    !excludes(when['product-types'], product.productType) &&
    !excludes(when['company-tax-ids'], product.companyTaxId)
  if (products.length > 0 && !products.some(isPossible)) never('product-ids')
  return errors
}

/** The rules that ask at least for what a rule asks for, wherever it does: it changes nothing beside each of them. */
export function shadowing(rule: RequirementRule, others: readonly RequirementRule[]): RequirementRule[] {
  return others.filter((other) => other['rule-id'] !== rule['rule-id'] && covers(other, rule))
}

function covers(wide: RequirementRule, narrow: RequirementRule): boolean {
  if (!wide.active || strength(wide.enforcement) < strength(narrow.enforcement)) return false
  if ((wide['valid-from'] ?? '') > (narrow['valid-from'] ?? '')) return false
  const asked = new Set(wide.require.map((required) => keyOfDocuments(required['any-of'])))
  if (!narrow.require.every((required) => asked.has(keyOfDocuments(required['any-of'])))) return false
  return (Object.keys(wide.when) as Condition[]).every((condition) => isWider(condition, wide, narrow))
}

function isWider(condition: Condition, wide: RequirementRule, narrow: RequirementRule): boolean {
  switch (condition) {
    case 'carrier-names':
      return isSuperset(wide.carrierKeys, narrow.carrierKeys)
    case 'age-from':
    case 'days-since-admission-over':
      return isAtMost(wide.when[condition], narrow.when[condition])
    case 'age-until': {
      const [limit, other] = [wide.when[condition], narrow.when[condition]]
      return limit === null || (other !== null && limit >= other)
    }
    case 'lives':
    case 'late':
      return wide.when[condition] === null || wide.when[condition] === narrow.when[condition]
    case 'product-types':
    case 'product-ids':
    case 'company-tax-ids':
    case 'movements':
    case 'beneficiary-types':
    case 'dependent-types':
    case 'work-contract-types':
    case 'exclusion-reasons':
      return isSuperset(wide.when[condition], narrow.when[condition])
    default:
      return condition satisfies never
  }
}

const isAtMost = (limit: number | null, other: number | null) => limit === null || (other !== null && limit <= other)

function isSuperset(wide: readonly string[], narrow: readonly string[]): boolean {
  return wide.length === 0 || (narrow.length > 0 && narrow.every((value) => wide.includes(value)))
}
