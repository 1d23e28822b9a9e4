import type { Month } from '#registry/rules/cut-off.ts'
import { expectedCharge, type Pricing } from '../rules/expected-charge.ts'
import type { ListedBenefit } from './pricing-queries.ts'

/** What is expected for a benefit in a month, in wire keys. */
export function expectedLine(benefit: ListedBenefit, pricing: Pricing, month: Month) {
  const expected = expectedCharge(benefit, month, pricing)
  return {
    'benefit-id': benefit.benefitId,
    'member-id': benefit.memberId,
    'member-name': benefit.memberName,
    'beneficiary-type': benefit.type,
    'employee-id': benefit.employeeId,
    'cost-center': benefit.costCenter,
    'product-id': benefit.productId,
    'carrier-plan-code': benefit.planCode,
    'start-date': benefit.startDate,
    'end-date': benefit.endDate,
    'price-table-id': expected?.table.id ?? null,
    category: expected?.premium.category ?? null,
    age: expected?.premium.age ?? null,
    price: expected?.premium.price ?? null,
    'covered-days': expected?.premium.coveredDays ?? null,
    amount: expected?.premium.amount ?? null,
    'contribution-rule-id': expected?.contributionRule?.id ?? null,
    'employee-amount': expected?.employeeAmount ?? null,
  }
}
