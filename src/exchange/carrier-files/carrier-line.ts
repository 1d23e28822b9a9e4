/* Lines of carriers' files as they are stored, read from the values of their layouts: pure. */
import { DEPENDENT_TYPES, type BeneficiaryType, type DependentType } from '#kernel/enums.ts'
import { type CarrierFileKind, type EntryType, isImpersonal, type LineKind } from '#kernel/reconciliation.ts'
import { parseCpf, restoreCpf } from '#kernel/tax-id.ts'
import type { LayoutRecord } from '#registry/layouts/definition.ts'
import type { ParsedLine, RefusedLine } from '#registry/layouts/types.ts'

/** A line as the table `carrier_line` has it. */
export interface CarrierLine {
  readonly lineNumber: number
  readonly record: string | null
  readonly kind: LineKind
  readonly problems: RefusedLine['cells'] | null
  /** The parts of a line that name a person and cannot be read. */
  readonly unread: RefusedLine['cells'] | null
  readonly cardNumber: string | null
  readonly certificate: string | null
  readonly dependentCode: string | null
  readonly taxId: string | null
  readonly taxIdRepaired: boolean
  readonly employeeId: string | null
  readonly name: string | null
  readonly dateOfBirth: string | null
  readonly memberType: BeneficiaryType | null
  readonly dependentType: DependentType | null
  readonly planCode: string | null
  readonly startDate: string | null
  readonly endDate: string | null
  /** In cents. */
  readonly amount: number | null
  readonly employeeAmount: number | null
  /** For a total: what it says, and the sum of the lines that it is of. */
  readonly statedTotal: number | null
  readonly summedTotal: number | null
  readonly entryType: EntryType | null
  readonly entryCode: string | null
  readonly entryPeriod: string | null
  readonly details: Readonly<Record<string, string>> | null
}

type Values = ParsedLine['values']

/** What a correction needs of a person beyond what is compared. */
const detailTargets = {
  'mothers-name': 'person.mothers-name',
  gender: 'person.gender',
  'marital-status': 'person.marital-status',
  'admission-date': 'registration.admission-date',
  'primary-tax-id': 'primary.tax-id',
} as const

const maxCharacters = 200

/** A text without what the database refuses, and not longer than people have it. */
const textOf = (value: string | undefined): string | null => {
  const text = (value ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return text === '' ? null : text.slice(0, maxCharacters)
}

/** The month of a day. */
export const monthOf = (date: string | undefined): string | null => date?.slice(0, 7) ?? null

/** A line of a person, or an entry of an invoice. @param kind of the file. */
export function carrierLine(
  { line, record, values }: ParsedLine,
  kind: CarrierFileKind,
  columnOf: (target: string) => string = (target) => target,
): CarrierLine {
  const { memberType, dependentType } = roleOf(record, values)
  const { taxId, taxIdRepaired } = taxIdOf(values, memberType)
  const entryType = kind === 'coparticipation' ? 'coparticipation' : entryTypeOf(values, kind)
  const unread = unreadTaxIds(values).map((target) => ({ column: columnOf(target), target, code: 'invalid' as const }))
  const certificate = textOf(values['benefit.certificate'])?.slice(0, 60) ?? null
  const isPrimary = certificate !== null && memberType === 'primary'
  return {
    ...nothing,
    lineNumber: line,
    record,
    kind: entryType !== null && isImpersonal(entryType) && !namesSomebody(values) ? 'entry' : 'person',
    unread: unread.length === 0 ? null : unread,
    cardNumber: textOf(values['benefit.card-number']),
    certificate,
    dependentCode: textOf(values['benefit.dependent-code'])?.slice(0, 10) ?? (isPrimary ? '00' : null),
    taxId,
    taxIdRepaired,
    employeeId: textOf(values['registration.employee-id'] ?? values['primary.employee-id']),
    name: textOf(values['person.name'] ?? (memberType === 'dependent' ? undefined : values['primary.name'])),
    dateOfBirth: values['person.date-of-birth'] ?? null,
    memberType,
    dependentType,
    planCode: textOf(values['plan.carrier-plan-code']),
    startDate: values['benefit.start-date'] ?? null,
    endDate: values['benefit.end-date'] ?? null,
    amount: centsOf(values[kind === 'coparticipation' ? 'coparticipation.amount' : 'invoice.amount']),
    employeeAmount: centsOf(values['invoice.employee-amount']),
    entryType,
    entryCode: textOf(values['invoice.entry-code']),
    entryPeriod: monthOf(values['invoice.entry-month'] ?? values['coparticipation.reference-month']),
    details: kind === 'roster' ? detailsOf(values) : null,
  }
}

/** The role of the person; null where the file does not say it. */
function roleOf(record: string, values: Values): Pick<CarrierLine, 'memberType' | 'dependentType'> {
  const relationship = values['person.relationship']
  const dependentType = DEPENDENT_TYPES.find((type) => type === relationship) ?? null
  const code = values['benefit.dependent-code']
  const isPrimary = relationship === 'primary' || record === 'primary' || (code !== undefined && /^0+$/.test(code))
  if (dependentType === null && isPrimary) return { memberType: 'primary', dependentType }
  const isDependent = dependentType !== null || record === 'dependent' || code !== undefined
  return { memberType: isDependent ? 'dependent' : null, dependentType }
}

/** The person's CPF, with the zeros that spreadsheets drop; a text that is no CPF is left out. The primary's CPF on a dependent's line is not the dependent's. */
function taxIdOf(values: Values, memberType: BeneficiaryType | null): Pick<CarrierLine, 'taxId' | 'taxIdRepaired'> {
  const own = cpfOf(values['person.tax-id'])
  if (own.taxId !== null || memberType === 'dependent') return own
  return cpfOf(values['primary.tax-id'])
}

function cpfOf(value: string | undefined): Pick<CarrierLine, 'taxId' | 'taxIdRepaired'> {
  const all = value ?? ''
  // A column that is wider than a CPF has zeros before it.
  const text = /^0{1,9}\d{11}$/.test(all) ? all.slice(-11) : all
  const whole = parseCpf(text)
  const repaired = whole === null ? restoreCpf(text) : null
  return { taxId: whole ?? repaired, taxIdRepaired: repaired !== null }
}

/** What is written for no CPF. */
const noTaxId = /^(?:[0.\-/ ]*|n\/?[ad]|nulo?|null|nan|sem cpf|nao informado|não informado)$/i

/** The columns of CPFs in which something stands that is none. */
function unreadTaxIds(values: Values): string[] {
  return (['person.tax-id', 'primary.tax-id'] as const).filter((target) => {
    const text = values[target]?.trim() ?? ''
    return !noTaxId.test(text) && cpfOf(text).taxId === null
  })
}

/** Fields that belong to a person; a name beside an entry without a person is its description. */
const identities = [
  'benefit.card-number',
  'benefit.certificate',
  'person.tax-id',
  'primary.tax-id',
  'registration.employee-id',
  'primary.employee-id',
  'person.date-of-birth',
] as const

/** The text of a field that may name a person; null: none. */
function identityOf(values: Values, target: string): string | null {
  const text = textOf(values[target])
  return text !== null && target.endsWith('tax-id') && noTaxId.test(text) ? null : text
}

const namesSomebody = (values: Values): boolean => identities.some((target) => identityOf(values, target) !== null)

/** Whether a line has anything of a person, beside cells that say that it is a total. */
export function hasIdentity(values: Values, isLabel: (text: string) => boolean, { byName = true } = {}): boolean {
  const others = byName ? (['person.name', 'primary.name', 'plan.carrier-plan-code'] as const) : []
  return [...identities, ...others].some((target) => {
    const text = identityOf(values, target)
    return text !== null && !isLabel(text)
  })
}

function centsOf(value: string | undefined): number | null {
  return value === undefined ? null : Number(value)
}

/** What an entry is for: a file without types has the charges of the month. */
function entryTypeOf(values: Values, kind: CarrierFileKind): EntryType | null {
  if (kind !== 'invoice') return null
  return (values['invoice.entry-type'] as EntryType | undefined) ?? 'monthly'
}

function detailsOf(values: Values): CarrierLine['details'] {
  const found = Object.entries(detailTargets).flatMap(([name, target]) => {
    const value = textOf(values[target])
    return value === null ? [] : [[name, value] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}

/** A line that is refused: where it is, and why, without what stands there. */
export function refusedCarrierLine({ line, cells }: RefusedLine, record: LayoutRecord | null): CarrierLine {
  return { ...nothing, lineNumber: line, record: record?.name ?? null, problems: cells }
}

/** A row that is the sum of others. */
export function totalLine(
  { lineNumber, record }: Pick<CarrierLine, 'lineNumber' | 'record'>,
  { stated, summed }: { readonly stated: number | null; readonly summed: number },
): CarrierLine {
  const isChecked = stated !== null
  return { ...nothing, lineNumber, record, kind: 'total', statedTotal: stated, summedTotal: isChecked ? summed : null }
}

const nothing = {
  kind: 'person',
  problems: null,
  unread: null,
  cardNumber: null,
  certificate: null,
  dependentCode: null,
  taxId: null,
  taxIdRepaired: false,
  employeeId: null,
  name: null,
  dateOfBirth: null,
  memberType: null,
  dependentType: null,
  planCode: null,
  startDate: null,
  endDate: null,
  amount: null,
  employeeAmount: null,
  statedTotal: null,
  summedTotal: null,
  entryType: null,
  entryCode: null,
  entryPeriod: null,
  details: null,
} as const satisfies Omit<CarrierLine, 'lineNumber' | 'record'>
