/*
 * What an error says beside its code: a key and what stands in the sentence. The sentences are in texts/, in both languages, and are made when a
 * response is sent.
 */
import type { EnrollmentStatus } from './enums.ts'

export const JSON_TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const
export type JsonType = (typeof JSON_TYPES)[number]

/** Formats of JSON Schema that a sentence names; `table-date`: a day in a cell, which takes more forms. */
export const FIELD_FORMATS = [
  'cnpj',
  'cns',
  'cpf',
  'date',
  'date-time',
  'email',
  'phone',
  'pis',
  'table-date',
  'uuid',
] as const
export type FieldFormat = (typeof FIELD_FORMATS)[number]

/** Files that are sent instead of CSV. */
export const WRONG_FILE_TYPES = ['xlsx', 'xls', 'pdf', 'gzip', 'utf-16'] as const
export type WrongFileType = (typeof WRONG_FILE_TYPES)[number]

/** The kinds of parameters, each with its type. */
export interface ParameterTypes {
  /** As it is. */
  readonly text: string
  /** A source of a layout, such as `primary.tax-id`: in Portuguese its term. */
  readonly field: string
  readonly number: number
  /** A number with separators. */
  readonly count: number
  readonly list: readonly string[]
  /** Values of a closed set, as code. */
  readonly codes: readonly string[]
  readonly status: EnrollmentStatus
  readonly statuses: readonly EnrollmentStatus[]
  readonly types: readonly JsonType[]
  readonly format: FieldFormat
  readonly file: WrongFileType
  /** A sentence within the sentence. */
  readonly message: Message
}

/** The parameters of each message. */
export const MESSAGES = {
  // Values and parameters.
  'did-you-mean': { name: 'text' },
  'one-of': { values: 'list' },
  'no-query-parameters': {},
  'path-cnpj': {},
  minimum: { limit: 'number' },
  maximum: { limit: 'number' },
  type: { types: 'types' },
  format: { format: 'format' },
  'min-characters': { limit: 'number' },
  'max-characters': { limit: 'number' },
  'ascii-characters': { limit: 'number' },
  'min-items': { limit: 'number' },
  'max-items': { limit: 'number' },
  'no-controls': {},
  'not-after-today': {},
  'already-exported': {},
  'before-first-month': {},
  'not-in-future': {},
  'overlapping-leave': {},
  'too-many-leaves': {},
  'month-not-forecast': {},
  'scientific-notation': {},
  'far-from-today': {},
  'within-a-year': {},
  'within-a-month': {},
  'option-in-time': {},
  'forward-only': { limit: 'number' },
  'max-days': { limit: 'number' },
  'filter-terms': { fields: 'list' },
  // What a field must be, and where in a list it is not.
  rule: { rule: 'message' },
  'rule-of-item': { path: 'text', rule: 'message' },
  'rule-text': { limit: 'number' },
  'rule-name': { limit: 'number' },
  'rule-reason': { limit: 'number' },
  'rule-card-number': { limit: 'number' },
  'rule-reference': { limit: 'number' },
  'rule-email': { limit: 'number' },
  'rule-choice': { values: 'codes' },
  'rule-choice-with-alias': { values: 'codes', alias: 'text', value: 'text' },
  'rule-cpf': {},
  'rule-cnpj': {},
  'rule-date': { earliest: 'text' },
  'rule-cents': {},
  'rule-integer': { minimum: 'number', maximum: 'number' },
  'rule-phone': {},
  'rule-uuid': {},
  'rule-timestamp': {},
  'rule-contact': {},
  'rule-evidence': { limit: 'number' },
  'rule-postal-code': {},
  'rule-birth-declaration': {},
  'rule-city-ibge-code': {},
  'rule-cbo': {},
  'rule-cns': {},
  'rule-pis': {},
  'rule-flag': {},
  'rule-documents': {},
  'rule-document': {},
  'rule-sandbox': { values: 'codes' },
  'rule-after-days': { limit: 'number' },
  'rule-products': {},
  'send-as-text': {},
  'leading-zeros': {},
  'unusable-document': { index: 'number' },
  'unusable-documents': {},
  // In the words of the operator.
  'required-document': { text: 'text' },
  // Bodies.
  'not-json-at': { line: 'number', column: 'number' },
  'not-utf-8': {},
  'too-deep': { limit: 'number' },
  'too-many-objects': {},
  'too-many-values': {},
  'holds-nul': {},
  'holds-lone-surrogate': {},
  'holds-proto': {},
  'not-a-form': {},
  'sent-twice': {},
  'credentials-twice': {},
  'basic-credentials': {},
  // Transitions.
  'final-status': { from: 'status' },
  'same-status': { from: 'status' },
  'same-status-next': { from: 'status', allowed: 'statuses' },
  'illegal-status': { from: 'status', to: 'status' },
  'illegal-status-next': { from: 'status', to: 'status', allowed: 'statuses' },
  // Types and sizes of bodies and files.
  'content-type': { found: 'text', values: 'list' },
  'content-type-missing': { values: 'list' },
  'content-encoding': {},
  'first-bytes': { values: 'list' },
  'max-bytes': { limit: 'count' },
  // Files.
  program: {},
  'wrong-file': { file: 'file' },
  'save-as-xlsx': {},
  'workbook-unreadable': {},
  'table-without-header': {},
  'workbook-too-large': {},
  'workbook-rows': { limit: 'count' },
  'file-takes-too-long': {},
  'workbook-columns': { limit: 'count' },
  'workbook-cell': { cell: 'text', limit: 'count' },
  'sheet-unknown': { sheets: 'list' },
  'cell-error': { cell: 'text' },
  'header-json': {},
  'header-not-csv': {},
  'header-too-long': { columns: 'count', characters: 'count' },
  'decision-header': {},
  'expected-columns': { columns: 'list', found: 'message' },
  'mapping-columns': {},
  'column-twice': { column: 'text', found: 'message' },
  'column-missing': { column: 'text', header: 'text', found: 'message' },
  'columns-found': { names: 'text' },
  'columns-empty': {},
  'columns-data': {},
  // Carriers and contracts.
  'not-another': {},
  'one-of-two': { other: 'text' },
  'near-month': {},
  'max-months': { limit: 'number' },
  'product-in-contract': { number: 'text' },
  'cut-off-title': { carrier: 'text', number: 'text', company: 'text' },
  'cut-off-cover': { date: 'text' },
  // Layouts: what is wrong with one, and with what is written and read by it.
  'layout-one-of': { names: 'list' },
  'layout-all-of': { names: 'list' },
  'layout-beyond': { limit: 'number' },
  'layout-overlap': { column: 'text' },
  'layout-other-headings': { record: 'text' },
  'layout-health-data': {},
  'layout-not-representable': {},
  'layout-columns': { limit: 'count' },
  'layout-no-record-each': {},
  'layout-header-source': {},
  'layout-format': { field: 'text' },
  'layout-headings': { names: 'list' },
  'layout-person': { names: 'list' },
  'layout-lines': { limit: 'count' },
  'layout-no-direction': { direction: 'text' },
  'item-field-missing': { field: 'field', column: 'text' },
  'item-value-too-long': { field: 'field', column: 'text' },
  'item-not-representable': { field: 'field', column: 'text', character: 'text' },
  'item-no-code': { field: 'field', column: 'text' },
  'item-date-out-of-range': { field: 'field', column: 'text' },
  'item-primary-not-in-shipment': { field: 'field', column: 'text' },
  'item-plan-code-missing': { field: 'field', column: 'text' },
  'cell-no-record': {},
  'cell-malformed': {},
  'cell-too-long': {},
  'cell-missing': { column: 'text' },
  'cell-invalid': { column: 'text' },
  'cell-no-code': { column: 'text' },
  // Webhook endpoints.
  'url-invalid': {},
  'url-https-required': {},
  'url-credentials-not-allowed': {},
  'url-port-not-allowed': {},
  'url-private-address': {},
  'url-link-local': {},
  'url-taken': { id: 'text' },
  'max-endpoints': { limit: 'number' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, keyof ParameterTypes>>>>

export type MessageKey = keyof typeof MESSAGES

/** A message with its parameters. */
export type Message = {
  [Key in MessageKey]: { readonly key: Key } & {
    readonly [Name in keyof (typeof MESSAGES)[Key]]: (typeof MESSAGES)[Key][Name] extends keyof ParameterTypes
      ? ParameterTypes[(typeof MESSAGES)[Key][Name]]
      : never
  }
}[MessageKey]
