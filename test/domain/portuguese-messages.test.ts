import { describe, expect, test } from 'vitest'
import { DETAIL_EXPLANATIONS } from '../../src/domain/detail-codes.ts'
import { ENROLLMENT_STATUSES } from '../../src/domain/enums.ts'
import { explainTransition } from '../../src/domain/enrollment-status.ts'
import { ERROR_CODES } from '../../src/domain/error-codes.ts'
import { ALTERATION_OFFENSES } from '../../src/domain/alteration-offenses.ts'
import { EXCLUSION_OFFENSES } from '../../src/domain/exclusion-offenses.ts'
import { IMPORT_OFFENSES, OFFENSES } from '../../src/domain/offenses.ts'
import { PORTUGUESE_DETAILS } from '../../src/texts/portuguese-details.ts'
import { PORTUGUESE_ERRORS } from '../../src/texts/portuguese-errors.ts'
import { detailMessage, offenseMessage } from '../../src/texts/portuguese-messages.ts'
import { PORTUGUESE_OFFENSES } from '../../src/texts/portuguese-offenses.ts'
import { translateSentence } from '../../src/texts/portuguese-sentences.ts'
import { fileTypeOf, saveAsCsv } from '../../src/csv/file-signature.ts'
import { HeaderError, readImportHeader } from '../../src/imports/import-header.ts'
import { JsonError, parseJson } from '../../src/http/strict-json.ts'

const sentence = /^[A-ZÁÉÍÓÚÀÂÊÔÃÕÇ].*[.?]$/s

test('every offense, detail code and error code has sentences in Portuguese, and no others have', () => {
  const offenses = [
    ...new Set<string>([...OFFENSES, ...EXCLUSION_OFFENSES, ...ALTERATION_OFFENSES, ...IMPORT_OFFENSES]),
  ].toSorted()
  expect(Object.keys(PORTUGUESE_OFFENSES).toSorted()).toEqual(offenses)
  expect(Object.keys(PORTUGUESE_DETAILS).toSorted()).toEqual(Object.keys(DETAIL_EXPLANATIONS).toSorted())
  expect(Object.keys(PORTUGUESE_ERRORS).toSorted()).toEqual(ERROR_CODES)
  const all = [PORTUGUESE_OFFENSES, PORTUGUESE_DETAILS, PORTUGUESE_ERRORS].flatMap((table) => Object.entries(table))
  expect(all.filter(([, text]) => !sentence.test(text))).toEqual([])
})

test('the message of an offense names the field by its term, wherever it stands', () => {
  expect(offenseMessage('invalid-name', 'name')).toContain('“Nome”')
  expect(offenseMessage('invalid-exclusion-details', 'exclusion-details.exclusion-reason')).toContain(
    '“Motivo da exclusão”',
  )
  expect(offenseMessage('invalid-exclusion-details', 'exclusion-details.constructor')).toContain('“constructor”')
  expect(detailMessage({ code: 'missing', field: 'members[3].items[0]' })).toBe('Preencha o campo “Itens”.')
})

describe('no English is left in the message of a detail', () => {
  test.each(ENROLLMENT_STATUSES)('of the transitions of %s', (from) => {
    for (const to of ENROLLMENT_STATUSES) {
      for (const allowed of [[], ['completed', 'pending-documents']]) {
        const translated = translateSentence(explainTransition(from, to, allowed))
        expect(translated).toMatch(/^Ela (já )?está .*\.$/)
        expect(translated).not.toMatch(/-|completed|created|rejected|cancelled|scheduled/)
      }
    }
  })

  test.each(['[1,]', '"\\u0000"', '"\\ud800"', '{"__proto__":1}', '['.repeat(65) + ']'.repeat(65)])(
    'of the body %s',
    (body) => {
      try {
        parseJson(Buffer.from(body))
        throw new Error('the body was read')
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError)
        expect(translateSentence((error as JsonError).detail.message ?? '')).toMatch(sentence)
      }
    },
  )

  test.each(['a;b', 'CPF;CPF', '{"a":1}', '"a', ';;', 'maria@empresa.com.br;1'])(
    'of the header of a file %s',
    (line) => {
      try {
        readImportHeader(line)
        throw new Error('the header was read')
      } catch (error) {
        expect(error).toBeInstanceOf(HeaderError)
        for (const { message = '' } of (error as HeaderError).details) {
          const translated = translateSentence(message)
          expect(translated).toMatch(sentence)
          expect(translated).not.toMatch(/column|line\b|found|seems/i)
        }
      }
    },
  )

  test.each([
    [[0x50, 0x4b, 3, 4]],
    [[0xd0, 0xcf, 0x11, 0xe0]],
    [[0x25, 0x50, 0x44, 0x46]],
    [[0x1f, 0x8b]],
    [[0xff, 0xfe]],
  ])('of a file that begins with the bytes %j', (bytes) => {
    const type = fileTypeOf(Buffer.from(bytes))
    const translated = translateSentence(`The file is ${type}. ${saveAsCsv}`)
    expect(translated).toMatch(/^O arquivo é .* Salve-o como CSV/)
    expect(translated).not.toContain(type)
  })

  test.each([
    'Must be >= 1.',
    'Must be <= 500.',
    'Must be integer.',
    'Must be either string or null.',
    'Must not have fewer than 1 characters.',
    'Must not have more than 200 items.',
    'Must be a date that exists, as YYYY-MM-DD.',
    'Must be a UUID.',
    'This operation takes no query parameters.',
  ])('of the limit %s', (message) => {
    expect(translateSentence(message)).toMatch(sentence)
    expect(translateSentence(message)).not.toMatch(/must|have|string|integer|takes/i)
  })
})
