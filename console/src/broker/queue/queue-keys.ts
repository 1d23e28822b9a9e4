import { useEffect, useEffectEvent, useRef } from 'react'
import { isTyping } from '../../components/is-typing.ts'

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

/** Whether Enter on the element does something else. */
function isControl(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.closest('a, button, input, summary, [role="menuitem"]') !== null
}

/** They act on rows. */
const moves: readonly (keyof KeyActions)[] = ['next', 'previous', 'select']
const needNoRow: readonly (keyof KeyActions)[] = ['search', 'help', 'leave']

/**
 * Listens to single keys while nothing is written and no dialog or menu is open.
 * @param isLoading whether the marked row, or the first page, is not there yet: what is pressed meanwhile is done then.
 */
export function useQueueKeys(actions: KeyActions, isEnabled: boolean, isLoading: boolean): void {
  const waiting = useRef<(keyof KeyActions)[]>([])
  useEffect(() => {
    if (isLoading) return
    const name = waiting.current.shift()
    if (name === undefined) return
    // Others were meant for the dialog or the page that this one opens.
    if (!moves.includes(name)) waiting.current = []
    actions[name]()
  })
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    // The key may just have closed the dialog that it was pressed in.
    if (event.target instanceof Node && !event.target.isConnected) return
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
    const [name] = keys.find(([, key]) => key === event.key || key === event.key.toLowerCase()) ?? []
    if (name === undefined || (name === 'open' && isControl(event.target))) return
    // The key must not be written into the field that it moves the focus to.
    event.preventDefault()
    // Enter opens the row then, not the menu or the box that was used before.
    if ((name === 'next' || name === 'previous') && isControl(event.target)) event.target.blur()
    if (isLoading && !needNoRow.includes(name)) waiting.current.push(name)
    else actions[name]()
  })
  useEffect(() => {
    const controller = new AbortController()
    if (isEnabled) document.addEventListener('keydown', press, { signal: controller.signal })
    return () => controller.abort()
  }, [isEnabled])
}
