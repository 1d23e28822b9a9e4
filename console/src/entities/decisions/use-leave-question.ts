import { useEffect } from 'react'

/** The browser asks before it leaves the page, while `isAsked`. */
export function useLeaveQuestion(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAsked])
}
