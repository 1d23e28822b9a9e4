/* What is written in forms, in the storage of this tab: nothing of it is sent before the form is. */

const prefix = 'vigencia-form '
const maxAgeMilliseconds = 7 * 24 * 3_600_000

/** What is kept of a form. */
export interface KeptDraft {
  readonly key: string
  readonly fields: Record<string, unknown>
  /** Whether something was kept before. */
  readonly isRecovered: boolean
  isDropped: boolean
}

/** What a tab stored under the key, unless it is too old. */
export function readStored(key: string): unknown {
  const text = sessionStorage.getItem(key)
  if (text === null) return null
  try {
    const { at, value } = JSON.parse(text) as { readonly at: number; readonly value: unknown }
    if (Date.now() - at < maxAgeMilliseconds) return value
  } catch {
    // Another version wrote it.
  }
  sessionStorage.removeItem(key)
  return null
}

/** A full storage keeps nothing: the form works without it. */
export function store(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ at: Date.now(), value }))
  } catch {
    sessionStorage.removeItem(key)
  }
}

export function readKept(key: string): KeptDraft {
  const fields = readStored(prefix + key)
  const isRecovered = typeof fields === 'object' && fields !== null
  return { key: prefix + key, fields: isRecovered ? { ...fields } : {}, isRecovered, isDropped: false }
}

export function keepField(draft: KeptDraft, field: string, value: unknown): void {
  if (draft.isDropped) return
  draft.fields[field] = value
  store(draft.key, draft.fields)
}

export function removeKept(draft: KeptDraft): void {
  draft.isDropped = true
  sessionStorage.removeItem(draft.key)
}

/** Drops what all forms keep: who signs in next must not see it. */
export function removeAllKept(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  }
}
