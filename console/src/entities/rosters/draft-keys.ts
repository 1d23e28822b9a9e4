import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../../components/is-typing.ts'

/** What the keys of a draft do. */
export interface DraftKeyActions {
  readonly next: () => void
  readonly previous: () => void
  /** @param isRange with Shift: all up to the one that was selected last. */
  readonly select: (isRange: boolean) => void
  readonly confirm: () => void
  readonly discard: () => void
  readonly fill: () => void
  readonly help: () => void
  readonly leave: () => void
}

/** The keys by what they do; the list of keys shows them. */
export const draftKeys = [
  ['next', 'j'],
  ['previous', 'k'],
  ['select', 'x'],
  ['range', 'Shift X'],
  ['fill', 'Enter'],
  ['confirm', 'c'],
  ['discard', 'd'],
  ['help', '?'],
  ['leave', 'Escape'],
] as const

const actionOf = (key: string): keyof DraftKeyActions | undefined =>
  draftKeys.find(([name, one]) => name !== 'range' && (one === key || one === key.toLowerCase()))?.[0] as
    | keyof DraftKeyActions
    | undefined

const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('a, button, input, select, summary, [role="tab"]') !== null

/** Listens to single keys while nothing is written and no dialog is open. */
export function useDraftKeys(actions: DraftKeyActions, isEnabled: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    // The key may just have closed the dialog that it was pressed in.
    if (event.target instanceof Node && !event.target.isConnected) return
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
    const name = actionOf(event.key)
    if (name === undefined || (name === 'fill' && isControl(event.target))) return
    event.preventDefault()
    if (name === 'select') actions.select(event.shiftKey)
    else actions[name]()
  })
  useEffect(() => {
    const controller = new AbortController()
    if (isEnabled) document.addEventListener('keydown', press, { signal: controller.signal })
    return () => controller.abort()
  }, [isEnabled])
}
