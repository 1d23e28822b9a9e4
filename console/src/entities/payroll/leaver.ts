import { ApiError, type Result } from '@vigencia/client'
import { type Client, operationQuery } from '../../api/use-operation.ts'
import { present } from '../../lists/search.ts'

export type FinalBalance = Result<'readFinalBalance'>

/** What is written of an employee who leaves: the last day where no exclusion says it, and in cents what limits the deduction. */
export interface LeaverValues {
  readonly 'end-date': string | null
  readonly remuneration: number | null
  readonly 'other-compensation': number | null
}

export const noValues: LeaverValues = { 'end-date': null, remuneration: null, 'other-compensation': null }

/** The remuneration and the other compensations that are written. */
export const compensationOf = ({ remuneration, 'other-compensation': other }: LeaverValues) =>
  present<{ remuneration?: number; 'other-compensation'?: number }>({
    remuneration: remuneration ?? undefined,
    'other-compensation': other ?? undefined,
  })

interface Reading {
  readonly operation: 'readFinalBalance' | 'readCompanyFinalBalance'
  readonly path: readonly string[]
  readonly query?: { readonly 'company-tax-id': string }
  readonly client: Client
}

/** Reads what an employee still owes. */
export const balanceQuery = ({ operation, path, query, client }: Reading, values: LeaverValues) =>
  operationQuery(
    operation,
    { path, query: present({ ...query, ...compensationOf(values), 'end-date': values['end-date'] ?? undefined }) },
    client,
  )

/** Whether no exclusion ends the employment, so that the last day must be written. */
export const lacksLastDay = (error: Error | null): boolean =>
  error instanceof ApiError && error.details.some(({ field, code }) => field === 'end-date' && code === 'missing')
