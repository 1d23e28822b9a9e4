import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { usePermission } from '../../session/use-permission.ts'

export interface ActorNames {
  /** Names of operators by client id. */
  readonly operators: ReadonlyMap<string, string>
  /** Names of partners' clients by client id. */
  readonly clients: ReadonlyMap<string, string>
}

const none: ReadonlyMap<string, string> = new Map()
const staleMilliseconds = 300_000

async function namesOf(
  list: AsyncIterable<{ readonly 'client-id': string; readonly name: string }>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const { 'client-id': id, name } of list) names.set(id, name)
  return names
}

/** The names of those who act, as far as the role may list them. Removed operators and revoked clients are not among them. */
export function useActorNames(): ActorNames {
  const operators = useQuery({
    queryKey: ['listOperators', 'names'],
    queryFn: () => namesOf(api.operators.list()),
    enabled: usePermission('listOperators'),
    staleTime: staleMilliseconds,
  })
  const clients = useQuery({
    queryKey: ['listClients', 'names'],
    queryFn: () => namesOf(api.clients.list()),
    enabled: usePermission('listClients'),
    staleTime: staleMilliseconds,
  })
  return { operators: operators.data ?? none, clients: clients.data ?? none }
}
