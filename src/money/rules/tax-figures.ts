/*
 * What an employer declares of a corporate health plan: eSocial S-1210 (`infoIRComplem/planSaude`, layout S-1.3), the natures 9219 and 9911,
 * and EFD-Reinf R-4010 (`ideOpSaude`). Figures, no XML: payroll sends it.
 */

/** What one person of an employee's family cost in a month, in cents, by the carrier's invoices. */
export interface FamilyCharge {
  /** The CNPJ of the carrier, or of the contract. null: not known. */
  readonly carrierTaxId: string | null
  readonly ansRegistration: string | null
  /** null: the employee's own cover. */
  readonly dependent: { readonly id: string; readonly taxId: string | null } | null
  /** Premium and co-participation, whoever pays. */
  readonly cost: number
  /** The part of it that the employee is charged; null: not known. */
  readonly employeeCost: number | null
}

/** What is missing for a declaration, in the order of the response. */
export const TAX_FIGURE_ERRORS = [
  'carrier-without-tax-id',
  'dependent-without-tax-id',
  'employee-amount-unknown',
] as const
type TaxFigureError = (typeof TAX_FIGURE_ERRORS)[number]

/** One `planSaude`: an employee, a month, a carrier. */
interface PlanFigures {
  readonly carrierTaxId: string | null
  readonly ansRegistration: string | null
  /** `vlrSaudeTit`, in cents: zero or more. */
  readonly employee: number
  /** `infoDepSau`: those with more than zero. */
  readonly dependents: readonly { readonly id: string; readonly taxId: string | null; readonly amount: number }[]
  readonly errors: readonly TaxFigureError[]
}

export interface EmployeeFigures {
  readonly plans: readonly PlanFigures[]
  /** Nature 9219, deducted: what the employee is charged. */
  readonly deducted: number
  /** Nature 9911, informative: the whole cost. */
  readonly wholeCost: number
}

/**
 * The figures of an employee and month; null when the employee was charged nothing: the employer pays all, and nothing is declared. A carrier
 * with several registrations at the ANS is declared once, with that of the plan with the highest amount; amounts below zero, of credits that
 * are larger than the month's charges, are zero.
 */
export function employeeFigures(charges: readonly FamilyCharge[]): EmployeeFigures | null {
  const deducted = employeeCostOf(charges)
  const isUnknown = charges.some(({ employeeCost }) => employeeCost === null)
  if (deducted <= 0 && !isUnknown) return null
  const byCarrier = Map.groupBy(charges, ({ carrierTaxId, ansRegistration }) => carrierTaxId ?? ansRegistration ?? '')
  const plans = [...byCarrier.values()]
    .map(planFigures)
    .filter(
      ({ employee, dependents, errors }) =>
        employee > 0 || dependents.length > 0 || errors.includes('employee-amount-unknown'),
    )
  return { plans, deducted, wholeCost: sum(charges.map(({ cost }) => cost)) }
}

function planFigures(charges: readonly FamilyCharge[]): PlanFigures {
  const own = charges.filter(({ dependent }) => dependent === null)
  const ofDependents = Map.groupBy(
    charges.filter(({ dependent }) => dependent !== null),
    ({ dependent }) => dependent?.id,
  )
  const dependents = [...ofDependents.values()]
    .map((group) => ({
      id: group[0]?.dependent?.id ?? '',
      taxId: group[0]?.dependent?.taxId ?? null,
      amount: employeeCostOf(group),
    }))
    .filter(({ amount }) => amount > 0)
  const carrierTaxId = charges[0]?.carrierTaxId ?? null
  const errors: TaxFigureError[] = []
  if (carrierTaxId === null) errors.push('carrier-without-tax-id')
  if (dependents.some(({ taxId }) => taxId === null)) errors.push('dependent-without-tax-id')
  if (charges.some(({ employeeCost }) => employeeCost === null)) errors.push('employee-amount-unknown')
  const employee = Math.max(employeeCostOf(own), 0)
  return { carrierTaxId, ansRegistration: highestRegistration(charges), employee, dependents, errors }
}

function highestRegistration(charges: readonly FamilyCharge[]): string | null {
  const registrations = [...Map.groupBy(charges, ({ ansRegistration }) => ansRegistration)]
    .map(([registration, group]) => ({ registration, amount: employeeCostOf(group) }))
    .filter(({ registration }) => registration !== null)
  return registrations.toSorted((a, b) => b.amount - a.amount)[0]?.registration ?? null
}

const employeeCostOf = (charges: readonly FamilyCharge[]): number =>
  sum(charges.map(({ employeeCost }) => employeeCost ?? 0))
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
