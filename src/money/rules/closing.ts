/* The closing of a month of a company, and what is to be done before. */
import type { ClosingStatus, ClosingItem, ClosingItemState } from '#kernel/broker-enums.ts'
import type { InvoiceKind } from '#kernel/reconciliation.ts'

/** What the last comparison of a kind of file says; null: no file was compared. */
interface ComparedFile {
  readonly isComputed: boolean
  readonly openDiscrepancies: number
}

/** A contract in a month. */
interface ContractMonth {
  readonly roster: ComparedFile | null
  readonly invoice: ComparedFile | null
  readonly draftClaims: number
}

interface CountedInvoice {
  readonly 'file-id': string
  readonly 'invoice-kind': InvoiceKind
}

/** A contract in a month, with what the closing shows of it. */
export interface ListedMonth extends ContractMonth {
  readonly contractId: string
  readonly carrierName: string
  readonly contractNumber: string
  readonly subContract: string
  /** The invoices that count, in wire keys. Not in months that were closed before it was stored. */
  readonly invoices?: readonly CountedInvoice[]
  /** What its claims ask for. */
  readonly claimedTotal: number
  readonly carrierTotal: number | null
  readonly expectedTotal: number | null
  readonly discrepancy: number | null
}

type Checklist = Readonly<Record<ClosingItem, ClosingItemState>>

const stateOf = (file: ComparedFile | null): ClosingItemState =>
  file === null ? 'missing' : file.isComputed && file.openDiscrepancies === 0 ? 'done' : 'open'

/** The states of what is to be done for all contracts: the worst of each. */
export function checklistOf(contracts: readonly ContractMonth[], status: ClosingStatus): Checklist {
  const worst = (states: readonly ClosingItemState[]): ClosingItemState =>
    (['missing', 'open'] as const).find((state) => states.includes(state)) ?? 'done'
  const invoices = contracts.map((contract) => stateOf(contract.invoice))
  return {
    roster: worst(contracts.map((contract) => stateOf(contract.roster))),
    invoice: worst(invoices),
    claims: contracts.some((contract) => contract.draftClaims > 0) ? 'open' : 'done',
    allocation: invoices.includes('missing') ? 'missing' : 'done',
    payroll: status === 'exported' ? 'done' : 'open',
  }
}

/** What stands against closing without a reason. */
export function openItems(checklist: Checklist): ClosingItem[] {
  return (['roster', 'invoice', 'claims'] as const).filter((item) => checklist[item] !== 'done')
}
