import { MAIL_FREQUENCIES, MAIL_KINDS, MAIL_STATUSES } from '#kernel/mail.ts'
import { describe, expect, test } from 'vitest'
import {
  REQUEST_MEDIA,
  SUBJECT_REQUEST_KINDS,
  SUBJECT_REQUEST_STATUSES,
  CHARGE_BASES,
  CLAIM_STATUSES,
  CLOSING_ACTS,
  CLOSING_ITEM_STATES,
  CLOSING_ITEMS,
  CLOSING_STATUSES,
  CONTRACT_CHANNELS,
  CONTRACT_LIVES,
  CONTRACT_STATUSES,
  ITEM_STATUSES,
  SHIPMENT_STATUSES,
} from '#kernel/broker-enums.ts'
import {
  DRAFT_APPROVALS,
  DRAFT_CLASSES,
  DRAFT_CLOSED_BECAUSE,
  DRAFT_ITEM_STATUSES,
  DRAFT_STATUSES,
} from '#kernel/movement-drafts.ts'
import {
  ROSTER_DOUBTS,
  ROSTER_EXPLANATIONS,
  ROSTER_PROBLEMS,
  ROSTER_STATES,
  ROSTER_STATUSES,
} from '#kernel/roster-syncs.ts'
import { CAUSES, DETAILS } from '#kernel/texts/explain.ts'
import * as enums from '#kernel/enums.ts'
import {
  DETAIL_CODES,
  ENROLLMENT_STATUSES,
  INVOICE_FILE_STATUSES,
  INVOICE_FILE_TYPES,
  INVOICE_STATUSES,
} from '#kernel/enums.ts'
import { explainTransition } from '#coverage/rules/enrollment-status.ts'
import { ERROR_CODES } from '#kernel/error-codes.ts'
import { EVENT_TYPES } from '#kernel/events.ts'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import { INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import {
  FIELD_FORMATS,
  JSON_TYPES,
  type Message,
  type MessageKey,
  MESSAGES,
  WRONG_FILE_TYPES,
} from '#kernel/messages.ts'
import { type AnyOffense, IMPORT_OFFENSES, OFFENSES } from '#kernel/offenses.ts'
import { ALTERATION_WARNINGS, INCLUSION_WARNINGS } from '#kernel/warnings.ts'
import { fileTypeOf } from '#platform/tables/file-signature.ts'
import { importColumns, readHeader } from '#movements/imports/import-header.ts'
import { TABLES } from '#movements/rules/table-columns.ts'
import { CsvRecords } from '#platform/tables/records.ts'
import { TableError } from '#platform/tables/table-error.ts'
import { TextLines } from '#platform/tables/text-lines.ts'
import { JsonError, parseJson } from '#platform/http/strict-json.ts'
import { detailMessage, englishOf, offenseMessage, sentenceOf } from '#kernel/texts/messages.ts'
import { explainOffense } from '#kernel/texts/offenses.ts'
import {
  CARRIER_FILE_KINDS,
  CARRIER_FILE_STATUSES,
  DISCREPANCY_CLASSES,
  DISCREPANCY_STATUSES,
  ENTRY_TYPES,
  EXPLANATIONS,
  INVOICE_KINDS,
  MATCHED_BY,
  RECONCILIATION_STATUSES,
} from '#kernel/reconciliation.ts'
import { ENGLISH, LANGUAGES, PORTUGUESE, type Terms, TEXTS } from '#kernel/texts/texts.ts'

const sentence = /^[A-ZÁÉÍÓÚÀÂÊÔÃÕÇ].*[.?]$/s
const keysOf = (table: object) => Object.keys(table).toSorted()
const sorted = (codes: readonly string[]) => [...new Set(codes)].toSorted()
const offenses = [...OFFENSES, ...EXCLUSION_OFFENSES, ...ALTERATION_OFFENSES, ...IMPORT_OFFENSES] as const

const terms: Readonly<Record<keyof Terms, readonly string[]>> = {
  status: enums.ENROLLMENT_STATUSES,
  type: enums.MOVEMENT_KINDS,
  alterationKind: enums.ALTERATION_KINDS,
  actor: enums.ACTOR_KINDS,
  role: enums.PERSON_ROLES,
  personStatus: enums.PERSON_STATUSES,
  requestStatus: enums.REQUEST_STATUSES,
  partStatus: enums.PART_STATUSES,
  benefitStatus: enums.BENEFIT_STATUSES,
  beneficiaryType: enums.BENEFICIARY_TYPES,
  productType: enums.PRODUCT_TYPES,
  dependentType: enums.DEPENDENT_TYPES,
  gender: enums.GENDERS,
  maritalStatus: enums.MARITAL_STATUSES,
  continuationOption: enums.CONTINUATION_OPTIONS,
  workContractType: enums.WORK_CONTRACT_TYPES,
  startOption: enums.START_OPTIONS,
  exclusionReason: enums.EXCLUSION_REASONS,
  secondCardReason: enums.SECOND_CARD_REASONS,
  scheduledReason: enums.SCHEDULED_REASONS,
  documentType: enums.DOCUMENT_TYPES,
  invoiceStatus: INVOICE_STATUSES,
  invoiceFileStatus: INVOICE_FILE_STATUSES,
  invoiceFileType: INVOICE_FILE_TYPES,
  importStatus: enums.IMPORT_STATUSES,
  contractStatus: CONTRACT_STATUSES,
  contractLives: CONTRACT_LIVES,
  contractChannel: CONTRACT_CHANNELS,
  shipmentStatus: SHIPMENT_STATUSES,
  shipmentItemStatus: ITEM_STATUSES,
  discrepancyClass: DISCREPANCY_CLASSES,
  discrepancyStatus: DISCREPANCY_STATUSES,
  explanation: EXPLANATIONS,
  invoiceKind: INVOICE_KINDS,
  carrierFileKind: CARRIER_FILE_KINDS,
  carrierFileStatus: CARRIER_FILE_STATUSES,
  matchedBy: MATCHED_BY,
  requestMedium: REQUEST_MEDIA,
  subjectRequestKind: SUBJECT_REQUEST_KINDS,
  subjectRequestStatus: SUBJECT_REQUEST_STATUSES,
  draftStatus: DRAFT_STATUSES,
  draftClosedBecause: DRAFT_CLOSED_BECAUSE,
  draftClass: DRAFT_CLASSES,
  draftItemStatus: DRAFT_ITEM_STATUSES,
  draftApproval: DRAFT_APPROVALS,
  rosterState: ROSTER_STATES,
  rosterStatus: ROSTER_STATUSES,
  rosterDoubt: ROSTER_DOUBTS,
  rosterProblem: ROSTER_PROBLEMS,
  rosterExplanation: ROSTER_EXPLANATIONS,
  mailKind: MAIL_KINDS,
  mailStatus: MAIL_STATUSES,
  mailFrequency: MAIL_FREQUENCIES,
  reconciliationStatus: RECONCILIATION_STATUSES,
  entryType: ENTRY_TYPES,
  chargeBasis: CHARGE_BASES,
  claimStatus: CLAIM_STATUSES,
  closingStatus: CLOSING_STATUSES,
  closingAct: CLOSING_ACTS,
  closingItem: CLOSING_ITEMS,
  closingItemState: CLOSING_ITEM_STATES,
}

describe('every code has words in both languages, and nothing else has', () => {
  test.each(LANGUAGES)('%s', (language) => {
    const texts = TEXTS[language]
    expect(keysOf(texts.errors)).toEqual(ERROR_CODES)
    expect(keysOf(texts.messages)).toEqual(keysOf(MESSAGES))
    expect(keysOf(texts.warnings)).toEqual([...new Set([...ALTERATION_WARNINGS, ...INCLUSION_WARNINGS])].toSorted())
    expect(keysOf(texts.formats)).toEqual(sorted(FIELD_FORMATS))
    expect(keysOf(texts.types)).toEqual(sorted(JSON_TYPES))
    expect(keysOf(texts.files)).toEqual(sorted(WRONG_FILE_TYPES))
    expect(keysOf(texts.terms)).toEqual(keysOf(terms))
    for (const [name, values] of Object.entries(terms)) {
      expect(keysOf(texts.terms[name as keyof typeof terms])).toEqual(sorted(values))
    }
    const empty = Object.values(texts).flatMap((table) => Object.values(table as object).filter((text) => text === ''))
    expect(empty).toEqual([])
  })

  test('details, offenses, statuses and events', () => {
    expect(keysOf(PORTUGUESE.details)).toEqual(sorted(DETAIL_CODES))
    expect(keysOf(DETAILS)).toEqual(sorted(DETAIL_CODES))
    expect(keysOf(CAUSES)).toEqual(ERROR_CODES)
    expect(keysOf(PORTUGUESE.rules)).toEqual(keysOf(INCLUSION_FIELDS))
    expect(keysOf(ENGLISH.events)).toEqual(sorted(EVENT_TYPES))
    const ofFields = new Set(keysOf(INCLUSION_FIELDS).map((field) => `invalid-${field}`))
    expect(keysOf(PORTUGUESE.offenses)).toEqual(sorted(offenses.filter((code) => !ofFields.has(code))))
    expect(keysOf(ENGLISH['exclusion-offenses'])).toEqual(EXCLUSION_OFFENSES)
    expect(keysOf(ENGLISH['alteration-offenses'])).toEqual(ALTERATION_OFFENSES)
    expect(keysOf(ENGLISH['import-offenses'])).toEqual(IMPORT_OFFENSES)
  })
})

test('every error, detail and offense is a sentence in Portuguese, with the term of its field', () => {
  const texts = [...Object.values(PORTUGUESE.errors), ...Object.values(PORTUGUESE.details)]
  expect(texts.filter((text) => !sentence.test(text))).toEqual([])
  const messages = offenses.map((code: AnyOffense) => offenseMessage(code, 'name'))
  expect(messages.filter((text) => !sentence.test(text) || /[{}]|undefined/.test(text))).toEqual([])
})

test('every offense of an inclusion is explained in English', () => {
  const texts = OFFENSES.flatMap((code) => Object.values(explainOffense(code)))
  expect(texts.filter((text) => !/^[A-Z\d`].*[.]$/s.test(text))).toEqual([])
})

test.each(Object.keys(MESSAGES) as MessageKey[])('the sentences of %s use the parameters that it has', (key) => {
  const used = (text: string) => sorted([...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name))
  expect(used(ENGLISH.messages[key] ?? '')).toEqual(keysOf(MESSAGES[key]))
  const portuguese = PORTUGUESE.messages[key]
  if (portuguese !== null) expect(used(portuguese)).toEqual(keysOf(MESSAGES[key]))
})

test('the message of an offense names the field by its term, wherever it stands', () => {
  expect(offenseMessage('invalid-name', 'name')).toContain('“Nome”')
  expect(offenseMessage('invalid-exclusion-details', 'exclusion-details.exclusion-reason')).toContain(
    '“Motivo da exclusão”',
  )
  expect(offenseMessage('invalid-exclusion-details', 'exclusion-details.constructor')).toContain('“constructor”')
  expect(detailMessage({ code: 'missing', field: 'members[3].items[0]' }, 'pt-BR')).toBe('Preencha o campo “Itens”.')
  expect(detailMessage({ code: 'missing', field: 'name' }, 'en')).toBe(null)
})

test('a parameter is not taken for a template', () => {
  const message = { key: 'column-missing', column: '{header}', header: '$&', found: { key: 'columns-empty' } } as const
  expect(englishOf(message)).toBe('The first line has no column {header} ($&). It is empty.')
})

describe('no English is left in the message of a detail', () => {
  const inPortuguese = (message: Message | undefined) => (message === undefined ? null : sentenceOf(message, 'pt-BR'))

  test.each(ENROLLMENT_STATUSES)('of the transitions of %s', (from) => {
    for (const to of ENROLLMENT_STATUSES) {
      for (const allowed of [[], ['completed', 'pending-documents']] as const) {
        const translated = inPortuguese(explainTransition(from, to, allowed))
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
        expect(inPortuguese((error as JsonError).detail.message)).toMatch(sentence)
      }
    },
  )

  test.each(['a;b', 'CPF;CPF', '{"a":1}', '"a', ';;', 'maria@empresa.com.br;1'])(
    'of the header of a file %s',
    (line) => {
      try {
        readHeader(new CsvRecords(new TextLines(line, 1_000), 1_000), importColumns, TABLES.import)
        throw new Error('the header was read')
      } catch (error) {
        expect(error).toBeInstanceOf(TableError)
        for (const { message } of (error as TableError).details) {
          const translated = inPortuguese(message)
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
    const file = fileTypeOf(Buffer.from(bytes))
    if (file === null) throw new Error('the file was taken')
    const translated = sentenceOf({ key: 'wrong-file', file }, 'pt-BR')
    expect(translated).toMatch(/^O arquivo é .* Salve-o como CSV/)
    expect(translated).not.toContain(ENGLISH.files[file])
  })

  test.each<[Message, string]>([
    [{ key: 'minimum', limit: 1 }, 'Must be >= 1.'],
    [{ key: 'maximum', limit: 10_000 }, 'Must be <= 10000.'],
    [{ key: 'type', types: ['integer'] }, 'Must be integer.'],
    [{ key: 'type', types: ['string', 'null'] }, 'Must be either string or null.'],
    [{ key: 'min-characters', limit: 1 }, 'Must not have fewer than 1 characters.'],
    [{ key: 'max-items', limit: 200 }, 'Must not have more than 200 items.'],
    [{ key: 'format', format: 'date' }, 'Must be a date that exists, as YYYY-MM-DD.'],
    [{ key: 'format', format: 'uuid' }, 'Must be a UUID.'],
    [{ key: 'no-query-parameters' }, 'This operation takes no query parameters.'],
  ])('of the limit %j', (message, english) => {
    expect(englishOf(message)).toBe(english)
    expect(inPortuguese(message)).toMatch(sentence)
    expect(inPortuguese(message)).not.toMatch(/must|have|string|integer|takes/i)
  })
})
