/* What a column of a layout may be filled with, and what it may be read as: closed sets, each with its type. */
import {
  ALTERATION_KINDS,
  BENEFICIARY_TYPES,
  CONTINUATION_OPTIONS,
  DEPENDENT_TYPES,
  EXCLUSION_REASONS,
  GENDERS,
  MARITAL_STATUSES,
  MOVEMENT_KINDS,
  SECOND_CARD_REASONS,
  STATES,
  WORK_CONTRACT_TYPES,
} from '#kernel/enums.ts'
import { ACKNOWLEDGEMENT_OUTCOMES } from './acknowledgement.ts'
import { CONTRACT_LIVES, PAYROLL_KINDS } from '#kernel/broker-enums.ts'
import type { LayoutDirection } from './layout.ts'
import { foldHeading } from '#kernel/heading.ts'
import { ENTRY_TYPES } from '#kernel/reconciliation.ts'

/** `cpf`: 11 digits; of a file also with lost zeros. `code`: of the closed set `values`. */
export interface FieldOfLayout {
  readonly type: 'text' | 'cpf' | 'date' | 'money' | 'code'
  readonly values?: readonly string[]
}

const text = { type: 'text' } as const
const cpf = { type: 'cpf' } as const
const date = { type: 'date' } as const
const money = { type: 'money' } as const
const code = (...values: readonly string[]) => ({ type: 'code', values }) as const

/** The fields of a person, as they are once the movement is done. */
const person = {
  name: text,
  'preferred-name': text,
  'tax-id': cpf,
  'date-of-birth': date,
  gender: code(...GENDERS),
  'marital-status': code(...MARITAL_STATUSES),
  'mothers-name': text,
  'fathers-name': text,
  phone: text,
  'email-private': text,
  'email-corporate': text,
  cns: text,
  pis: text,
  cbo: text,
  'birth-declaration-number': text,
  'identity-document-number': text,
  'identity-document-issuer': text,
  'identity-document-state': code(...STATES),
  'identity-document-issued-at': date,
  'student-until': date,
  disabled: code('true', 'false'),
} as const

const registration = {
  'employee-id': text,
  'cost-center': text,
  'cost-center-name': text,
  'job-title': text,
  'work-contract-type': code(...WORK_CONTRACT_TYPES),
  'admission-date': date,
  'dependency-date': date,
  salary: money,
  'employee-company-tax-id': text,
} as const

const address = {
  'postal-code': text,
  street: text,
  number: text,
  complement: text,
  neighborhood: text,
  city: text,
  'ibge-code': text,
  state: code(...STATES),
} as const

const bank = {
  number: text,
  'branch-number': text,
  'account-number': text,
  'account-owners-name': text,
  'account-owners-tax-id': cpf,
} as const

const primary = {
  name: text,
  'tax-id': cpf,
  'date-of-birth': date,
  'employee-id': text,
  'cost-center': text,
  'card-number': text,
} as const

const contract = {
  'contract-number': text,
  'sub-contract': text,
  'carrier-company-code': text,
  'carrier-name': text,
  'ans-registration': text,
  'carrier-tax-id': text,
  lives: code(...CONTRACT_LIVES),
  'contract-start': date,
  'company-tax-id': text,
  'company-name': text,
} as const

const plan = {
  'carrier-plan-code': text,
  'product-name': text,
  'product-type': text,
  'ans-plan-number': text,
  'plan-version': text,
} as const
const benefit = { 'card-number': text, 'start-date': date, 'end-date': date } as const
const relationship = code('primary', ...DEPENDENT_TYPES)

/** The fields of registration data, by the subject of their source. */
export const REGISTRATION = { person, registration, address, bank } as const

type Prefixed<Prefix extends string, Fields> = {
  readonly [Name in keyof Fields & string as `${Prefix}.${Name}`]: Fields[Name]
}

/** The fields under the names `prefix.field`. */
function prefixed<Prefix extends string, Fields extends Readonly<Record<string, FieldOfLayout>>>(
  prefix: Prefix,
  fields: Fields,
): Prefixed<Prefix, Fields> {
  const entries = Object.entries(fields).map(([name, field]) => [`${prefix}.${name}`, field])
  return Object.fromEntries(entries) as Prefixed<Prefix, Fields>
}

/** What the columns of a file of movements are filled with. */
export const SOURCES = {
  ...prefixed('movement', {
    'enrollment-id': text,
    position: text,
    kind: code(...MOVEMENT_KINDS, ...ALTERATION_KINDS),
    'beneficiary-type': code(...BENEFICIARY_TYPES),
    'alteration-type': code('registration', 'plan', 'company'),
    reference: text,
    'created-at': date,
    'requested-at': date,
    'start-date': date,
    'end-date': date,
    'exclusion-reason': code(...EXCLUSION_REASONS),
    reason: text,
    // The new one, of a transfer.
    'sub-contract': text,
    'extension-plan': code('true', 'false'),
    contributed: code('true', 'false'),
    'contribution-months': text,
    // The reason of an exclusion that says whether the person contributed: it may keep the plan.
    'continuation-ground': code('dismissal', 'retirement'),
    'keeps-working-after-retirement': code('true', 'false'),
    'notice-date': date,
    option: code(...CONTINUATION_OPTIONS),
    'option-date': date,
    'second-card-reason': code(...SECOND_CARD_REASONS),
    'carrier-protocol': text,
  }),
  // The dependent of a dependent's movement.
  ...prefixed('dependent', { name: text }),
  ...prefixed('person', { ...person, relationship }),
  ...prefixed('registration', registration),
  ...prefixed('address', address),
  ...prefixed('bank', bank),
  ...prefixed('primary', { ...primary, status: code('pending', 'sent', 'active', 'inactive') }),
  // For an alteration: what the company's registration has, and what the movement changes of it.
  ...prefixed('former', { ...person, ...registration }),
  ...prefixed('changed', { ...person, ...registration }),
  ...prefixed('changed-address', address),
  ...prefixed('changed-bank', bank),
  ...prefixed('contract', contract),
  ...prefixed('plan', plan),
  ...prefixed('former-plan', plan),
  ...prefixed('changed-plan', plan),
  // Where a change of company, or a transfer within the contract, goes to.
  ...prefixed('destination', {
    'company-tax-id': text,
    'company-name': text,
    'contract-number': text,
    'sub-contract': text,
  }),
  ...prefixed('benefit', benefit),
  ...prefixed('shipment', { number: text, 'cut-off-date': date, 'coverage-start': date }),
  ...prefixed('payroll', {
    'company-tax-id': text,
    'reference-month': date,
    'origin-month': date,
    kind: code(...PAYROLL_KINDS),
    event: text,
    amount: money,
  }),
} as const satisfies Readonly<Record<string, FieldOfLayout>>
export type Source = keyof typeof SOURCES

/** What the columns of a carrier's file are read as. Neither diagnoses nor procedures are among them. */
export const TARGETS = {
  ...prefixed('movement', { 'enrollment-id': text, position: text }),
  ...prefixed('acknowledgement', {
    outcome: code(...ACKNOWLEDGEMENT_OUTCOMES),
    code: text,
    message: text,
    'card-number': text,
    'start-date': date,
    'end-date': date,
    protocol: text,
  }),
  ...prefixed('person', { ...person, relationship }),
  ...prefixed('registration', registration),
  ...prefixed('address', address),
  ...prefixed('bank', bank),
  ...prefixed('primary', { ...primary, 'special-registration': text }),
  ...prefixed('contract', { 'contract-number': text, 'sub-contract': text }),
  ...prefixed('plan', plan),
  ...prefixed('benefit', {
    ...benefit,
    certificate: text,
    'dependent-code': text,
    'special-registration': text,
    'reactivation-date': date,
  }),
  ...prefixed('invoice', {
    'reference-month': date,
    amount: money,
    'employee-amount': money,
    'entry-type': code(...ENTRY_TYPES),
    'entry-code': text,
    'entry-month': date,
    description: text,
    total: money,
  }),
  ...prefixed('roster', { 'reference-month': date }),
  ...prefixed('coparticipation', { 'reference-month': date, amount: money }),
} as const satisfies Readonly<Record<string, FieldOfLayout>>
export type Target = keyof typeof TARGETS

/** The names, in the order of the tables. */
export const SOURCE_NAMES = Object.keys(SOURCES) as Source[]
export const TARGET_NAMES = Object.keys(TARGETS) as Target[]

const ofEmployees = ['person.name', 'person.tax-id', 'registration.employee-id', 'registration.cost-center']

/** Whether a file of the direction has values of the source. */
export function isSourceOf(direction: LayoutDirection, source: string): boolean {
  const isOfPayroll = source.startsWith('payroll.')
  return direction === 'payroll' ? isOfPayroll || ofEmployees.includes(source) : !isOfPayroll
}

/** What a file has once: its sources are those of the whole shipment. */
export const isOfHeader = (source: string): boolean =>
  /^(?:contract|shipment)\./.test(source) || ['payroll.company-tax-id', 'payroll.reference-month'].includes(source)

const HEALTH = /^(?:cid\d*|diagnos[a-z]*|doencas?|patologias?|procedimentos?|peso|altura|imc)$/

/** Whether a heading names health data, which is neither filled nor read. */
export function namesHealthData(heading: string): boolean {
  return foldHeading(heading)
    .split(' ')
    .some((word) => HEALTH.test(word))
}
