import { MAX_KEY_LENGTH } from './field-types.ts'
import type { FieldError } from './fields.ts'
import type { Message } from './messages.ts'

/** The candidate that a misspelt word most likely stands for, or that it is the last part of (`salary` of `monthly-salary`); null when there is none. */
export function nearest<T extends string>(word: string, candidates: readonly T[]): T | null {
  const spelled = nearestSpelling(word, candidates)
  if (spelled !== null) return spelled
  const longer = candidates.filter((candidate) => candidate.endsWith(`-${word.toLowerCase()}`))
  return longer.length === 1 ? (longer[0] ?? null) : null
}

/** The candidate that a misspelt word most likely stands for; null when there is none. */
export function nearestSpelling<T extends string>(word: string, candidates: readonly T[]): T | null {
  const sent = word.toLowerCase()
  let best: { readonly candidate: T; readonly distance: number } | null = null
  for (const candidate of candidates) {
    const limit = Math.min(Math.max(1, Math.floor(candidate.length / 3)), best === null ? Infinity : best.distance - 1)
    if (Math.abs(candidate.length - sent.length) > limit) continue
    const distance = editDistance(sent, candidate.toLowerCase())
    if (distance <= limit) best = { candidate, distance }
  }
  return best === null ? null : best.candidate
}

/** The message that suggests the nearest candidate; undefined when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): Message | undefined {
  const name = nearest(word, candidates)
  return name === null ? undefined : { key: 'did-you-mean', name }
}

/** The error of a field that an object does not have, with the known field that was most likely meant. @param path what stands before the key. */
export function unknownField(key: string, known: readonly string[], path = ''): FieldError {
  const name = key.slice(0, MAX_KEY_LENGTH)
  const message = didYouMean(name, known)
  return { field: `${path}${name}`, code: 'unknown', ...(message !== undefined && { message }) }
}

/**
 * The error of a field that a body does not have, with the known field that was most likely meant: its own, or one of an object of the body, as a
 * path. @param inner the fields of that object, which may have been sent without it.
 */
export function unknownFieldOfBody(
  key: string,
  known: readonly string[],
  object: string,
  inner: readonly string[],
): FieldError {
  const meant = nearest(key, [...known, ...inner])
  const error = { field: key.slice(0, MAX_KEY_LENGTH), code: 'unknown' } as const
  if (meant === null) return error
  return { ...error, message: { key: 'did-you-mean', name: inner.includes(meant) ? `${object}.${meant}` : meant } }
}

/** Levenshtein distance, with two letters in the wrong order as one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
