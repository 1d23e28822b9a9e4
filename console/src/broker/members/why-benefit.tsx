import { Text } from '@mantine/core'
import type { Benefit } from '../../entities/benefits/benefits.ts'
import { monthOfCharge } from '../../entities/charges/month-of-charge.ts'
import { WhyLink } from '../../entities/charges/why-link.tsx'
import { useContracts } from '../../entities/contracts/contract-options.ts'

/** The way to what the invoices of the contract of a benefit charge for it. */
export function WhyBenefit({ benefit }: { readonly benefit: Benefit }) {
  const contract = useContracts(benefit['company-tax-id']).find(({ plans }) =>
    plans.some((plan) => plan['product-id'] === benefit['product-id']),
  )
  if (contract === undefined) return null
  const of = { 'contract-id': contract['contract-id'], 'reference-month': monthOfCharge(benefit) }
  return (
    <Text component="div" size="sm" className="nowrap">
      <WhyLink of={of} line={{ 'benefit-id': benefit['benefit-id'], 'line-number': null }} />
    </Text>
  )
}
