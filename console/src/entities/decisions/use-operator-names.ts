import { useMemo } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { usePermission } from '../../session/use-permission.ts'
import { useSession } from '../../session/session.ts'

/** The operators, where the role may list them. */
export function useOperators() {
  const isPermitted = usePermission('listOperators')
  return useOperation('listOperators', { query: { 'items-per-page': 500 } }, { enabled: isPermitted }).data?.result
}

/** Finds the name of an operator by the client id; the id itself where the name is not known. */
export function useOperatorNames(): (clientId: string) => string {
  const session = useSession()
  const operators = useOperators()
  return useMemo(() => {
    const names = new Map(operators?.map((one) => [one['client-id'], one.name]))
    if (session !== null) names.set(session['client-id'], session.name)
    return (clientId: string) => names.get(clientId) ?? clientId
  }, [operators, session])
}
