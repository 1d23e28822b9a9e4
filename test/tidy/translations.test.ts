import { expect, test } from 'vitest'
import { describedFields, glossaryRows, MEANINGS } from '../../generate/glossary.ts'
import { sitePages } from '../../generate/pages.ts'
import { invalidValue } from '../../generate/offense-examples.ts'
import { DETAIL_CODES, ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import { ERROR_CODES } from '#kernel/error-codes.ts'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { importTemplate } from '#movements/rules/import-columns.ts'
import { INCLUSION_FIELDS, type InclusionField } from '#kernel/inclusion-fields.ts'
import { IMPORT_OFFENSES, OFFENSES } from '#kernel/offenses.ts'
import { PORTUGUESE, termOf } from '#kernel/texts/texts.ts'

const fields = [...describedFields().keys()]

const pages = sitePages()

/** Names without a row in a table of the page. */
function withoutRow(page: string, names: readonly string[]): string[] {
  const lines = (pages.get(page) ?? '').split('\n')
  const rows = new Set(lines.flatMap((line) => /^(?:\| \d{3} )?\| `([^`]+)` \|/.exec(line)?.[1] ?? []))
  return names.filter((name) => !rows.has(name))
}

test('every field and parameter of openapi.json has a term and a meaning in Portuguese, and the glossary has no others', () => {
  expect(fields.length).toBeGreaterThan(150)
  expect(Object.keys(PORTUGUESE.fields).toSorted()).toEqual(fields)
  expect(Object.keys(MEANINGS).toSorted()).toEqual(fields)
  expect(Object.values(PORTUGUESE.fields)).not.toContain('')
  const meanings = Object.values(MEANINGS).map((meaning) => meaning['pt-BR'])
  expect(meanings.filter((meaning) => !/^[A-ZÀ-Ú].*[.)]$/.test(meaning))).toEqual([])
})

test('no two fields have the same term, so that a message names one field', () => {
  const terms = Map.groupBy(fields, (name) => termOf(name) ?? '')
  expect([...terms.values()].filter((names) => names.length > 1)).toEqual([])
})

test('every field has a row in both glossaries, with a meaning', () => {
  for (const language of ['en', 'pt-BR'] as const) {
    expect(glossaryRows(language).filter(([, term, meaning]) => term === '' || meaning === '')).toEqual([])
  }
  expect(withoutRow('reference/glossary.md', fields)).toEqual([])
  expect(withoutRow('pt-BR/reference/glossary.md', [...fields, ...ENROLLMENT_STATUSES])).toEqual([])
})

test('every error code, detail code and offense has a row in both languages', () => {
  const offenses = [...OFFENSES, ...EXCLUSION_OFFENSES, ...ALTERATION_OFFENSES, ...IMPORT_OFFENSES]
  for (const folder of ['reference', 'pt-BR/reference']) {
    expect(withoutRow(`${folder}/errors.md`, [...ERROR_CODES, ...DETAIL_CODES])).toEqual([])
    expect(withoutRow(`${folder}/offenses.md`, offenses)).toEqual([])
  }
})

test('the Portuguese headers of an import are terms of the glossary', () => {
  const terms = new Set<string>(Object.values(PORTUGUESE.fields))
  const headers = importTemplate('pt-BR')
    .replace(/^\uFEFF/, '')
    .trim()
    .split(';')
  expect(headers.filter((header) => !terms.has(header))).toEqual([])
})

test.each(Object.keys(INCLUSION_FIELDS) as InclusionField[])('the example of invalid-%s is invalid', (field) => {
  const value = invalidValue(field) ?? 'x'.repeat(MAX_TEXT_CHARACTERS + 1)
  expect(INCLUSION_FIELDS[field].parse(value)).toBe(null)
})
