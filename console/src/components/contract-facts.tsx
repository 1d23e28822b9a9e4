import { contractNumber } from '../format/contract-number.ts'
import { fact } from './fact-list.tsx'
import type { Facts } from './fact-list.tsx'
import { TextLink } from './link.tsx'
import { Value } from './value.tsx'

interface OfContract {
  readonly 'company-tax-id': string
  readonly 'company-name': string
  readonly 'contract-id': string
  readonly 'contract-number': string
  readonly 'sub-contract': string
}

/** The company and the contract that something belongs to, as links to their pages. */
export const contractFacts = (
  labels: { readonly company: string; readonly contract: string },
  one: OfContract,
): Facts => [
  fact(
    labels.company,
    <TextLink to="/companies/$taxId" params={{ taxId: one['company-tax-id'] }} size="md">
      <Value>{one['company-name']}</Value>
    </TextLink>,
  ),
  fact(
    labels.contract,
    <TextLink to="/carriers/contracts/$contractId" params={{ contractId: one['contract-id'] }} size="md">
      <Value>{contractNumber(one)}</Value>
    </TextLink>,
  ),
]
