/*
 * The columns of an import: the one table behind the headers of a CSV, the template, and the forms of cells that spreadsheets write.
 */
import {
  BRAZILIAN,
  type FileForms,
  readCardNumber,
  readCents,
  readDate,
  withoutPunctuation,
} from '#kernel/cell-values.ts'
import type { CsvColumn } from '#kernel/csv-column.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import portuguese from '../../../texts/pt-BR.json' with { type: 'json' }
import { IMPORT_WORDS, type Words } from './import-words.ts'
import type { PROFILE_FIELDS } from '#kernel/inclusion-fields.ts'
import { headingKey } from '#kernel/heading.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'
import { restoreCnpj, restoreCpf } from '#kernel/tax-id.ts'

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
  readonly isPostalCode?: true
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
  'address-postal-code': { isPostalCode: true },
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
    ...new Set(products.flatMap((product) => product[field])),
  ]
  const names = products.map((product) => product['product-name'])
  return {
    'company-tax-id': [taxId],
    'product-name': names,
    'new-product-name': names,
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
      [headingKey(name), { name, ...readerOf(name, column, parseCents) }],
      [headingKey(column.header), { name, ...readerOf(name, column, parseReais) }],
    ]),
  )
  return (header) => (header.length > MAX_TEXT_CHARACTERS ? undefined : byHeader.get(headingKey(header)))
}

/** The column with this header, in English or Portuguese; undefined when there is none. */
export const importColumnOf = headerLookup(IMPORT_COLUMNS)

function readerOf(name: string, form: ColumnForm, parseMoney: CsvColumn['parse']): Omit<CsvColumn, 'name'> {
  const reader = {
    parse: parserOf(name, form, parseMoney),
    isDate: form.isDate === true,
    isMoney: form.isMoney === true && parseMoney === parseReais,
    keepsWords: form.isRequired === true,
  }
  if (form.isCpf) return { ...reader, restoreZeros: (cell) => restoreCpf(withoutPunctuation(cell)) }
  if (form.isCnpj) return { ...reader, restoreZeros: (cell) => restoreCnpj(withoutPunctuation(cell)) }
  return form.isPostalCode ? { ...reader, restoreZeros: restorePostalCode } : reader
}

/** Seven digits: no postal code has fewer than eight. */
function restorePostalCode(cell: string): string | null {
  const digits = withoutPunctuation(cell)
  return /^\d{7}$/.test(digits) ? `0${digits}` : null
}

function parserOf(name: string, form: ColumnForm, parseMoney: CsvColumn['parse']): CsvColumn['parse'] {
  const { isDate, isMoney, isFlag, words } = form
  if (words !== undefined) return parserOfWords(words)
  if (isDate) return (cell, forms) => parseDate(cell, forms, name === 'date-of-birth')
  if (isFlag) return parseFlag
  if (name === 'card-number') return readCardNumber
  if (form.isCpf || form.isCnpj || form.isPostalCode) return (cell) => identifierOf(cell, form)
  return isMoney ? parseMoney : String
}

/** Without its punctuation where that makes it one, however it is punctuated. */
function identifierOf(cell: string, { isCpf, isCnpj }: ColumnForm): string {
  const plain = withoutPunctuation(cell)
  if (isCpf) return /^\d{11}$/.test(plain) ? plain : cell
  if (isCnpj) return /^[A-Za-z0-9]{14}$/.test(plain) ? plain : cell
  return /^\d{8}$/.test(plain) ? plain : cell
}

function parserOfWords(words: Words<string>): CsvColumn['parse'] {
  const values = new Map(
    Object.entries(words).flatMap(([value, list]) => list.map((word) => [productNameKey(word), value] as const)),
  )
  // Longer cells need not be normalized to know that they are none of the words.
  const longest = 40
  return (cell) => (cell.length > longest ? cell : (values.get(productNameKey(cell)) ?? cell))
}

const CENTS = /^\d{1,16}$/

/** A day as `YYYY-MM-DD`; `''` for none; a cell in no known form as it is. @param isBirth as that of `readDate`. */
export function parseDate(cell: string, forms?: FileForms, isBirth = false): string {
  return readDate(cell, forms, isBirth) ?? cell
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

/** Reais, such as `5230`, `5230,00`, `R$ 5.230,00`, in cents. */
function parseReais(cell: string, forms: FileForms = BRAZILIAN): string | number {
  const cents = readCents(cell, forms)
  return cents === null ? cell : Number(cents)
}
