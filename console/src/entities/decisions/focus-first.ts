/**
 * A ref that moves the focus to the element with `data-autofocus` as soon as it is in the document: the next key already goes there. Dialogs of
 * Mantine do it a moment later.
 */
export function focusFirst(element: HTMLElement | null): void {
  element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
}
