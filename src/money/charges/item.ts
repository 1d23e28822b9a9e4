import type { ChargeBasis } from '#kernel/broker-enums.ts'
import { businessDate } from '#kernel/calendar.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { type CutOffCalendar, nextCutOff } from '#registry/rules/cut-off.ts'
import type { ChargeCause, ExplainedCharge } from '../rules/charge.ts'
import { type ChargeMonth, type ChargeTerm, sumOf } from '../rules/charge-terms.ts'
import { type ContributionRule, contributionRuleOf, employeeAmount } from '../rules/contribution.ts'
import type { MissingShare } from '../rules/cost.ts'
import type { VarianceLine } from '../forecasts/stored.ts'
import type { LedgerBenefit } from '../rules/ledger.ts'
import { firstDay } from '../rules/premium.ts'
import type { CauseFilter, ChargedBenefitFacts, ChargeKey, ChargeRow, LineOfNobody } from './queries.ts'
import type { ChargeItem } from './schema.ts'
import { ChargeSentences } from './sentence.ts'

/** Whose list it is: companies do not see what the broker and the carrier keep to themselves. */
export type ChargeView = 'operator' | 'company'

export interface ExplainedBenefit {
  readonly facts: ChargedBenefitFacts
  readonly benefit: LedgerBenefit
  readonly explanation: ExplainedCharge
}

interface OfItems {
  readonly key: ChargeKey
  readonly basis: ChargeBasis
  readonly view: ChargeView
  readonly language: Language
  readonly contributionRules: readonly ContributionRule[]
  readonly calendar: CutOffCalendar | null
  /** Whether the invoices of the month were compared. */
  readonly isCompared: boolean
}

/** The items of the charges of a contract in a month, in wire keys. */
export class ChargeItems {
  readonly #of: OfItems

  constructor(of: OfItems) {
    this.#of = of
  }

  /** @param shares what the employee pays of each of its charges. */
  ofBenefit(
    { facts, benefit, explanation }: ExplainedBenefit,
    row: ChargeRow,
    shares: readonly { readonly share: number | MissingShare | null }[],
    variance: VarianceLine | null,
  ): ChargeItem {
    const { month, contractId } = this.#of.key
    const { amount, lastAmount, months, causes } = explanation
    const difference = this.#of.isCompared ? row.difference : explanation.difference
    const employee = this.#employee(benefit, months, shares)
    const told = causes.map(({ cause }) => movementOf(cause, facts)).find((found) => found !== null) ?? null
    return {
      'contract-id': contractId,
      'reference-month': month,
      basis: this.#of.basis,
      unmatched: false,
      'benefit-id': facts.benefitId,
      'member-id': facts.memberId,
      'member-name': facts.memberName,
      'beneficiary-type': facts.type,
      'employee-id': facts.employeeId,
      'product-name': facts.productName,
      'start-date': facts.startDate,
      'end-date': facts.endDate,
      ...this.#operatorOnly({ 'line-number': null }),
      amount,
      expected: amount - difference,
      difference,
      'last-amount': lastAmount,
      months: months.map((one) => this.#month(one)),
      causes: causes.map(({ cause, amount: part, certainty }) => ({
        cause,
        amount: part,
        certainty,
        movement: this.#movement(cause, facts),
      })),
      employee,
      'company-amount': employee.amount === null ? null : amount - employee.amount,
      discrepancies: facts.discrepancies.map((found) => this.#discrepancy(found)),
      variance:
        variance === null
          ? null
          : { class: variance.class, forecast: variance.forecast, amount: variance.found - variance.forecast },
      sentence: new ChargeSentences(this.#of.language).ofBenefit(months, month, facts, told),
    }
  }

  /** @param wasForecast whether a forecast of the month was stored. */
  ofLine({ lineNumber, amount, kind, entryType, name, discrepancies }: LineOfNobody, wasForecast: boolean): ChargeItem {
    const isPerson = kind === 'person'
    const found = discrepancies.reduce((sum, one) => sum + (one.amount ?? 0), 0)
    const term: ChargeTerm = isPerson
      ? { term: 'as-charged', amount, missingSettings: [] }
      : { term: 'entry', amount, entryType }
    const { month, contractId } = this.#of.key
    return {
      'contract-id': contractId,
      'reference-month': month,
      basis: this.#of.basis,
      unmatched: isPerson,
      'benefit-id': null,
      'member-id': null,
      // It may be a person of another company.
      'member-name': this.#of.view === 'operator' ? name : null,
      'beneficiary-type': null,
      'employee-id': null,
      'product-name': null,
      'start-date': null,
      'end-date': null,
      ...this.#operatorOnly({ 'line-number': lineNumber }),
      amount,
      expected: amount - found,
      difference: found,
      'last-amount': 0,
      months: [this.#month({ month, amount, lineNumbers: [lineNumber], terms: [term] })],
      causes: causesOfLine({ isPerson, amount }).map((cause) => ({ ...cause, movement: null })),
      employee: { amount: null, from: null, 'contribution-rule-id': null, share: null },
      'company-amount': null,
      discrepancies: discrepancies.map((one) => this.#discrepancy(one)),
      variance: wasForecast ? { class: 'without-person', forecast: 0, amount } : null,
      sentence: new ChargeSentences(this.#of.language).ofNobody(amount),
    }
  }

  /** What the employee pays of it; of what is forecast by the rules of the months of cover. */
  #employee(
    benefit: LedgerBenefit,
    months: readonly ChargeMonth[],
    shares: readonly { readonly share: number | MissingShare | null }[],
  ): ChargeItem['employee'] {
    const { contributionRules } = this.#of
    const rule = contributionRuleOf(contributionRules, benefit, firstDay(this.#of.key.month))
    const share = rule === null ? null : benefit.type === 'primary' ? rule.primaryShare : rule.dependentShare
    const of = { 'contribution-rule-id': rule?.id ?? null, share }
    if (this.#of.basis === 'forecast') {
      const parts = months.map((one) => employeePart(benefit, one, contributionRules))
      return parts.includes(null)
        ? { amount: null, from: null, ...of }
        : { amount: parts.reduce<number>((sum, part) => sum + (part ?? 0), 0), from: 'rule', ...of }
    }
    const known = shares.every((one) => typeof one.share === 'number')
    const paid = shares.reduce((sum, one) => sum + (typeof one.share === 'number' ? one.share : 0), 0)
    const from = this.#of.basis === 'closed' ? 'closing' : rule === null ? 'carrier-file' : 'rule'
    return { amount: known ? paid : null, from: known ? from : null, ...of }
  }

  #month({ month, amount, lineNumbers, terms }: ChargeMonth) {
    return {
      month,
      amount,
      ...this.#operatorOnly({ 'line-numbers': [...lineNumbers] }),
      terms: terms.map((term) => termJson(term)),
    }
  }

  #movement(cause: ChargeCause, facts: ChargedBenefitFacts) {
    const found = movementOf(cause, facts)
    if (found === null) return null
    const told = businessDate(new Date(found.sentAt ?? found.answeredAt ?? found.requestedAt))
    const cutOff = this.#of.calendar === null ? null : nextCutOff(this.#of.calendar, told)
    return {
      'enrollment-id': found.enrollmentId,
      'enrollment-type': found.enrollmentType,
      status: found.status,
      'requested-at': found.requestedAt,
      'sent-at': found.sentAt,
      'answered-at': found.answeredAt,
      'cut-off-date': cutOff?.['cut-off-date'] ?? null,
      'due-in': cutOff?.['coverage-start'].slice(0, 7) ?? null,
    }
  }

  #discrepancy(found: ChargedBenefitFacts['discrepancies'][number]) {
    const { claim } = found
    return {
      ...this.#operatorOnly({ 'discrepancy-id': found.discrepancyId, explanation: found.explanation }),
      class: found.class,
      amount: found.amount,
      status: found.status,
      'cover-month': found.coverMonth,
      claim:
        claim === null
          ? null
          : {
              ...this.#operatorOnly({ 'claim-id': claim.claimId, 'carrier-protocol': claim.carrierProtocol }),
              status: claim.status,
              amount: claim.amount,
              'credited-in': claim.creditedIn,
            },
    }
  }

  #operatorOnly<T extends object>(fields: T): T | { readonly [Key in keyof T]?: never } {
    return this.#of.view === 'operator' ? fields : {}
  }
}

/** What an employee pays of a month of cover beyond what earlier invoices charged of it; null: no rule says it. */
function employeePart(
  benefit: LedgerBenefit,
  { month, amount, terms }: ChargeMonth,
  rules: readonly ContributionRule[],
): number | null {
  const rule = contributionRuleOf(rules, benefit, firstDay(month))
  if (rule === null) return null
  const before = -sumOf(terms.filter(({ term }) => term === 'charged-before'))
  return employeeAmount(before + amount, rule, benefit.type) - employeeAmount(before, rule, benefit.type)
}

/** Why a line of nobody is charged. */
export const causesOfLine = ({
  isPerson,
  amount,
}: Pick<ChargeRow, 'isPerson' | 'amount'>): ExplainedCharge['causes'] => [
  { cause: isPerson ? 'difference' : 'other-entry', amount, certainty: 'firm' },
]

/** Whether a filter selects one of the causes. */
export const hasCause = (causes: ExplainedCharge['causes'], { cause, certainty }: CauseFilter): boolean =>
  (cause === undefined && certainty === undefined) ||
  causes.some(
    (one) => (cause === undefined || one.cause === cause) && (certainty === undefined || one.certainty === certainty),
  )

/** The movement that brought a cause; null: none did. */
function movementOf(cause: ChargeCause, { began, ended }: Pick<ChargedBenefitFacts, 'began' | 'ended'>) {
  switch (cause) {
    case 'entry':
    case 'retroactive-charge':
      return began
    case 'exit':
    case 'retroactive-credit':
      return ended
    case 'plan-change':
      return ended ?? began
    default:
      return null
  }
}

function termJson(term: ChargeTerm) {
  switch (term.term) {
    case 'price':
      return {
        term: term.term,
        amount: term.amount,
        'price-table-id': term.priceTableId,
        'valid-from': term.validFrom,
        category: term.category,
        age: term.age,
        'age-day': term.ageDay,
        'moved-by':
          term.movedBy === null
            ? null
            : { birthday: term.movedBy.birthday, 'from-category': term.movedBy.fromCategory },
      }
    case 'proration':
      return {
        term: term.term,
        amount: term.amount,
        rule: term.rule,
        'covered-days': term.coveredDays,
        from: term.from,
        until: term.until,
      }
    case 'entry':
      return { term: term.term, amount: term.amount, 'entry-type': term.entryType }
    case 'as-charged':
      return { term: term.term, amount: term.amount, 'missing-settings': [...term.missingSettings] }
    case 'charged-before':
    case 'difference':
      return { term: term.term, amount: term.amount }
    default:
      return term satisfies never
  }
}
