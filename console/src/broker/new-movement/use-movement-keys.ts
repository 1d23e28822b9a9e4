import { useEffect, useEffectEvent } from 'react'
import { MOVEMENT_KINDS, type MovementKind } from '../../../../src/kernel/enums.ts'
import { isTyping } from '../../components/is-typing.ts'
import { useHasKeys } from '../../shell/use-page-keys.ts'

/** The keys of the page: `i`, `e` and `a` choose the kind, Alt+N begins the next movement, with Shift that of another intake. */
export function useMovementKeys(props: {
  readonly chooseKind: (kind: MovementKind) => void
  readonly next: () => void
  readonly nextIntake: () => void
}): void {
  const [hasKeys] = useHasKeys()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { altKey, ctrlKey, metaKey, shiftKey, code, key, target } = event
    if (event.defaultPrevented || ctrlKey || metaKey || document.querySelector('[role="dialog"]') !== null) return
    // With Alt, some keyboards write another letter.
    if (altKey && code === 'KeyN') {
      event.preventDefault()
      return shiftKey ? props.nextIntake() : props.next()
    }
    if (altKey || !hasKeys || isTyping(target)) return
    const kind = MOVEMENT_KINDS.find((one) => one.startsWith(key))
    if (kind === undefined) return
    event.preventDefault()
    props.chooseKind(kind)
  })
  useEffect(() => {
    const controller = new AbortController()
    document.addEventListener('keydown', press, { signal: controller.signal })
    return () => controller.abort()
  }, [])
}
