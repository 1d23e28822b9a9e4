import type { Message } from '#kernel/messages.ts'
import { hasVisible } from '#kernel/person-text.ts'
import type { CellCode, ItemProblem } from './types.ts'

/** What a problem says of its field and column, and what to do. */
export function problemMessage({ code, field, column, character = '' }: ItemProblem): Message {
  if (code === 'not-representable') return { key: 'item-not-representable', field, column, character: named(character) }
  return { key: `item-${code}`, field, column }
}

/** A character with its code point, such as `Ł (U+0141)`; an invisible one is the code point alone. */
function named(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{C}\p{Z}\p{M}]/u.test(character) || !hasVisible(character) ? code : `${character} (${code})`
}

/** What is wrong with a cell of a carrier's file. */
export function cellMessage({ code, column }: { readonly code: CellCode; readonly column: string }): Message {
  switch (code) {
    case 'no-record':
    case 'malformed':
    case 'too-long':
      return { key: `cell-${code}` }
    case 'missing':
    case 'invalid':
    case 'no-code':
      return { key: `cell-${code}`, column }
    default:
      return code satisfies never
  }
}
