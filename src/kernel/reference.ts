import { fieldType, hasAtMostCharacters } from './fields.ts'
import type { FieldType } from './fields.ts'
import { fitsLines, unfitForLines } from './name.ts'
import { parseCpf } from './tax-id.ts'

/** Longest reference, in characters. */
export const MAX_REFERENCE_CHARACTERS = 100
const bounds = { type: 'string', maxLength: MAX_REFERENCE_CHARACTERS, not: { type: 'string', pattern: unfitForLines } }
const POSSIBLE_CPF = /(?<!\d)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)/g

/** The client's own name for a request or a movement. It is shown in events, so it must not hold a CPF. */
export const reference: FieldType<string> = fieldType(
  { ...bounds, minLength: 1 },
  { key: 'rule-reference', limit: MAX_REFERENCE_CHARACTERS },
  (value) => {
    const trimmed = typeof value === 'string' ? value.trim() : ''
    const fits = trimmed !== '' && hasAtMostCharacters(trimmed, MAX_REFERENCE_CHARACTERS) && fitsLines(trimmed)
    return fits && !holdsCpf(trimmed) ? trimmed : null
  },
  bounds,
)

/** Whether a text has a CPF. */
export function holdsCpf(text: string): boolean {
  return (text.match(POSSIBLE_CPF) ?? []).some((found) => parseCpf(found.replaceAll(/\D/g, '')) !== null)
}
