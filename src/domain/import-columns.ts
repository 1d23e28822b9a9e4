/*
 * The columns of an import: the one table behind the headers of a CSV, the template, and the forms of cells that spreadsheets write.
 */
import type { CsvColumn } from './csv-column.ts'
import { MAX_TEXT_CHARACTERS } from './field-types.ts'
import portuguese from '../../texts/pt-BR.json' with { type: 'json' }
import { IMPORT_WORDS, type Words } from './import-words.ts'
import type { PROFILE_FIELDS } from './inclusion-fields.ts'
import { productNameKey } from './product-name.ts'
import { REGISTRATION_ALIASES } from './registration-fields.ts'
import { restoreCnpj, restoreCpf } from './tax-id.ts'

export const TEMPLATE_LANGUAGES = ['pt-BR', 'en'] as const
export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number]

export type ImportColumnName =
  | 'company-tax-id'
  | 'beneficiary-type'
  | 'tax-id'
  | keyof typeof PROFILE_FIELDS
  | 'admission-date'
  | 'primary-member-tax-id'
  | 'dependent-type'
  | 'product-name'
  | 'start-date'
  | 'end-date'
  | 'card-number'

interface ColumnForm {
  /** A CSV without this column is refused. */
  readonly isRequired?: true
  readonly isDate?: true
  /** Cents under the English header, reais under the Portuguese one. */
  readonly isMoney?: true
  /** A number whose leading zeros a spreadsheet removes. */
  readonly isCpf?: true
  readonly isCnpj?: true
  /** `true` or `false`, `sim` or `não`. */
  readonly isFlag?: true
  /** Portuguese words for the values, compared without case and accents. */
  readonly words?: Words<string>
}

export interface CsvColumnForm extends ColumnForm {
  /** The Portuguese header: the term of the field in texts/ */
  readonly header: string
}

const columns: Readonly<Record<ImportColumnName, ColumnForm>> = {
  'company-tax-id': { isRequired: true, isCnpj: true },
  'beneficiary-type': { isRequired: true, words: IMPORT_WORDS.beneficiaryType },
  'tax-id': { isRequired: true, isCpf: true },
  name: { isRequired: true },
  'mothers-name': { isRequired: true },
  'date-of-birth': { isRequired: true, isDate: true },
  gender: { isRequired: true, words: IMPORT_WORDS.gender },
  'marital-status': { words: IMPORT_WORDS.maritalStatus },
  'work-contract-type': { words: IMPORT_WORDS.workContractType },
  'job-title': {},
  'employee-id': {},
  'cost-center': {},
  'cost-center-name': {},
  salary: { isMoney: true },
  'email-corporate': {},
  'email-private': {},
  phone: {},
  'dependency-date': { isDate: true },
  'preferred-name': {},
  email: {},
  'address-postal-code': {},
  'address-street': {},
  'address-number': {},
  'address-neighborhood': {},
  'address-complement': {},
  'address-city': {},
  'address-state': {},
  'city-ibge-code': {},
  'monthly-salary': { isMoney: true },
  'employee-company-tax-id': { isCnpj: true },
  'bank-number': {},
  'bank-branch-number': {},
  'bank-account-number': {},
  'bank-account-owners-name': {},
  'bank-account-owners-tax-id': { isCpf: true },
  'fathers-name': {},
  cns: {},
  pis: {},
  'birth-declaration-number': {},
  'identity-document-number': {},
  'identity-document-issuer': {},
  'identity-document-state': {},
  'identity-document-issued-at': { isDate: true },
  cbo: {},
  'student-until': { isDate: true },
  disabled: { isFlag: true },
  'admission-date': { isDate: true },
  'primary-member-tax-id': { isCpf: true },
  'dependent-type': { words: IMPORT_WORDS.dependentType },
  'product-name': { isRequired: true },
  'start-date': { isRequired: true, isDate: true },
  'end-date': { isDate: true },
  'card-number': {},
}

/** By name, in the order of the template. */
export const IMPORT_COLUMNS: ReadonlyMap<ImportColumnName, CsvColumnForm> = new Map(
  (Object.entries(columns) as [ImportColumnName, ColumnForm][]).map(([name, form]) => [
    name,
    { ...form, header: portuguese.fields[name] },
  ]),
)

/** The codes of a file of rejected lines. */
export const OFFENSES_COLUMN = 'offenses'
/** Their sentences, in a workbook. */
export const ERRORS_COLUMN = 'Erro'

/** Whether the column tells why lines were rejected: an import ignores it without a warning. */
export function isErrorColumn(name: string): boolean {
  return name === OFFENSES_COLUMN || name === ERRORS_COLUMN
}

/** The header of a CSV without lines, to fill in. */
export function importTemplate(language: TemplateLanguage): string {
  return templateOf(IMPORT_COLUMNS, language)
}

/** What the cells of columns are offered: of one company, as its products; of a closed set its values. */
export type Offered = Readonly<Partial<Record<string, readonly string[]>>>

/** The columns of a template in that language, each with what is offered there, or the words of its closed set. */
export function templateColumns(
  all: ReadonlyMap<string, CsvColumnForm>,
  language: TemplateLanguage,
  offered: Offered = {},
): { header: string; isDate: boolean; choices: readonly string[] | undefined }[] {
  const isPortuguese = language === 'pt-BR'
  const wordsOf = (words: Words<string>, values: readonly string[] = Object.keys(words)) =>
    values.map((value) => (isPortuguese ? (words[value]?.[0] ?? value) : value))
  return shownIn(all).map(([name, { header, isDate, words }]) => ({
    header: isPortuguese ? header : name,
    isDate: isDate === true,
    choices: words ? wordsOf(words, offered[name]) : offered[name],
  }))
}

/** A product, as a template offers it. */
export interface OfferedProduct {
  readonly 'product-name': string
  readonly 'allowed-dependent-types': readonly string[]
  readonly 'allowed-start-options': readonly string[]
}

/** What the template of a company offers: its products, and the kinships and start options of one of them. */
export function offeredOf(taxId: string, products: readonly OfferedProduct[]): Offered {
  const ofAny = (field: 'allowed-dependent-types' | 'allowed-start-options') => [
    ...new Set(products.flatMap((one) => one[field])),
  ]
  return {
    'company-tax-id': [taxId],
    'product-name': products.map((one) => one['product-name']),
    'dependent-type': ofAny('allowed-dependent-types'),
    'start-option': ofAny('allowed-start-options'),
  }
}

const shownIn = (all: ReadonlyMap<string, CsvColumnForm>) =>
  [...all].filter(([name]) => !Object.hasOwn(REGISTRATION_ALIASES, name))

/**
 * The header of these columns, without those that are another name of one. The byte order mark shows a spreadsheet that the file is UTF-8.
 */
export function templateOf(all: ReadonlyMap<string, CsvColumnForm>, language: TemplateLanguage): string {
  const shown = shownIn(all)
  switch (language) {
    case 'pt-BR':
      return `\uFEFF${shown.map(([, { header }]) => header).join(';')}\n`
    case 'en':
      return `${shown.map(([name]) => name).join(';')}\n`
    default:
      return language satisfies never
  }
}

/** Finds a column by its name or its Portuguese header, without case and accents; undefined when there is none. */
export function headerLookup(all: ReadonlyMap<string, CsvColumnForm>): (header: string) => CsvColumn | undefined {
  const byHeader = new Map<string, CsvColumn>(
    [...all].flatMap(([name, column]): [string, CsvColumn][] => [
      [productNameKey(name), { name, ...readerOf(column, parseCents) }],
      [productNameKey(column.header), { name, ...readerOf(column, parseReais) }],
    ]),
  )
  return (header) => (header.length > MAX_TEXT_CHARACTERS ? undefined : byHeader.get(productNameKey(header)))
}

/** The column with this header, in English or Portuguese; undefined when there is none. */
export const importColumnOf = headerLookup(IMPORT_COLUMNS)

function readerOf(form: ColumnForm, parseMoney: CsvColumn['parse']): Omit<CsvColumn, 'name'> {
  const reader = { parse: parserOf(form, parseMoney), isDate: form.isDate === true }
  if (form.isCpf) return { ...reader, restoreZeros: restoreCpf }
  return form.isCnpj ? { ...reader, restoreZeros: restoreCnpj } : reader
}

function parserOf({ isDate, isMoney, isFlag, words }: ColumnForm, parseMoney: CsvColumn['parse']): CsvColumn['parse'] {
  if (words !== undefined) return parserOfWords(words)
  if (isDate) return parseDate
  if (isFlag) return parseFlag
  return isMoney ? parseMoney : String
}

function parserOfWords(words: Words<string>): CsvColumn['parse'] {
  const values = new Map(
    Object.entries(words).flatMap(([value, list]) => list.map((word) => [productNameKey(word), value] as const)),
  )
  // Longer cells need not be normalized to know that they are none of the words.
  const longest = 40
  return (cell) => (cell.length > longest ? cell : (values.get(productNameKey(cell)) ?? cell))
}

const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const CENTS = /^\d{1,16}$/
const REAIS = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,16})(?:,(\d{1,2}))?$/

/** `dd/mm/aaaa` or `d/m/aaaa` as `YYYY-MM-DD`. */
export function parseDate(cell: string): string {
  const [, day, month, year] = DAY_FIRST.exec(cell) ?? []
  return day === undefined ? cell : `${year}-${month?.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const flags = new Map([
  ['true', true],
  ['sim', true],
  ['false', false],
  ['nao', false],
])

function parseFlag(cell: string): string | boolean {
  return cell.length > 10 ? cell : (flags.get(productNameKey(cell)) ?? cell)
}

/** A whole number of cents. */
export function parseCents(cell: string): string | number {
  return CENTS.test(cell) ? Number(cell) : cell
}

/** Reais, such as `5230`, `5230,00`, `5.230,00`, in cents. */
function parseReais(cell: string): string | number {
  const [, whole, fraction = ''] = REAIS.exec(cell) ?? []
  if (whole === undefined) return cell
  return Number(`${whole.replaceAll('.', '')}${fraction.padEnd(2, '0')}`)
}
