import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'

/**
 * Enter in a field that searches chooses what was found first. Pressed before the service has responded, it chooses what is found then, where that is
 * one only.
 * @param isSettled whether what was found is for what is typed.
 */
export function useEnterChooses(
  found: readonly string[],
  isSettled: boolean,
  choose: (id: string) => void,
): (event: KeyboardEvent<HTMLInputElement>) => void {
  const isWaiting = useRef(false)
  const end = useEffectEvent(() => {
    const [first, ...others] = found
    if (isWaiting.current && first !== undefined && others.length === 0) choose(first)
    isWaiting.current = false
  })
  useEffect(() => {
    if (isSettled) end()
  }, [isSettled])
  return (event) => {
    // With an option that is marked, Enter is that of the list.
    if (event.key !== 'Enter' || event.currentTarget.getAttribute('aria-activedescendant')) return
    event.preventDefault()
    const [first] = found
    if (!isSettled) isWaiting.current = true
    else if (first !== undefined) choose(first)
  }
}
