import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { notifyDone } from '../../components/notify.ts'

/** Tells what was done to the prices or contributions of a contract, and leads back to its page. */
export function useBackToContract(contractId: string, hash: 'prices' | 'contributions') {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async (message: string) => {
    notifyDone(message)
    // First: what is deleted cannot be read again.
    await navigate({ to: '/carriers/contracts/$contractId', params: { contractId }, hash, ignoreBlocker: true })
    void queryClient.invalidateQueries()
  }
}
