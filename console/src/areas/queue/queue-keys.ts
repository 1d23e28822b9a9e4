import { useEffect, useEffectEvent } from 'react'

/** What the keys of the queue do. */
export interface KeyActions {
  readonly next: () => void
  readonly previous: () => void
  readonly select: () => void
  readonly open: () => void
  readonly approve: () => void
  readonly reject: () => void
  readonly pending: () => void
  readonly toCarrier: () => void
  readonly assign: () => void
  readonly search: () => void
  readonly help: () => void
  readonly leave: () => void
}

/** The keys by what they do; the list of keys shows them. */
export const keys = [
  ['next', 'j'],
  ['previous', 'k'],
  ['select', 'x'],
  ['open', 'Enter'],
  ['approve', 'a'],
  ['reject', 'r'],
  ['pending', 'p'],
  ['toCarrier', 'c'],
  ['assign', 'm'],
  ['search', '/'],
  ['help', '?'],
  ['leave', 'Escape'],
] as const satisfies readonly (readonly [keyof KeyActions, string])[]

/** Inputs that letters are no text in. */
const withoutText: readonly string[] = ['checkbox', 'radio', 'button', 'submit']

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !withoutText.includes(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select'))
}

/** Whether Enter on the element does something else. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, input, summary, [role="menuitem"]') !== null
}

/** Listens to single keys while nothing is written and no dialog or menu is open. */
export function useQueueKeys(actions: KeyActions, isEnabled: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    // The key may just have closed the dialog that it was pressed in.
    if (event.target instanceof Node && !event.target.isConnected) return
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
    const [name] = keys.find(([, key]) => key === event.key || key === event.key.toLowerCase()) ?? []
    if (name === undefined || (name === 'open' && isControl(event.target))) return
    // The key must not be written into the field that it moves the focus to.
    event.preventDefault()
    actions[name]()
  })
  useEffect(() => {
    const controller = new AbortController()
    if (isEnabled) document.addEventListener('keydown', press, { signal: controller.signal })
    return () => controller.abort()
  }, [isEnabled])
}
