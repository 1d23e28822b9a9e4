import type { Form } from './person.ts'

/* What is written, in this tab of this browser only: telephones load a page again after the camera. */

/** @param key of the link. */
export function readDraft(key: string): Form | null {
  const text = sessionStorage.getItem(key)
  return text === null ? null : (JSON.parse(text) as Form)
}

/** @param form null: it was sent. */
export function keepDraft(key: string, form: Form | null): void {
  if (form === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(form))
}
