import { api } from '../../api/client.ts'
import type { LeaverValues } from '../../entities/payroll/leaver.ts'

/** An employee who leaves, with what is written of the person. `name`: null where the address named the person. */
export interface LeaverOfList {
  readonly id: string
  readonly name: string | null
  readonly values: LeaverValues
}

/** How operators read what somebody still owes. */
export const readingOf = (taxId: string, memberId: string) =>
  ({ operation: 'readFinalBalance', path: [memberId], query: { 'company-tax-id': taxId }, client: api }) as const
