import { useNavigate, useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Which of the movements that are typed one after the other. */
    movement?: number
  }
}

/** Leads to a new movement: from the page of a person or a company it is of them, and after another one of the same company. */
export function useNewMovement(): () => Promise<void> {
  const router = useRouter()
  const navigate = useNavigate()
  return () => {
    const { location, matches } = router.state
    const { memberId, taxId }: { readonly memberId?: string; readonly taxId?: string } = matches.at(-1)?.params ?? {}
    const { company }: { readonly company?: string } = location.search
    return navigate({
      to: '/movements/new',
      search: {
        ...(location.pathname.startsWith('/members/') && memberId !== undefined && { person: memberId }),
        ...(location.pathname.startsWith('/companies/') && taxId !== undefined && { company: taxId }),
        ...(location.pathname.startsWith('/movements/') && company !== undefined && { company }),
      },
      state: { movement: (location.state.movement ?? 0) + 1 },
    })
  }
}
