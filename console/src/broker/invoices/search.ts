import { INVOICE_STATUSES, type InvoiceStatus } from '../../../../src/kernel/enums.ts'

/** The filters of the list, under the names of the API. */
export interface InvoicesSearch {
  readonly status?: InvoiceStatus
  readonly 'company-tax-id'?: string
  readonly 'from-dt'?: string
  readonly 'until-dt'?: string
}

/** Text of the address; digits alone come as a number. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

const dateOf = (value: unknown) => (/^\d{4}-\d{2}-\d{2}$/.test(textOf(value) ?? '') ? textOf(value) : undefined)

export function invoicesSearchOf(raw: Readonly<Record<string, unknown>>): InvoicesSearch {
  const search = {
    status: INVOICE_STATUSES.find((status) => status === raw['status']),
    'company-tax-id': textOf(raw['company-tax-id']),
    'from-dt': dateOf(raw['from-dt']),
    'until-dt': dateOf(raw['until-dt']),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as InvoicesSearch
}

/** What the page of an invoice shows: its files, or the lines of the carrier's file. */
export interface InvoiceSearch {
  readonly view?: 'lines'
}

export const invoiceSearchOf = ({ view }: Readonly<Record<string, unknown>>): InvoiceSearch =>
  view === 'lines' ? { view } : {}
