/*
 * The columns of an import: the one table behind the headers of a CSV, the template, and the forms of cells that spreadsheets write.
 */
import type { BeneficiaryType, DependentType, GENDERS, MaritalStatus, WORK_CONTRACT_TYPES } from './enums.ts'
import { MAX_TEXT_CHARACTERS } from './field-types.ts'
import { GLOSSARY } from './glossary.ts'
import type { PROFILE_FIELDS } from './inclusion-fields.ts'
import { productNameKey } from './product-name.ts'
import { REGISTRATION_ALIASES } from './registration-fields.ts'

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

/** Words of a closed set, by its values. */
type Words<Value extends string> = Readonly<Record<Value, readonly string[]>>

interface ColumnForm {
  /** A CSV without this column is refused. */
  readonly isRequired?: true
  readonly isDate?: true
  /** Cents under the English header, reais under the Portuguese one. */
  readonly isMoney?: true
  /** Portuguese words for the values, compared without case and accents. */
  readonly words?: Words<string>
}

interface ImportColumn extends ColumnForm {
  /** The Portuguese header: the term of the glossary. */
  readonly header: string
}

/** The masculine and the feminine word, and both in one, such as `filho(a)`. */
function pair(masculine: string, feminine = masculine.replace(/o$/, 'a')): readonly string[] {
  return [masculine, feminine, `${masculine}(a)`]
}

const others = [...pair('outro'), 'outros'] as const

const roles: Words<BeneficiaryType> = { primary: ['titular'], dependent: ['dependente'] }

const genders: Words<(typeof GENDERS)[number]> = { female: ['F', 'feminino'], male: ['M', 'masculino'] }

const maritalStatuses: Words<MaritalStatus> = {
  single: pair('solteiro'),
  married: pair('casado'),
  divorced: pair('divorciado'),
  widowed: pair('viúvo'),
  others,
}

const workContractTypes: Words<(typeof WORK_CONTRACT_TYPES)[number]> = {
  'brazil-labor-law': ['CLT'],
  'services-contract': ['PJ', 'prestador de serviços'],
  partner: pair('sócio'),
  intern: pair('estagiário'),
  'on-leave': pair('afastado'),
  other: others,
}

const dependentTypes: Words<DependentType> = {
  spouse: ['cônjuge', ...pair('esposo')],
  partner: pair('companheiro'),
  child: pair('filho'),
  stepchild: pair('enteado'),
  'adopted-child': ['filho adotivo', 'filha adotiva', 'filho(a) adotivo(a)'],
  ward: ['menor sob guarda', 'menor sob tutela', ...pair('tutelado')],
  parent: ['pai', 'mãe'],
  'parent-in-law': pair('sogro'),
  sibling: pair('irmão', 'irmã'),
  'sibling-in-law': pair('cunhado'),
  grandchild: pair('neto'),
  grandparent: ['avô', 'avó'],
  'nephew-niece': pair('sobrinho'),
  'uncle-aunt': pair('tio'),
  other: others,
}

const columns: Readonly<Record<ImportColumnName, ColumnForm>> = {
  'company-tax-id': { isRequired: true },
  'beneficiary-type': { isRequired: true, words: roles },
  'tax-id': { isRequired: true },
  name: { isRequired: true },
  'mothers-name': { isRequired: true },
  'date-of-birth': { isRequired: true, isDate: true },
  gender: { isRequired: true, words: genders },
  'marital-status': { words: maritalStatuses },
  'work-contract-type': { words: workContractTypes },
  'job-title': {},
  'employee-id': {},
  'cost-center': {},
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
  'monthly-salary': { isMoney: true },
  'employee-company-tax-id': {},
  'bank-number': {},
  'bank-branch-number': {},
  'bank-account-number': {},
  'bank-account-owners-name': {},
  'bank-account-owners-tax-id': {},
  'admission-date': { isDate: true },
  'primary-member-tax-id': {},
  'dependent-type': { words: dependentTypes },
  'product-name': { isRequired: true },
  'start-date': { isRequired: true, isDate: true },
  'end-date': { isDate: true },
  'card-number': {},
}

/** By name, in the order of the template. */
export const IMPORT_COLUMNS: ReadonlyMap<ImportColumnName, ImportColumn> = new Map(
  (Object.entries(columns) as [ImportColumnName, ColumnForm][]).map(([name, form]) => [
    name,
    { ...form, header: GLOSSARY[name].term },
  ]),
)

/** Of a file of rejected lines; an import ignores it without a warning. */
export const OFFENSES_COLUMN = 'offenses'

/** Without the columns that are another name of one. */
const templateColumns = [...IMPORT_COLUMNS].filter(([name]) => !Object.hasOwn(REGISTRATION_ALIASES, name))

/** The header of a CSV without lines, to fill in. The byte order mark shows a spreadsheet that the file is UTF-8. */
export function importTemplate(language: TemplateLanguage): string {
  switch (language) {
    case 'pt-BR':
      return `\uFEFF${templateColumns.map(([, { header }]) => header).join(';')}\n`
    case 'en':
      return `${templateColumns.map(([name]) => name).join(';')}\n`
    default:
      return language satisfies never
  }
}

/** A column of a CSV: its name, and how its cells are read. */
export interface CsvColumn {
  readonly name: string
  /** A value as in NDJSON. A cell in no known form is returned unchanged, and refused by the rules of the column. */
  readonly parse: (cell: string) => string | number
}

/** Column names and Portuguese headers, without case and accents. */
const byHeader = new Map<string, CsvColumn>(
  [...IMPORT_COLUMNS].flatMap(([name, column]): [string, CsvColumn][] => [
    [productNameKey(name), { name, parse: parserOf(column, parseCents) }],
    [productNameKey(column.header), { name, parse: parserOf(column, parseReais) }],
  ]),
)

/** The column with this header, in English or Portuguese; undefined when there is none. */
export function importColumnOf(header: string): CsvColumn | undefined {
  return header.length > MAX_TEXT_CHARACTERS ? undefined : byHeader.get(productNameKey(header))
}

function parserOf({ isDate, isMoney, words }: ImportColumn, parseMoney: CsvColumn['parse']): CsvColumn['parse'] {
  if (words !== undefined) return parserOfWords(words)
  if (isDate) return parseDate
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

const DAY_FIRST = /^(\d{2})\/(\d{2})\/(\d{4})$/
const CENTS = /^\d{1,16}$/
const REAIS = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,16})(?:,(\d{1,2}))?$/

/** `dd/mm/aaaa` as `YYYY-MM-DD`. */
function parseDate(cell: string): string {
  const [, day, month, year] = DAY_FIRST.exec(cell) ?? []
  return day === undefined ? cell : `${year}-${month}-${day}`
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
