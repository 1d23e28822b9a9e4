import { parseCpf } from '#kernel/tax-id.ts'

export const FILTER_FIELDS = ['tax-id', 'cost-center', 'employee-id'] as const

/** The filter of a list, unique values by field: a person matches when one value of one field does. */
export type MemberFilter = Readonly<Record<(typeof FILTER_FIELDS)[number], readonly string[]>>

/**
 * Parses `field=value` terms joined by `|`. A term is split at its first `=`, so a value may contain others. Values are compared as sent,
 * CPFs unformatted.
 * @returns null for an unknown field, an empty value, a term without `=`, a malformed CPF, and NUL, which PostgreSQL cannot store.
 */
export function parseMemberFilter(text: string): MemberFilter | null {
  if (text.includes('\0')) return null
  const found = { 'tax-id': new Set<string>(), 'cost-center': new Set<string>(), 'employee-id': new Set<string>() }
  for (const term of text.split('|')) {
    const field = FILTER_FIELDS.find((field) => term.startsWith(`${field}=`))
    if (field === undefined) return null
    const sent = term.slice(field.length + 1)
    const value = field === 'tax-id' ? parseCpf(sent) : sent
    if (value === null || value === '') return null
    found[field].add(value)
  }
  return {
    'tax-id': [...found['tax-id']],
    'cost-center': [...found['cost-center']],
    'employee-id': [...found['employee-id']],
  }
}
