import type { Item, RequestBody, ResponseBody } from '@vigencia/client'
import type { RequirementConditions } from '../../../../src/registry/rules/requirement.ts'

export type RuleBody = RequestBody<'putRequirementRule'>
/** With the closed sets of the body: the service sends what it took. */
export type When = Required<NonNullable<RuleBody['when']>> & RequirementConditions
export type Rule = Omit<ResponseBody<'readRequirementRule'>['result'], 'when'> & { readonly when: When }
export type ListedRule = Omit<Item<'listRequirementRules'>, 'when'> & { readonly when: When }

/** Whether two names are the same carrier, as the service compares them. */
export const isSameCarrier = (one: string, other: string) =>
  one.trim().localeCompare(other.trim(), 'pt', { sensitivity: 'base' }) === 0
