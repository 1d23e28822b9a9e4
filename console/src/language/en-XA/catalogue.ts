import { catalogue as english } from '../en/catalogue.ts'
import type { TextsOf } from '../texts-of.ts'

/*
 * The pseudo-locale: English in brackets and with accents, longer by a third. A test opens each page in it: a text without brackets is not in
 * a catalogue, one that is cut off has too little room.
 */
const accents: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', c: 'ç', n: 'ñ' }

function pseudo(text: string): string {
  const accented = text.replaceAll(/\{\{[^{}]*\}\}|[aeioucn]/g, (part) => accents[part] ?? part)
  return `⟦${accented}${'·'.repeat(Math.ceil(text.length / 3))}⟧`
}

/** The texts of the pseudo-locale. */
export function translate<T extends object>(texts: T): TextsOf<T> {
  const entries = Object.entries(texts).map(([key, text]: [string, string | object]) => [
    key,
    typeof text === 'string' ? pseudo(text) : translate(text),
  ])
  return Object.fromEntries(entries) as TextsOf<T>
}

export const catalogue: TextsOf<typeof english> = translate(english)
