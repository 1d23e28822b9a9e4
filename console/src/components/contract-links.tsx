import type { ReactNode } from 'react'
import { contractNumber } from '../format/contract-number.ts'
import { TextLink } from './link.tsx'
import { Value } from './value.tsx'

interface OfContract {
  readonly 'company-tax-id': string
  readonly 'company-name': string
  readonly 'contract-id': string
  readonly 'contract-number': string
  readonly 'sub-contract': string
  readonly 'carrier-name'?: string
}

/** The company and the contract that something belongs to, as links to their pages: items of a context line. */
export const contractLinks = (one: OfContract): readonly ReactNode[] => [
  <TextLink to="/companies/$taxId" params={{ taxId: one['company-tax-id'] }} key="company">
    <Value>{one['company-name']}</Value>
  </TextLink>,
  <TextLink to="/carriers/contracts/$contractId" params={{ contractId: one['contract-id'] }} key="contract">
    <Value>{[one['carrier-name'], contractNumber(one)].filter(Boolean).join(' ')}</Value>
  </TextLink>,
]
