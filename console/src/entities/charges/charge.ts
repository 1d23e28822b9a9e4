import type { Item } from '@vigencia/client'
import type { ComponentType, ReactNode } from 'react'

export type Charge = Item<'listCharges'>
export type Term = Charge['months'][number]['terms'][number]
export type Cause = Charge['causes'][number]
export type Movement = NonNullable<Cause['movement']>
export type ChargeDiscrepancy = Charge['discrepancies'][number]

type LinkOf<Props> = ComponentType<Props & { readonly children: ReactNode }>

/** The ways from a charge to what it is made of; of people who have no page for it: only the words. */
export interface ChargeLinks {
  readonly Movement: LinkOf<{ readonly movement: Movement }>
  readonly Discrepancy: LinkOf<{ readonly charge: Charge; readonly found: ChargeDiscrepancy }>
  readonly Claim: LinkOf<{ readonly claim: NonNullable<ChargeDiscrepancy['claim']> }>
  /** The price tables and the settings of the contract. */
  readonly Contract: LinkOf<{ readonly charge: Charge }>
  readonly Person: LinkOf<{ readonly memberId: string }>
}

/** The place of a charge in a list. */
export const idOf = (charge: Charge): string => charge['benefit-id'] ?? `line-${charge['line-number'] ?? charge.amount}`
