import {
  type Condition,
  conditionsOf,
  keyOfDocuments,
  type MissingDocument,
  type RequirementConditions,
  type RequirementRule,
  type RequirementSubject,
  strength,
} from '../rules/requirement.ts'

interface Requirement extends MissingDocument {
  /** The conditions that the query leaves open. */
  readonly when: Partial<RequirementConditions>
}

/** The documents that rules ask for, the strictest first; the same documents under the same open conditions once. */
export function requirementsOf(rules: readonly RequirementRule[], subject: RequirementSubject): Requirement[] {
  const found = new Map<string, Requirement>()
  const sorted = rules.toSorted(
    (a, b) => strength(b.enforcement) - strength(a.enforcement) || (a['rule-id'] < b['rule-id'] ? -1 : 1),
  )
  for (const rule of sorted) {
    const { failed, open } = conditionsOf(rule, subject)
    if (failed.length > 0) continue
    const when = Object.fromEntries(open.map((condition: Condition) => [condition, rule.when[condition]]))
    for (const required of rule.require) {
      const key = `${keyOfDocuments(required['any-of'])} ${JSON.stringify(when)}`
      if (!found.has(key)) found.set(key, { ...required, enforcement: rule.enforcement, when })
    }
  }
  return [...found.values()]
}
