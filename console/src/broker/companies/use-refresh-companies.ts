import { useQueryClient } from '@tanstack/react-query'

/** Reads again what shows a company that was changed. */
export function useRefreshCompanies() {
  const queryClient = useQueryClient()
  return () => {
    for (const id of ['readAnyCompany', 'searchCompanies', 'listCarriers']) {
      void queryClient.invalidateQueries({ queryKey: [id] })
    }
  }
}
