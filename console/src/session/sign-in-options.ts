import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'

/** The environment and the identity provider, which do not change while the service runs. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => api.session.options(),
  staleTime: Infinity,
})
