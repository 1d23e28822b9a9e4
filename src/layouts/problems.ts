import type { Message } from '../domain/messages.ts'
import type { CellCode, ItemProblem } from './types.ts'

/** What a problem says of its field and column, and what to do. */
export function problemMessage({ code, field, column }: ItemProblem): Message {
  return { key: `item-${code}`, field, column }
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
