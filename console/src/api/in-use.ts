/** Longer than what loads because of an input. */
const inUseMilliseconds = 60_000

let lastInput = performance.now()
for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove']) {
  addEventListener(type, () => (lastInput = performance.now()), { capture: true, passive: true })
}

/** Whether a person does something in the page. Else what it requests, to refresh itself, does not prolong the session. */
export function isInUse(): boolean {
  return performance.now() - lastInput < inUseMilliseconds
}
