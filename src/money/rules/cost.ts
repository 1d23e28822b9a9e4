/*
 * What a company's people cost in a month, by the files of its carriers. Amounts are in cents; their sum is the sum of the files.
 */
import { allocate, type AllocationGroup } from './allocation.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { type ContributionRule, contributionRuleOf, employeeAmount, shareOf } from './contribution.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'

/** Where an amount stands: as a premium or co-participation in the invoice, or in the statement of co-participation that details the invoice. */
export const CHARGE_SOURCES = ['premium', 'coparticipation', 'coparticipation-statement'] as const
type ChargeSource = (typeof CHARGE_SOURCES)[number]

export interface ChargedPerson {
  /** null: in a month that was closed before benefits were stored with its charges. */
  readonly benefitId: string | null
  readonly memberId: string
  readonly name: string
  readonly type: BeneficiaryType
  /** The employee: the member itself, or its primary. */
  readonly employeeMemberId: string
  readonly employeeName: string
  readonly employeeId: string | null
  readonly jobTitle: string | null
  /** The cost center of the employee, on the first day of the month. */
  readonly costCenter: string | null
  readonly productId: string
  readonly productName: string
  readonly productType: string
}

/** An amount of a contract. */
interface Charge {
  readonly contractId: string
  readonly source: ChargeSource
  /** The month of cover of a premium; that of the file of all else. */
  readonly period: Month
  readonly amount: number
  /** What the file itself says that the employee pays; null: it does not. */
  readonly employeeAmount: number | null
  /** null: the charge names no person, or one who is no member here. */
  readonly person: ChargedPerson | null
  /** The file names a person who was not found here. */
  readonly isUnmatched: boolean
}

/** A charge before it is known what the employee pays of it. */
export interface UnsharedCharge extends Charge {
  /** What other invoices charge for the month of cover that are of closed or of earlier months. */
  readonly before: number
  /** What employees pay of it, as the closed months have it; null: it follows from the amount, as an earlier month is open. */
  readonly beforeShare: number | null
  /** The cost center of the employee on the first day of the month of cover. */
  readonly costCenter: string | null
}

/** Why the part of an employee is not known. */
export const MISSING_SHARES = ['no-contribution-rule', 'no-coparticipation-share'] as const
export type MissingShare = (typeof MISSING_SHARES)[number]

/**
 * The charges without counting co-participation twice: where a contract has a statement of it, the statement says whose it is, and of the
 * invoice's own entries only the difference is left, as an amount without a person.
 */
export function withoutRepetition(charges: readonly UnsharedCharge[]): UnsharedCharge[] {
  const byContract = Map.groupBy(charges, ({ contractId }) => contractId)
  return [...byContract.entries()].flatMap(([contractId, group]) => {
    const inInvoice = group.filter(({ source }) => source === 'coparticipation')
    const inStatement = group.filter(({ source }) => source === 'coparticipation-statement')
    if (inInvoice.length === 0 || inStatement.length === 0) return group
    const difference = sumOf(inInvoice) - sumOf(inStatement)
    const rest: UnsharedCharge = {
      contractId,
      source: 'coparticipation',
      period: inInvoice[0]?.period ?? '',
      amount: difference,
      before: 0,
      beforeShare: null,
      costCenter: null,
      employeeAmount: null,
      person: null,
      isUnmatched: false,
    }
    return [...group.filter(({ source }) => source !== 'coparticipation'), ...(difference === 0 ? [] : [rest])]
  })
}

/**
 * What the employee pays of the charges of one person, contract, source and month of cover: by the contract's rule of its first day, else what the
 * carrier's file says. Of a premium it is what the charge adds to the part of all charges of the month of cover, so that neither their order nor that
 * of the closings nor how they are split over invoices changes the sum.
 * @param rules of the contract.
 */
function employeeShare(
  charge: UnsharedCharge & { readonly person: ChargedPerson },
  rules: readonly ContributionRule[],
): number | MissingShare {
  const { amount, before, beforeShare, source, person, costCenter, period } = charge
  const rule = contributionRuleOf(rules, { ...person, costCenter }, `${period}-01`)
  if (source === 'premium') {
    if (rule === null) return charge.employeeAmount ?? 'no-contribution-rule'
    return (
      employeeAmount(before + amount, rule, person.type) - (beforeShare ?? employeeAmount(before, rule, person.type))
    )
  }
  const share = rule?.coparticipationShare ?? null
  if (share !== null) return shareOf(amount, share)
  return charge.employeeAmount ?? 'no-coparticipation-share'
}

/** A charge of a person with what the employee pays of it. */
export interface SharedCharge extends Charge {
  readonly share: number | MissingShare | null
}

/** The charges with what employees pay of them; `share` is null where there is no person. */
export function withShares(
  charges: readonly UnsharedCharge[],
  rulesOf: (contractId: string) => readonly ContributionRule[],
): SharedCharge[] {
  return withoutRepetition(charges).map((unshared) => {
    const { before: _, beforeShare: __, costCenter: ___, ...charge } = unshared
    const { person } = charge
    const share = person === null ? null : employeeShare({ ...unshared, person }, rulesOf(charge.contractId))
    return { ...charge, share }
  })
}

export interface CostGroup {
  /** The cost center, or the id of the member or product; null: people without one, or who are no members here. */
  readonly key: string | null
  readonly name: string | null
  readonly isUnmatched: boolean
  readonly people: number
  readonly premium: number
  readonly coparticipation: number
  /** The group's part of what is charged without a person. */
  readonly allocated: number
  readonly total: number
  /** What employees pay of `premium` and `coparticipation`; null: not known for one of them. */
  readonly employeeAmount: number | null
}

interface Costs {
  readonly total: number
  /** What is charged without a person: fees and discounts. */
  readonly withoutPerson: number
  readonly groups: readonly CostGroup[]
}

/** The costs by group: their totals are the sum of the charges to the cent. Ordered by key, people without one and unknown people last. */
export function groupCosts(charges: readonly SharedCharge[], groupBy: AllocationGroup): Costs {
  const ofPeople = charges.filter(({ person, isUnmatched }) => person !== null || isUnmatched)
  const withoutPerson = sumOf(charges) - sumOf(ofPeople)
  const grouped = Map.groupBy(ofPeople, ({ person }) => (person === null ? unmatchedKey : keyOf(person, groupBy)))
  // An amount without any person is a group of its own: nothing is lost.
  if (grouped.size === 0 && withoutPerson !== 0) grouped.set(null, [])
  const groups = [...grouped.entries()].toSorted(([a], [b]) => compareKeys(a, b))
  const parts = allocate(
    withoutPerson,
    groups.map(([, group]) => sumOf(group)),
  )
  return {
    total: sumOf(charges),
    withoutPerson,
    groups: groups.map(([key, group], index) => groupOf(key, group, parts[index] ?? 0, groupBy)),
  }
}

const unmatchedKey = Symbol('unmatched')
type Key = string | null | typeof unmatchedKey

function keyOf(person: ChargedPerson, groupBy: AllocationGroup): string | null {
  switch (groupBy) {
    case 'cost-center':
      return person.costCenter
    case 'employee':
      return person.employeeMemberId
    case 'person':
      return person.memberId
    case 'product':
      return person.productId
    default:
      return groupBy satisfies never
  }
}

function nameOf(person: ChargedPerson, groupBy: AllocationGroup): string | null {
  switch (groupBy) {
    case 'cost-center':
      return person.costCenter
    case 'employee':
      return person.employeeName
    case 'person':
      return person.name
    case 'product':
      return person.productName
    default:
      return groupBy satisfies never
  }
}

const rankOf = (key: Key): number => (key === null ? 1 : key === unmatchedKey ? 2 : 0)
const compareKeys = (a: Key, b: Key): number =>
  rankOf(a) - rankOf(b) || (typeof a === 'string' && typeof b === 'string' ? Number(a > b) - Number(a < b) : 0)

function groupOf(key: Key, charges: readonly SharedCharge[], allocated: number, groupBy: AllocationGroup): CostGroup {
  const person = charges[0]?.person ?? null
  const premium = sumOf(charges.filter(({ source }) => source === 'premium'))
  const coparticipation = sumOf(charges) - premium
  const shares = charges.map(({ share }) => share)
  return {
    key: typeof key === 'string' ? key : null,
    name: person === null ? null : nameOf(person, groupBy),
    isUnmatched: key === unmatchedKey,
    people: new Set(charges.flatMap((charge) => charge.person?.memberId ?? [])).size,
    premium,
    coparticipation,
    allocated,
    total: premium + coparticipation + allocated,
    employeeAmount: shares.every((share) => typeof share === 'number')
      ? shares.reduce((sum, share) => sum + share, 0)
      : null,
  }
}

const sumOf = (charges: readonly { readonly amount: number }[]): number =>
  charges.reduce((sum, { amount }) => sum + amount, 0)
