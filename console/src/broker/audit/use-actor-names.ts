import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { usePermission } from '../../session/use-permission.ts'

export interface ActorNames {
  /** Names of operators by client id. */
  readonly operators: ReadonlyMap<string, string>
  /** Names of the people of companies by client id, which is their person id. */
  readonly people: ReadonlyMap<string, string>
  /** Names of partners' clients by client id. */
  readonly clients: ReadonlyMap<string, string>
}

const none: ReadonlyMap<string, string> = new Map()
const staleMilliseconds = 300_000

async function namesOf<Id extends string>(
  list: AsyncIterable<{ readonly [Key in Id | 'name']: string }>,
  id: Id,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const one of list) names.set(one[id], one.name)
  return names
}

/** The names of those who act, as far as the role may list them. Removed operators and revoked clients are not among them. */
export function useActorNames(): ActorNames {
  const operators = useQuery({
    queryKey: ['listOperators', 'names'],
    queryFn: () => namesOf(api.operators.list(), 'client-id'),
    enabled: usePermission('listOperators'),
    staleTime: staleMilliseconds,
  })
  const clients = useQuery({
    queryKey: ['listClients', 'names'],
    queryFn: () => namesOf(api.clients.list(), 'client-id'),
    enabled: usePermission('listClients'),
    staleTime: staleMilliseconds,
  })
  const people = useQuery({
    queryKey: ['listPeople', 'names'],
    queryFn: () => namesOf(api.people.list(), 'person-id'),
    enabled: usePermission('listPeople'),
    staleTime: staleMilliseconds,
  })
  return { operators: operators.data ?? none, people: people.data ?? none, clients: clients.data ?? none }
}
