import { parseCpf } from '../domain/tax-id.ts'

/** The filter of a list: a person matches when one value of one field does. */
export interface MemberFilter {
  readonly taxIds: readonly string[]
  readonly costCenters: readonly string[]
  readonly employeeIds: readonly string[]
}

/**
 * Parses `field=value` terms joined by `|`. A term is split at its first `=`, so a value may contain others. Values are compared as sent,
 * CPFs unformatted.
 * @returns null for an unknown field, an empty value, a term without `=`, a malformed CPF, and NUL, which PostgreSQL cannot store.
 */
export function parseMemberFilter(text: string): MemberFilter | null {
  const found = { 'tax-id': new Set<string>(), 'cost-center': new Set<string>(), 'employee-id': new Set<string>() }
  if (text.includes('\0')) return null
  for (const term of text.split('|')) {
    const at = term.indexOf('=')
    const field = term.slice(0, Math.max(at, 0))
    const value = field === 'tax-id' ? parseCpf(term.slice(at + 1)) : term.slice(at + 1)
    if (!isField(field) || value === null || value === '') return null
    found[field].add(value)
  }
  return {
    taxIds: [...found['tax-id']],
    costCenters: [...found['cost-center']],
    employeeIds: [...found['employee-id']],
  }
}

function isField(field: string): field is 'tax-id' | 'cost-center' | 'employee-id' {
  return field === 'tax-id' || field === 'cost-center' || field === 'employee-id'
}
