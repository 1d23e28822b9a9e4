import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { sessionKey } from './session-key.ts'

/** The cache of what the service sent. A session that has ended, wherever that is noticed, empties the session. */
export function createQueryClient(): QueryClient {
  const noticeEnd = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) client.setQueryData(sessionKey, null)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnd }),
    mutationCache: new MutationCache({ onError: noticeEnd }),
    defaultOptions: {
      // The SDK repeats what is worth repeating.
      queries: { retry: false, staleTime: 10_000, gcTime: 300_000 },
      // Without a network a write fails at once: a paused one would be sent later, without a question.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
