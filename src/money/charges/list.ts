import type { DiscrepancyStatus } from '#kernel/reconciliation.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { businessDate } from '#kernel/calendar.ts'
import { required } from '#platform/core/log.ts'
import type { Sql } from '#platform/core/database.ts'
import { pageBounds, pagination, type PageQuery } from '#platform/http/schemas.ts'
import { type CutOffCalendar, type Month, nextCutOff } from '#registry/rules/cut-off.ts'
import { readSharedCharges } from '../costs/cost-list.ts'
import { readKnownMonths, readLedgerBenefits } from '../ledger/queries.ts'
import { findClosedMonth } from '../months/queries.ts'
import { missingOf, readContractPrices } from '../prices/pricing-queries.ts'
import type { MissingShare } from '../rules/cost.ts'
import {
  type ChargeCause,
  type ChargeMonth,
  type ChargeTerm,
  explainCharge,
  type ExplainedCharge,
  type Certainty,
  type ChargeBasis,
} from '../rules/charge.ts'
import type { LedgerBenefit } from '../rules/ledger.ts'
import { contributionRuleOf, employeeAmount } from '../rules/contribution.ts'
import { firstDay, type PriceRules } from '../rules/premium.ts'
import {
  type ChargedBenefitFacts,
  type ChargeFilter,
  type ChargeKey,
  type ChargeRow,
  type LineOfNobody,
  readChargeFacts,
  readChargeRows,
  readComparison,
  readExpectedBenefits,
  readLinesOfNobody,
} from './queries.ts'
import type { ChargeItem } from './schema.ts'
import { ChargeSentences } from './sentence.ts'

export interface ChargeListFilter extends ChargeFilter {
  readonly cause?: ChargeCause | undefined
  readonly certainty?: Certainty | undefined
}

/** Whose list it is: companies do not see what the broker and the carrier keep to themselves. */
export type ChargeView = 'operator' | 'company'

interface ListedMonth {
  readonly companyId: string
  readonly contractIds: readonly string[]
  readonly month: Month
}

interface ListOptions {
  readonly filter: ChargeListFilter
  readonly view: ChargeView
  readonly language: Language
}

interface ExplainedBenefit {
  readonly facts: ChargedBenefitFacts
  readonly benefit: LedgerBenefit
  readonly explanation: ExplainedCharge
}

interface ContractFacts {
  readonly prices: NonNullable<Awaited<ReturnType<typeof readContractPrices>>>
  readonly knownMonths: ReadonlySet<Month>
  readonly calendar: CutOffCalendar | null
  /** Whether the invoices of the month were compared. */
  readonly isCompared: boolean
}

/** The benefits that are explained at once. */
const chunkSize = 1000

/** The body of a page of charges: of one invoice, or of all contracts of a company. */
export async function chargeList(
  sql: Sql,
  { companyId, contractIds, month }: ListedMonth,
  options: ListOptions,
  query: PageQuery,
) {
  const closed = (await findClosedMonth(sql, companyId, month)) !== null
  const lists: { readonly contract: ContractCharges; readonly rows: readonly ChargeRow[] }[] = []
  for (const contractId of contractIds) {
    const contract = await ContractCharges.read(sql, { companyId, contractId, month }, closed, options)
    lists.push({ contract, rows: await contract.rows(options.filter) })
  }
  const { limit, offset } = pageBounds(query)
  const all = lists.flatMap(({ contract, rows }) => rows.map((row) => ({ contract, row })))
  const page = all.slice(offset, offset + limit)
  const result: ChargeItem[] = []
  for (const { contract } of lists) {
    result.push(...(await contract.items(page.filter((one) => one.contract === contract).map(({ row }) => row))))
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const isCompared = lists.every(({ contract }) => contract.isCompared)
  const amount = sum(all.map(({ row }) => row.amount))
  const difference = sum(all.map(({ row }) => row.difference))
  return {
    result,
    pagination: pagination(query, all.length),
    totals: {
      amount,
      expected: isCompared ? amount - difference : null,
      difference: isCompared ? difference : null,
      'without-person': sum(all.filter(({ row }) => row.benefitId === null).map(({ row }) => row.amount)),
    },
  }
}

/** The charges of a contract in a month. */
class ContractCharges {
  readonly #sql: Sql
  readonly #key: ChargeKey
  readonly #basis: ChargeBasis
  readonly #options: ListOptions
  readonly #of: ContractFacts

  private constructor(sql: Sql, key: ChargeKey, basis: ChargeBasis, options: ListOptions, of: ContractFacts) {
    this.#sql = sql
    this.#key = key
    this.#basis = basis
    this.#options = options
    this.#of = of
  }

  static async read(sql: Sql, key: ChargeKey, isClosed: boolean, options: ListOptions): Promise<ContractCharges> {
    const { companyId, contractId, month } = key
    const comparison = await readComparison(sql, key)
    const basis = comparison === null ? 'forecast' : isClosed ? 'closed' : 'invoice'
    const [contract] = await sql.query<{ calendar: CutOffCalendar | null }>(
      'select calendar from contract where company_id = $1 and id = $2',
      [companyId, contractId],
    )
    return new ContractCharges(sql, key, basis, options, {
      prices: required(await readContractPrices(sql, contractId), 'contract'),
      knownMonths: await readKnownMonths(sql, { companyId, contractId, through: month }),
      calendar: contract?.calendar ?? null,
      isCompared: comparison?.isCompared ?? true,
    })
  }

  /** Whether it is known what differs. */
  get isCompared(): boolean {
    return this.#of.isCompared
  }

  /** What the filter selects. What follows from the explanation alone is explained for all. */
  async rows(filter: ChargeListFilter): Promise<readonly ChargeRow[]> {
    const { cause, certainty } = filter
    const rows =
      this.#basis === 'forecast' ? await this.#expectedRows(filter) : await readChargeRows(this.#sql, this.#key, filter)
    if (cause === undefined && certainty === undefined) return rows
    const selected: ChargeRow[] = []
    for (const { row, causes } of await this.#explainAll(rows)) {
      const isOf = causes.some(
        (one) =>
          (cause === undefined || one.cause === cause) &&
          (certainty === undefined || this.#certainty(one.cause) === certainty),
      )
      if (isOf) selected.push(row)
    }
    return selected
  }

  async items(rows: readonly ChargeRow[]): Promise<ChargeItem[]> {
    const ids = rows.flatMap(({ benefitId }) => benefitId ?? [])
    const { companyId, month } = this.#key
    const explained = new Map((await this.#explain(ids)).map((charge) => [charge.facts.benefitId, charge]))
    const shares =
      ids.length === 0 || this.#basis === 'forecast' ? [] : await readSharedCharges(this.#sql, companyId, month, ids)
    const byBenefit = Map.groupBy(shares, ({ person }) => person?.benefitId ?? '')
    const nobody = new Map(
      (
        await readLinesOfNobody(
          this.#sql,
          companyId,
          rows.filter(({ benefitId }) => benefitId === null),
        )
      ).map((line) => [`${line.fileId} ${line.lineNumber}`, line]),
    )
    return rows.flatMap((row): ChargeItem[] => {
      const charge = explained.get(row.benefitId ?? '')
      if (charge !== undefined) return [this.#benefitItem(charge, row, byBenefit.get(charge.facts.benefitId) ?? [])]
      const line = nobody.get(`${row.fileId} ${row.lineNumber}`)
      return line === undefined ? [] : [this.#lineItem(line)]
    })
  }

  async #expectedRows(filter: ChargeListFilter): Promise<ChargeRow[]> {
    if (filter.lineNumber !== undefined || filter.class !== undefined || filter.hasDifference === true) return []
    const rows = (await readExpectedBenefits(this.#sql, this.#key, filter)).map(({ benefitId, name }) => ({
      benefitId,
      name,
      lineNumber: null,
      fileId: null,
      amount: 0,
      difference: 0,
    }))
    return (await this.#explainAll(rows)).flatMap(({ row, amount }) => (amount === 0 ? [] : [{ ...row, amount }]))
  }

  async #explainAll(rows: readonly ChargeRow[]) {
    const all: { row: ChargeRow; amount: number; causes: readonly { cause: ChargeCause }[] }[] = []
    for (let first = 0; first < rows.length; first += chunkSize) {
      const chunk = rows.slice(first, first + chunkSize)
      const explained = await this.#explain(chunk.flatMap(({ benefitId }) => benefitId ?? []))
      const byId = new Map(explained.map((charge) => [charge.facts.benefitId, charge.explanation]))
      for (const row of chunk) {
        const found = byId.get(row.benefitId ?? '')
        if (found !== undefined) all.push({ row, amount: found.amount, causes: found.causes })
      }
    }
    return all
  }

  async #explain(ids: readonly string[]): Promise<ExplainedBenefit[]> {
    if (ids.length === 0) return []
    const { companyId, contractId, month } = this.#key
    const ledger = await readLedgerBenefits(this.#sql, { companyId, contractId, through: month, benefitIds: ids })
    const facts = await readChargeFacts(this.#sql, this.#key, ids)
    const missing = missingOf(this.#of.prices, month)
    const { settings, tables } = this.#of.prices
    const rules =
      missing.length > 0 ? null : { rules: settings as PriceRules, tables, knownMonths: this.#of.knownMonths }
    const isInvoice = this.#basis !== 'forecast'
    return [...facts.values()].flatMap((one) => {
      const benefit = ledger.get(one.benefitId)
      if (benefit === undefined) return []
      const ofInvoice = one.discrepancies.flatMap(({ coverMonth }) => coverMonth ?? [])
      // What no invoice was compared with is told by the next one.
      const untold = [...this.#of.knownMonths].filter((known) => known < month && !one.toldMonths.includes(known))
      const explanation = explainCharge(benefit, one.lines, {
        month,
        rules,
        missing,
        isInvoice,
        toldMonths: isInvoice ? ofInvoice : untold,
        beganByChange: one.began !== null && one.began.enrollmentType !== 'inclusion',
        endedByChange: one.ended !== null && one.ended.enrollmentType !== 'exclusion',
      })
      return [{ facts: one, benefit, explanation }]
    })
  }

  #certainty(cause: ChargeCause): Certainty {
    const isOfDate = cause === 'age-band' || cause === 'price-table' || cause === 'proration'
    return this.#basis === 'forecast' && isOfDate ? 'scheduled' : 'firm'
  }

  #benefitItem(
    { facts, benefit, explanation }: ExplainedBenefit,
    row: ChargeRow,
    shares: readonly { readonly share: number | MissingShare | null }[],
  ) {
    const { month, contractId } = this.#key
    const { amount, lastAmount, months, causes } = explanation
    const difference = this.#of.isCompared ? row.difference : explanation.difference
    const employee = this.#employee(benefit, amount, shares)
    const ended = facts.endDate !== null && facts.endDate <= `${month}-31`
    const told = ended ? facts.ended : facts.began
    const isOfMovement = causes.some(({ cause }) => movementCauses.includes(cause))
    return {
      'contract-id': contractId,
      'reference-month': month,
      basis: this.#basis,
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
      causes: causes.map(({ cause, amount: part }) => ({
        cause,
        amount: part,
        certainty: this.#certainty(cause),
        movement: movementCauses.includes(cause) ? this.#movement(cause, facts) : null,
      })),
      employee,
      'company-amount': employee.amount === null ? null : amount - employee.amount,
      discrepancies: facts.discrepancies.map((found) => this.#discrepancy(found)),
      sentence: new ChargeSentences(this.#options.language).ofBenefit(months, month, isOfMovement ? told : null),
    }
  }

  #lineItem({ lineNumber, amount, kind, entryType, name, discrepancies }: LineOfNobody) {
    const isPerson = kind === 'person'
    const found = discrepancies.reduce((sum, one) => sum + (one.amount ?? 0), 0)
    const term: ChargeTerm = isPerson
      ? { term: 'as-charged', amount, missingSettings: [] }
      : { term: 'entry', amount, entryType }
    const { month, contractId } = this.#key
    return {
      'contract-id': contractId,
      'reference-month': month,
      basis: this.#basis,
      unmatched: isPerson,
      'benefit-id': null,
      'member-id': null,
      // It may be a person of another company.
      'member-name': this.#options.view === 'operator' ? name : null,
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
      causes: [
        {
          cause: isPerson ? ('difference' as const) : ('other-entry' as const),
          amount,
          certainty: 'firm' as const,
          movement: null,
        },
      ],
      employee: { amount: null, from: null, 'contribution-rule-id': null, share: null },
      'company-amount': null,
      discrepancies: discrepancies.map((one) => this.#discrepancy(one)),
      sentence: new ChargeSentences(this.#options.language).ofNobody(amount),
    }
  }

  /** What the employee pays of it; of a month to come by the rule alone. */
  #employee(
    benefit: LedgerBenefit,
    amount: number,
    shares: readonly { readonly share: number | MissingShare | null }[],
  ): ChargeItem['employee'] {
    const { contributionRules } = this.#of.prices
    const rule = contributionRuleOf(contributionRules, benefit, firstDay(this.#key.month))
    const share = rule === null ? null : benefit.type === 'primary' ? rule.primaryShare : rule.dependentShare
    const of = { 'contribution-rule-id': rule?.id ?? null, share }
    if (this.#basis === 'forecast') {
      return {
        amount: rule === null ? null : employeeAmount(amount, rule, benefit.type),
        from: rule === null ? null : 'rule',
        ...of,
      }
    }
    const known = shares.every((one) => typeof one.share === 'number')
    const paid = shares.reduce((sum, one) => sum + (typeof one.share === 'number' ? one.share : 0), 0)
    const from = this.#basis === 'closed' ? 'closing' : rule === null ? 'carrier-file' : 'rule'
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
    const found = cause === 'exit' || cause === 'retroactive-credit' ? facts.ended : facts.began
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
      status: found.status satisfies DiscrepancyStatus,
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
    return this.#options.view === 'operator' ? fields : {}
  }
}

/** The causes that a movement brought. */
const movementCauses: readonly ChargeCause[] = [
  'entry',
  'exit',
  'plan-change',
  'retroactive-charge',
  'retroactive-credit',
]

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
