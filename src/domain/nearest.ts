import type { Message } from './messages.ts'

/** The candidate that a misspelt word most likely stands for; null when none is near. */
export function nearest<T extends string>(word: string, candidates: readonly T[]): T | null {
  const sent = word.toLowerCase()
  let best: { readonly candidate: T; readonly distance: number } | null = null
  for (const candidate of candidates) {
    const limit = Math.min(Math.max(1, Math.floor(candidate.length / 3)), best === null ? Infinity : best.distance - 1)
    if (Math.abs(candidate.length - sent.length) > limit) continue
    const distance = editDistance(sent, candidate.toLowerCase())
    if (distance <= limit) best = { candidate, distance }
  }
  return best?.candidate ?? null
}

/** The message that suggests the nearest candidate; undefined when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): Message | undefined {
  const name = nearest(word, candidates)
  return name === null ? undefined : { key: 'did-you-mean', name }
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
