import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { removeAllKept } from '../forms/kept-storage.ts'

/** Ends the session; nothing that it has read stays. */
export function useSignOut() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api.session.end(),
    onSuccess: async () => {
      removeAllKept()
      await navigate({ to: '/sign-in' })
      queryClient.clear()
    },
  })
}
