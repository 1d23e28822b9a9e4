import { foldName } from './name.ts'

/** Fewest characters of a search. */
export const MIN_SEARCH_CHARACTERS = 3

/** A part of a text to search for. */
export interface SearchTerm {
  /** Trimmed, with the wildcards of LIKE escaped. */
  readonly text: string
  /** The digits of what may be a part of a CPF, formatted or not; null for any other text. */
  readonly digits: string | null
}

const ofTaxId = /^[\d.\s-]+$/

/** Parses the `q` of a list; null when fewer than three characters are left without the spaces around it, or nothing of which names consist. */
export function parseSearch(q: string): SearchTerm | null {
  const text = q.trim()
  if (Array.from(text).length < MIN_SEARCH_CHARACTERS || foldName(text) === '') return null
  const digits = ofTaxId.test(text) ? text.replaceAll(/\D/g, '') : ''
  return {
    text: text.replaceAll(/[\\%_]/g, '\\$&'),
    digits: digits.length >= MIN_SEARCH_CHARACTERS ? digits : null,
  }
}

/** SQL of a pattern for names and employee ids as `fold_name` makes them. @param text SQL of the text of a term. */
export const likeName = (text: string): string => `'%' || fold_name(${text}) || '%'`

/** SQL: a text has what is searched for in it; wildcards mean themselves. @param text SQL of the text, as `fold` or `lower` makes it. */
export const holdsText = (text: string, parameter: string): string => `strpos(${text}, fold(btrim(${parameter}))) > 0`

/** SQL of a pattern for other texts, in lower case. */
export const likeText = (text: string): string => `'%' || fold(${text}) || '%'`
