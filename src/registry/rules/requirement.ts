/*
 * Which documents a movement needs, by the rules of the installation. No rule, no document.
 */
import { daysBetween, type LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, DocumentType, MovementKind } from '#kernel/enums.ts'

/** What becomes of a movement without a document, the weakest first. */
export const ENFORCEMENTS = ['warning', 'pending', 'offense'] as const
export type Enforcement = (typeof ENFORCEMENTS)[number]

/** Whom a document is about. */
export const DOCUMENT_OWNERS = ['primary', 'dependent', 'company'] as const
type DocumentOwner = (typeof DOCUMENT_OWNERS)[number]

/** Most rules of an installation. */
export const MAX_REQUIREMENT_RULES = 500

/** Conditions of a rule. An empty list and null hold for every movement. */
export interface RequirementConditions {
  readonly 'carrier-names': readonly string[]
  readonly 'product-types': readonly string[]
  readonly 'product-ids': readonly string[]
  readonly 'company-tax-ids': readonly string[]
  readonly movements: readonly string[]
  readonly 'beneficiary-types': readonly string[]
  readonly 'dependent-types': readonly string[]
  readonly 'work-contract-types': readonly string[]
  readonly 'exclusion-reasons': readonly string[]
  readonly lives: string | null
  /** In whole years, both included. */
  readonly 'age-from': number | null
  readonly 'age-until': number | null
  readonly 'days-since-admission-over': number | null
  /** Only for an inclusion, as the warning `late-inclusion`. */
  readonly late: boolean | null
}

export type Condition = keyof RequirementConditions

/** Documents of which one is enough. */
interface RequiredDocument {
  readonly 'any-of': readonly DocumentType[]
  readonly of: DocumentOwner | null
  readonly message: string
}

export interface RequirementRule {
  readonly 'rule-id': string
  readonly name: string
  readonly active: boolean
  readonly 'valid-from': LocalDate | null
  readonly when: RequirementConditions
  readonly require: readonly RequiredDocument[]
  readonly enforcement: Enforcement
  /** `when.carrier-names` without case and accents. */
  readonly carrierKeys: readonly string[]
}

/** A movement of a person in a product, as rules see it. null: there is none; undefined: not known yet. */
export interface RequirementSubject {
  readonly carrierKey?: string | null | undefined
  readonly productType?: string | null | undefined
  readonly productId?: string | null | undefined
  readonly companyTaxId?: string | null | undefined
  readonly movement?: MovementKind | undefined
  readonly beneficiaryType?: BeneficiaryType | undefined
  readonly dependentType?: string | null | undefined
  readonly workContractType?: string | null | undefined
  readonly exclusionReason?: string | null | undefined
  readonly lives?: string | null | undefined
  readonly age?: number | null | undefined
  readonly daysSinceAdmission?: number | null | undefined
  readonly late?: boolean | null | undefined
}

/** A document that a movement needs and does not have. */
export interface MissingDocument extends RequiredDocument {
  readonly enforcement: Enforcement
}

type Judge = (rule: RequirementRule, subject: RequirementSubject) => boolean | undefined

const inList = (list: readonly string[], value: string | null | undefined): boolean | undefined =>
  list.length === 0 ? true : value === undefined ? undefined : value !== null && list.includes(value)

const ifKnown = <T>(limit: unknown, value: T | null | undefined, holds: (known: T) => boolean): boolean | undefined =>
  limit === null ? true : value === undefined ? undefined : value !== null && holds(value)

/** Whether each condition holds; undefined: the subject does not say. */
const judges: Readonly<Record<Condition, Judge>> = {
  'carrier-names': ({ carrierKeys }, { carrierKey }) => inList(carrierKeys, carrierKey),
  'product-types': ({ when }, { productType }) => inList(when['product-types'], productType),
  'product-ids': ({ when }, { productId }) => inList(when['product-ids'], productId),
  'company-tax-ids': ({ when }, { companyTaxId }) => inList(when['company-tax-ids'], companyTaxId),
  movements: ({ when }, { movement }) => inList(when.movements, movement),
  'beneficiary-types': ({ when }, { beneficiaryType }) => inList(when['beneficiary-types'], beneficiaryType),
  'dependent-types': ({ when }, { dependentType }) => inList(when['dependent-types'], dependentType),
  'work-contract-types': ({ when }, { workContractType }) => inList(when['work-contract-types'], workContractType),
  'exclusion-reasons': ({ when }, { exclusionReason }) => inList(when['exclusion-reasons'], exclusionReason),
  lives: ({ when }, { lives }) => ifKnown(when.lives, lives, (known) => known === when.lives),
  'age-from': ({ when }, { age }) => ifKnown(when['age-from'], age, (known) => known >= Number(when['age-from'])),
  'age-until': ({ when }, { age }) => ifKnown(when['age-until'], age, (known) => known <= Number(when['age-until'])),
  'days-since-admission-over': ({ when }, { daysSinceAdmission }) =>
    ifKnown(
      when['days-since-admission-over'],
      daysSinceAdmission,
      (known) => known > Number(when['days-since-admission-over']),
    ),
  late: ({ when }, { late }) => ifKnown(when.late, late, (known) => known === when.late),
}

export const CONDITIONS = Object.keys(judges) as readonly Condition[]

/** The conditions that differ between people of one role in one product. */
const ofPerson: readonly Condition[] = [
  'work-contract-types',
  'exclusion-reasons',
  'age-from',
  'age-until',
  'days-since-admission-over',
  'late',
]
const ofRole = CONDITIONS.filter((condition) => !ofPerson.includes(condition))

/** The conditions that do not hold, and those that the subject does not decide. */
export function conditionsOf(
  rule: RequirementRule,
  subject: RequirementSubject,
  conditions: readonly Condition[] = CONDITIONS,
): { readonly failed: readonly Condition[]; readonly open: readonly Condition[] } {
  const judged = conditions.map((condition) => ({ condition, holds: judges[condition](rule, subject) }))
  const those = (value: boolean | undefined) =>
    judged.filter(({ holds }) => holds === value).map(({ condition }) => condition)
  return { failed: those(false), open: those(undefined) }
}

/** Whether all conditions of a rule hold. */
export function matches(rule: RequirementRule, subject: RequirementSubject): boolean {
  return CONDITIONS.every((condition) => judges[condition](rule, subject) === true)
}

/** Whether a rule is in force on a day. */
export function isInForce({ active, 'valid-from': from }: RequirementRule, today: LocalDate): boolean {
  return active && (from === null || from <= today)
}

/** The name of a set of documents: one that two rules ask for is asked for once. */
export const keyOfDocuments = (types: readonly string[]): string => types.toSorted().join()

export const strength = (enforcement: Enforcement): number => ENFORCEMENTS.indexOf(enforcement)

/** A rule that holds for a role in a product, and what it asks of the person. */
interface RuleOfRole {
  readonly rule: RequirementRule
  readonly conditions: readonly Condition[]
}

/** The rules, so that a person meets only those of the role and the product. */
export class Requirements {
  /** The strictest first; of equals in the order of their ids. The order of the rules as they came does not matter. */
  readonly #rules: readonly RequirementRule[]
  readonly #byRole = new Map<string, readonly RuleOfRole[]>()

  /** @param rules those in force. */
  constructor(rules: readonly RequirementRule[]) {
    this.#rules = rules.toSorted(
      (a, b) => strength(b.enforcement) - strength(a.enforcement) || (a['rule-id'] < b['rule-id'] ? -1 : 1),
    )
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** What is asked for and not there: the union of all rules that match; of one that several rules ask for the strictest. */
  missing(subject: RequirementSubject, documentTypes: ReadonlySet<string>): MissingDocument[] {
    const found = new Map<string, MissingDocument>()
    for (const { rule, conditions } of this.#ofRole(subject)) {
      if (!conditions.every((condition) => judges[condition](rule, subject) === true)) continue
      for (const required of rule.require) {
        if (required['any-of'].some((type) => documentTypes.has(type))) continue
        const key = keyOfDocuments(required['any-of'])
        if (!found.has(key)) found.set(key, { ...required, enforcement: rule.enforcement })
      }
    }
    return [...found.values()]
  }

  #ofRole(subject: RequirementSubject): readonly RuleOfRole[] {
    const { movement, beneficiaryType, dependentType, companyTaxId, productId } = subject
    const key = `${movement} ${beneficiaryType} ${dependentType} ${companyTaxId} ${productId}`
    let rules = this.#byRole.get(key)
    if (rules === undefined) {
      rules = this.#rules
        .filter((rule) => ofRole.every((condition) => judges[condition](rule, subject) === true))
        // A condition that the rule does not have holds for all people.
        .map((rule) => ({ rule, conditions: ofPerson.filter((condition) => judges[condition](rule, {}) !== true) }))
      this.#byRole.set(key, rules)
    }
    return rules
  }
}

/** The strictest enforcement; null without documents. */
export function strictest(missing: readonly MissingDocument[]): Enforcement | null {
  const level = Math.max(-1, ...missing.map(({ enforcement }) => strength(enforcement)))
  return ENFORCEMENTS[level] ?? null
}

/** The age in whole years; null for a birth that is not known or after the day. */
export function ageOn(dateOfBirth: LocalDate | null, day: LocalDate): number | null {
  if (dateOfBirth === null || dateOfBirth > day) return null
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return day.slice(4) < dateOfBirth.slice(4) ? years - 1 : years
}

/** An inclusion is late more than this many days after the admission, or after the start of the dependency. */
export const LATE_AFTER_DAYS = 30

/** Whether an inclusion is late: after `since`, the start of the dependency or the admission. */
export function isLate(since: LocalDate | null, today: LocalDate): boolean {
  return since !== null && daysBetween(since, today) > LATE_AFTER_DAYS
}

/** What a movement waits for: a pending item of the rule's document, with its number within the movement. */
export interface RequirementItem {
  readonly kind: 'document'
  readonly 'document-type': DocumentType
  readonly 'any-of': readonly DocumentType[]
  readonly requirement: number
  readonly message: string
}

/** The pending items of missing documents; a warning is none. */
export function requirementItems(missing: readonly MissingDocument[]): RequirementItem[] {
  return missing
    .filter(({ enforcement }) => enforcement !== 'warning')
    .map(({ 'any-of': types, message }, index) => ({
      kind: 'document',
      'document-type': types[0] as DocumentType,
      'any-of': types,
      requirement: index + 1,
      message,
    }))
}

/** A pending item, whoever asked for it. */
interface AnyPendingItem {
  readonly 'any-of'?: readonly string[]
  readonly requirement?: number
}

/** Whether rules asked for what a movement waits for. */
export function isOfRules(items: readonly AnyPendingItem[]): boolean {
  return items.some(({ requirement }) => requirement !== undefined)
}

/** The items that are left once documents of these types came. */
export function itemsLeft<Item extends AnyPendingItem>(
  items: readonly Item[],
  documentTypes: ReadonlySet<string>,
): Item[] {
  return items.filter((item) => !(item['any-of'] ?? []).some((type) => documentTypes.has(type)))
}

/** The reason of a movement that waits for documents, or is rejected without them. */
const documentsMissing = 'Required documents are missing'

/** The same with what the rules say of them. */
export function reasonOfMissing(items: readonly { readonly message: string }[]): string {
  const messages = [...new Set(items.map(({ message }) => message))]
  return Array.from(`${documentsMissing}: ${messages.join('; ')}`)
    .slice(0, 500)
    .join('')
}
