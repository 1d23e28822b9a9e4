import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { ResponseBody } from '@vigencia/client'
import { api } from '../../api/client.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { usePermission } from '../../session/use-permission.ts'

/** The service forgets after a minute. */
const repeatedMilliseconds = 25_000

/** Keeps the list of who has which movement open, while the page is visible. */
export function usePresenceOfOthers(): void {
  const enabled = usePermission('listPresence')
  useQuery({ ...operationQuery('listPresence'), enabled, refetchInterval: repeatedMilliseconds })
}

/** The names of the others who have a movement of the list open. */
export function usePresenceAt(enrollmentId: string): string {
  const { data = '' } = useQuery({
    ...operationQuery('listPresence'),
    // Kept by the page of the list, once for all rows.
    enabled: false,
    select: useCallback(
      ({ result }: ResponseBody<'listPresence'>) =>
        result
          .filter((one) => one['enrollment-id'] === enrollmentId)
          .map(({ name }) => name)
          .join(', '),
      [enrollmentId],
    ),
  })
  return data
}

/** Says that the movement is open here, while the page is visible. @returns the names of the others who have it open. */
export function useOwnPresence(enrollmentId: string): readonly string[] {
  const enabled = usePermission('putPresence')
  const { data } = useQuery({
    queryKey: ['putPresence', enrollmentId],
    queryFn: () => api.enrollments.putPresence(enrollmentId),
    enabled,
    refetchInterval: repeatedMilliseconds,
    staleTime: 0,
    gcTime: 0,
  })
  useEffect(() => {
    if (!enabled) return undefined
    // Also from a page that is closed.
    const leave = () => {
      const url = `/operator/v1/enrollment/${enrollmentId}/presence`
      void fetch(url, { method: 'DELETE', keepalive: true }).catch(() => undefined)
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [enabled, enrollmentId])
  return (data ?? []).map(({ name }) => name)
}
