import { readStored, store } from '../forms/kept-storage.ts'
import type { Form } from './person.ts'

/* What is written, in this tab of this browser only, for some days: telephones load a page again after the camera. */

/** @param key of the link. */
export const readDraft = (key: string): Form | null => readStored(key) as Form | null

/** @param form null: it was sent, or discarded. */
export function keepDraft(key: string, form: Form | null): void {
  if (form === null) sessionStorage.removeItem(key)
  else store(key, form)
}
