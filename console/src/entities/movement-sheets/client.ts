import type { Download, LinesOptions, Query, RequestOptions, Result } from '@vigencia/client'
import { createContext, useContext } from 'react'
import type { Profile } from '../../tables/profile.ts'

/** What spreadsheets of movements call to be read, beside the `MovementClient` to which they are sent. */
export interface TableClient {
  readonly read: (file: File, query: Query<'readTable'>, options: LinesOptions) => Promise<Result<'readTable'>>
  readonly workbook: (file: File, query: Query<'readTable'>) => Promise<Download>
  readonly template: (query: Query<'readTableTemplate'>, options: RequestOptions) => Promise<Download>
  readonly columnProfile: (companyTaxId: string, options: RequestOptions) => Promise<Profile>
  readonly putColumnProfile: (companyTaxId: string, profile: Profile) => Promise<Profile>
}

const TableClientContext = createContext<TableClient | null>(null)

export const TableClientProvider = TableClientContext.Provider

export function useTableClient(): TableClient {
  const client = useContext(TableClientContext)
  if (client === null) throw new Error('The page gives no client')
  return client
}
