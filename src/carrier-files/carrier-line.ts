/* Lines of carriers' files as they are stored, read from the values of their layouts: pure. */
import { DEPENDENT_TYPES, type BeneficiaryType, type DependentType } from '../domain/enums.ts'
import type { CarrierFileKind, EntryType } from '../domain/reconciliation.ts'
import { parseCpf, restoreCpf } from '../domain/tax-id.ts'
import type { LayoutRecord } from '../layouts/definition.ts'
import type { ParsedLine, RefusedLine } from '../layouts/types.ts'

/** A line as the table `carrier_line` has it. */
export interface CarrierLine {
  readonly lineNumber: number
  readonly record: string | null
  readonly problems: RefusedLine['cells'] | null
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
export function carrierLine({ line, record, values }: ParsedLine, kind: CarrierFileKind): CarrierLine {
  const { memberType, dependentType } = roleOf(record, values)
  const { taxId, taxIdRepaired } = taxIdOf(values, memberType)
  const certificate = textOf(values['benefit.certificate'])?.slice(0, 60) ?? null
  const isPrimary = certificate !== null && memberType === 'primary'
  return {
    lineNumber: line,
    record,
    problems: null,
    cardNumber: textOf(values['benefit.card-number']),
    certificate,
    dependentCode: textOf(values['benefit.dependent-code'])?.slice(0, 10) ?? (isPrimary ? '00' : null),
    taxId,
    taxIdRepaired,
    employeeId: textOf(values['registration.employee-id'] ?? values['primary.employee-id']),
    name: textOf(values['person.name'] ?? values['primary.name']),
    dateOfBirth: values['person.date-of-birth'] ?? null,
    memberType,
    dependentType,
    planCode: textOf(values['plan.carrier-plan-code']),
    startDate: values['benefit.start-date'] ?? null,
    endDate: values['benefit.end-date'] ?? null,
    amount: centsOf(values[kind === 'coparticipation' ? 'coparticipation.amount' : 'invoice.amount']),
    employeeAmount: centsOf(values['invoice.employee-amount']),
    entryType: kind === 'coparticipation' ? 'coparticipation' : entryTypeOf(values, kind),
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

/** The person's CPF, with the zeros that spreadsheets drop; what is none is left out. That of the primary is of nobody else. */
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
  return {
    lineNumber: line,
    record: record?.name ?? null,
    problems: cells,
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
    entryType: null,
    entryCode: null,
    entryPeriod: null,
    details: null,
  }
}
