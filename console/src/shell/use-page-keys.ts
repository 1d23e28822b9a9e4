import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { isTyping } from './is-typing.ts'

/** Whether single keys act: the list of keys switches them off (WCAG 2.1.4). */
export function useHasKeys() {
  return useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
}

/** The keys of every page, where the page itself does nothing else with them: `/` leads to its search field, `?` shows the list of keys. */
export function usePageKeys(onSearch: () => void, onHelp: () => void): void {
  const [isEnabled] = useHasKeys()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    if (!isEnabled || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (key !== '/' && key !== '?') return
    if (isTyping(target)) return
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
    event.preventDefault()
    if (key === '?') return onHelp()
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
