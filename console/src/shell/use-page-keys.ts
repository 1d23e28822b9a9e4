import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../components/is-typing.ts'

/** Whether single keys act: the list of keys switches them off (WCAG 2.1.4). */
export function useHasKeys() {
  return useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
}

/**
 * The keys of every page, where the page itself does nothing else with them: `/` leads to its search field, `?` shows the list of keys, `n` begins a
 * movement.
 * @param onNew null: who is signed in requests no movements.
 */
export function usePageKeys(onSearch: () => void, onHelp: () => void, onNew: (() => void) | null): void {
  const [isEnabled] = useHasKeys()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    if (!isEnabled || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (key !== '/' && key !== '?' && (key !== 'n' || onNew === null)) return
    if (isTyping(target)) return
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
    event.preventDefault()
    if (key === '?') return onHelp()
    if (key === 'n') return onNew?.()
    const field = document.querySelector<HTMLInputElement>('#content input[type="search"]')
    if (field === null) onSearch()
    else field.select()
  })
  useEffect(() => {
    const controller = new AbortController()
    // After those of the page, which listens to the document.
    addEventListener('keydown', press, { signal: controller.signal })
    return () => controller.abort()
  }, [])
}
