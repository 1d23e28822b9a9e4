/** Inputs that letters are no text in. */
const withoutText: readonly string[] = ['checkbox', 'radio', 'button', 'submit']

/** Whether letters are written into the target of a key. */
export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !withoutText.includes(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select'))
}
