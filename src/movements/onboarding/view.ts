import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { expectedCharge } from '#money/rules/expected-charge.ts'
import { maskCpf } from '#kernel/masking.ts'
import { firstDay } from '#money/rules/premium.ts'
import { missingOf, pricingOf, readContractPrices } from '#money/prices/pricing-queries.ts'
import { readProductSubject, readRulesInForce } from '#registry/requirements/queries.ts'
import { requirementsOf } from '#registry/requirements/requirements-of.ts'
import { type Invitation, readEmployeeView, readPlans } from './queries.ts'

/** What the page of the link shows: the products, with the documents that the employee and each kind of dependent need. */
export async function employeeView(sql: Sql, invitation: Invitation, today: LocalDate): Promise<object> {
  const found = await readEmployeeView(sql, invitation)
  const rules = await readRulesInForce(sql, today)
  const products = []
  for (const product of found?.products ?? []) {
    const subject = await readProductSubject(sql, invitation.companyTaxId, product['product-id'])
    const needs = (dependentType: string | null) =>
      requirementsOf(rules, {
        ...subject,
        movement: 'inclusion',
        beneficiaryType: dependentType === null ? 'primary' : 'dependent',
        dependentType,
        exclusionReason: null,
      }).map((need) => ({ 'dependent-type': dependentType, ...need }))
    const people = [null, ...product['allowed-dependent-types']]
    products.push({ ...product, requirements: subject === null ? [] : people.flatMap(needs) })
  }
  return { ...found?.view, 'tax-id': maskCpf(invitation.taxId), 'date-of-birth': invitation.dateOfBirth, products }
}

interface EmployeePrice {
  readonly 'product-id': string
  /** In cents; null: the contract has no price or no rule of contribution. */
  readonly amount: number | null
  /** The amounts of the dependents, in their order. */
  readonly 'dependent-amounts': readonly (number | null)[]
}

/** What the employee pays for a whole month of each product. @param datesOfBirth of dependents. */
export async function employeePrices(
  sql: Sql,
  invitation: Invitation,
  datesOfBirth: readonly LocalDate[],
  today: LocalDate,
): Promise<EmployeePrice[]> {
  const { companyId, products, admissionDate } = invitation
  const ids = products.map((product) => product['product-id'])
  const plans = await readPlans(sql, companyId, ids)
  const month = (admissionDate !== null && admissionDate > today ? admissionDate : today).slice(0, 7)
  const prices: EmployeePrice[] = []
  for (const productId of ids) {
    const plan = plans.find((plan) => plan.productId === productId)
    const found = plan === undefined ? null : await readContractPrices(sql, plan.contractId)
    const pricing = found === null || missingOf(found, month).length > 0 ? null : pricingOf(found, month)
    const amountOf = (type: 'primary' | 'dependent', dateOfBirth: LocalDate) =>
      pricing === null
        ? null
        : (expectedCharge(
            {
              benefitId: productId,
              type,
              dateOfBirth,
              startDate: firstDay(month),
              endDate: null,
              productId,
              planCode: plan?.planCode ?? null,
              costCenter: invitation.costCenter,
              jobTitle: invitation.jobTitle,
            },
            month,
            pricing,
          )?.employeeAmount ?? null)
    prices.push({
      'product-id': productId,
      amount: amountOf('primary', invitation.dateOfBirth),
      'dependent-amounts': datesOfBirth.map((date) => amountOf('dependent', date)),
    })
  }
  return prices
}
