import type { Item } from '@vigencia/client'
import { useCompanyOperation } from './client.ts'

type Person = Item<'listMembers'>

/** The people with these CPFs whom the company has, by CPF. */
export function usePeople(taxIds: readonly string[]): ReadonlyMap<string, Person> {
  const unique = [...new Set(taxIds)].toSorted()
  const filter = unique.map((taxId) => `tax-id=${taxId}`).join('|')
  const query = useCompanyOperation(
    'listMembers',
    { query: { filter, 'include-inactive': true } },
    { enabled: unique.length > 0 },
  )
  return new Map((query.data?.result ?? []).map((person) => [person.profile['tax-id'], person]))
}
