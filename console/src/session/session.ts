import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, type Result } from '@vigencia/client'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { sessionKey } from '../api/session-key.ts'
import { setBusinessDate } from '../format/date.ts'

export type Session = Result<'readSession'>

/** The session of the cookie; null when there is none. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async (): Promise<Session | null> => {
    try {
      return received(await api.session.read())
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** Puts a session that has just begun in the place of the former one. */
export function setSession(queryClient: QueryClient, session: Session): void {
  queryClient.setQueryData(sessionKey, received(session))
}

/** @param session as the service has sent it now. */
function received(session: Session): Session {
  setBusinessDate(session['business-date'])
  return session
}

/**
 * The session of the pages behind the sign-in. One that has ended is still that of the component: what was typed under the sign-in dialog stays
 * where it is.
 */
export function useSession(): Session | null {
  const { data = null } = useQuery(sessionQuery)
  const [last, setLast] = useState(data)
  if (data !== null && data !== last) setLast(data)
  return data ?? last
}

export function useHasSessionEnded(): boolean {
  return useQuery(sessionQuery).data === null
}
