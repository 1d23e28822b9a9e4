import type { RequestBody, ResponseBody } from '@vigencia/client'
import type { CONTRACT_CHANNELS, CONTRACT_LIVES, CONTRACT_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import type {
  AcknowledgementColumn,
  AcknowledgementOutcome,
  RefusalStatus,
} from '../../../../src/registry/rules/acknowledgement.ts'
import { type ContactValues, contactsBody, contactValues, newContact } from '../../entities/contacts/contact-values.ts'
import type { HOLIDAY_SETS } from '../../../../src/kernel/business-days.ts'
import type { NOT_BUSINESS_DAY_RULES } from '../../../../src/registry/rules/cut-off.ts'

export type Contract = ResponseBody<'readContract'>['result']
type ContractBody = RequestBody<'createContract'>

type MeaningBody = Contract['code-map'][number]
export type PendingItem = NonNullable<MeaningBody['pending-items']>[number]

/** '' where the input is empty; a text where it is no number. */
type NumberValue = number | string

interface PlanValues {
  readonly 'product-id': string
  readonly 'carrier-plan-code': string
  readonly 'ans-plan-number': string
  readonly 'plan-version': string
}

interface CalendarValues {
  /** Which of the next two counts. */
  readonly kind: 'day' | 'before'
  readonly 'cut-off-day': NumberValue
  readonly 'cut-off-business-days-before-billing': NumberValue
  readonly 'when-not-business-day': (typeof NOT_BUSINESS_DAY_RULES)[number]
  readonly holidays: (typeof HOLIDAY_SETS)[number]
  /** As people write them, with commas. */
  readonly 'own-holidays': string
  readonly 'coverage-day': NumberValue
  readonly 'coverage-month-offset': string
  /** `key` stays while others are removed; `month` is `mm/yyyy`. */
  readonly exceptions: { readonly key: string; readonly month: string; readonly 'cut-off-date': string | null }[]
}

/** How far back; both are empty where it is not known. */
interface LimitValues {
  readonly unit: NonNullable<Contract['retroactive-exclusion']>['unit'] | null
  readonly count: NumberValue
}

interface MeaningValues {
  readonly key: string
  readonly code: string
  readonly status: RefusalStatus
  readonly reason: string
  readonly items: PendingItem[]
}

let rows = 0
const nextKey = () => `row-${++rows}`

export const newPlan = (productId: string): PlanValues => ({
  'product-id': productId,
  'carrier-plan-code': '',
  'ans-plan-number': '',
  'plan-version': '',
})
export const newException = () => ({ key: nextKey(), month: '', 'cut-off-date': null })

export const newMeaning = (): MeaningValues => ({
  key: nextKey(),
  code: '',
  status: 'pending-correction',
  reason: '',
  items: [],
})
export const newHeading = () => ({ key: nextKey(), heading: '', column: 'outcome' as const })
export const newWord = () => ({ key: nextKey(), word: '', outcome: 'accepted' as const })

const noLayouts = { movement: null, acknowledgement: null, roster: null, invoice: null, coparticipation: null }

const noCalendar: CalendarValues = {
  kind: 'day',
  'cut-off-day': '',
  'cut-off-business-days-before-billing': '',
  'when-not-business-day': 'previous',
  holidays: 'national',
  'own-holidays': '',
  'coverage-day': 1,
  'coverage-month-offset': '1',
  exceptions: [],
}

/** `01-25` as `25/01`, `2027-01-25` as `25/01/2027`. */
const writtenDay = (day: string) => day.split('-').toReversed().join('/')
/** `2026-12` as `12/2026`. */
export const writtenMonth = writtenDay

/** The contrary; what is no day stays as it is, and the service refuses it. */
function readDay(text: string): string {
  const match = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(text)
  if (match === null) return text
  const [, day = '', month = '', year] = match
  return [...(year === undefined ? [] : [year]), month.padStart(2, '0'), day.padStart(2, '0')].join('-')
}

/** `12/2026` as the API writes months; what is none stays as it is. */
export function readMonth(text: string): string {
  return text
    .trim()
    .replace(/^(\d{1,2})\/?(\d{4})$/, (_match, month: string, year: string) => `${year}-${month.padStart(2, '0')}`)
}

const choice = (value: boolean | null) => (value === null ? null : value ? 'yes' : 'no')
const flag = (value: 'yes' | 'no' | null) => (value === null ? null : value === 'yes')
const text = (value: string) => value.trim() || null
const numberOf = (value: NumberValue) => (value === '' ? null : Number(value))

function calendarValues(calendar: Contract['calendar']): CalendarValues {
  if (calendar === null) return noCalendar
  return {
    ...calendar,
    kind: calendar['cut-off-day'] === null ? 'before' : 'day',
    'cut-off-day': calendar['cut-off-day'] ?? '',
    'cut-off-business-days-before-billing': calendar['cut-off-business-days-before-billing'] ?? '',
    'own-holidays': calendar['own-holidays'].map(writtenDay).join(', '),
    'coverage-month-offset': String(calendar['coverage-month-offset']),
    exceptions: calendar.exceptions.map((one) => ({ ...one, key: nextKey(), month: writtenMonth(one.month) })),
  }
}

/** A field of the form: what it has where nothing is recorded, how it reads what the API has, and what is sent. */
interface Field<Wire, Value> {
  readonly empty: Value
  readonly read: (wire: Wire) => Value
  readonly write: (value: Value) => Wire
}

const same = <Wire>(empty: Wire): Field<Wire, Wire> => ({ empty, read: (wire) => wire, write: (value) => value })
const party: Field<string, string | null> = { empty: null, read: (wire) => wire, write: (value) => value ?? '' }
const number: Field<string, string> = { ...same(''), write: (value) => value.trim() }
const optional: Field<string | null, string> = { empty: '', read: (wire) => wire ?? '', write: text }
const yesOrNo: Field<boolean | null, 'yes' | 'no' | null> = { empty: null, read: choice, write: flag }

/** Whole numbers of which none means that it is not known. */
const count: Field<number | null, NumberValue> = { empty: '', read: (wire) => wire ?? '', write: numberOf }
const limit: Field<Contract['retroactive-exclusion'], LimitValues> = {
  empty: { unit: null, count: '' },
  read: (wire) => wire ?? { unit: null, count: '' },
  // The service refuses one without the other.
  write: (value) =>
    value.unit === null && value.count === ''
      ? null
      : ({ unit: value.unit, count: numberOf(value.count) } as Contract['retroactive-exclusion']),
}

function meaningBody({ code, status, reason, items }: MeaningValues): MeaningBody {
  return {
    code: code.trim(),
    status,
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    ...(status === 'rejected' || items.length === 0 ? {} : { 'pending-items': items }),
  }
}

/** The fields of the form that are fields of the API, under its names. */
const fields = {
  'company-tax-id': party,
  'carrier-name': party,
  'contract-number': number,
  'sub-contract': number,
  'carrier-company-code': optional,
  'ans-registration': optional,
  'carrier-tax-id': optional,
  lives: same<(typeof CONTRACT_LIVES)[number] | null>(null),
  'contract-start': same<string | null>(null),
  'anniversary-month': {
    empty: null,
    read: (wire) => (wire === null ? null : String(wire)),
    write: (value) => numberOf(value ?? ''),
  } as Field<number | null, string | null>,
  contributory: yesOrNo,
  coparticipation: yesOrNo,
  'post-paid': yesOrNo,
  'retirement-remainder': same<Contract['retirement-remainder']>(null),
  'age-on': same<Contract['age-on']>(null),
  proration: same<Contract['proration']>(null),
  'proration-day': count,
  tolerance: { empty: 0, read: (wire) => wire, write: (value) => value ?? 0 } as Field<number, number | null>,
  'retroactive-exclusion': limit,
  'retroactive-inclusion': limit,
  'coparticipation-delay-months': count,
  channel: same<(typeof CONTRACT_CHANNELS)[number] | null>(null),
  'answer-within-business-days': { empty: 10, read: (wire) => wire, write: Number } as Field<number, NumberValue>,
  'show-discrepancies': same<boolean>(false),
  status: same<(typeof CONTRACT_STATUSES)[number]>('active'),
  plans: {
    empty: [],
    read: (plans) =>
      plans.map((plan) => ({
        'product-id': plan['product-id'],
        'carrier-plan-code': plan['carrier-plan-code'] ?? '',
        'ans-plan-number': plan['ans-plan-number'] ?? '',
        'plan-version': plan['plan-version'] ?? '',
      })),
    write: (plans) =>
      plans.map((plan) => ({
        'product-id': plan['product-id'],
        'carrier-plan-code': text(plan['carrier-plan-code']),
        'ans-plan-number': text(plan['ans-plan-number']),
        'plan-version': text(plan['plan-version']),
      })),
  } as Field<Contract['plans'], PlanValues[]>,
  layouts: same<Contract['layouts']>(noLayouts),
  'code-map': {
    empty: [],
    read: (meanings) =>
      meanings.map(({ code, status, reason = '', 'pending-items': items = [] }) => ({
        key: nextKey(),
        code,
        status,
        reason,
        items,
      })),
    write: (meanings) => meanings.map(meaningBody),
  } as Field<Contract['code-map'], MeaningValues[]>,
  contacts: { empty: [], read: contactValues, write: contactsBody } as Field<Contract['contacts'], ContactValues[]>,
}

type Fields = typeof fields
const names = Object.keys(fields) as (keyof Fields)[]

/** The form of a contract, by the names of the API. '' and null: not recorded. */
export type ContractValues = { readonly [Name in keyof Fields]: Fields[Name]['empty'] } & {
  /** Both are the mapping of acknowledgements; without one of them there is none. */
  readonly headings: { readonly key: string; readonly heading: string; readonly column: AcknowledgementColumn }[]
  readonly words: { readonly key: string; readonly word: string; readonly outcome: AcknowledgementOutcome }[]
  readonly hasCalendar: boolean
  readonly calendar: CalendarValues
}

/** The fields that have an input, for errors of the service; those in lists by their last name. */
export const contractInputs: readonly string[] = [
  ...names.filter((name) => fields[name].empty === null || typeof fields[name].empty !== 'object'),
  ...[newPlan(''), newMeaning(), newException(), newContact(), noCalendar, noLayouts, limit.empty].flatMap(Object.keys),
]

const mapped = (value: (name: keyof Fields) => unknown) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as never

export const newContract = (): ContractValues => ({
  ...(mapped((name) => fields[name].empty) as ContractValues),
  headings: [],
  words: [],
  hasCalendar: false,
  calendar: noCalendar,
})

export const valuesOf = (contract: Contract): ContractValues => ({
  ...(mapped((name) => fields[name].read(contract[name] as never)) as ContractValues),
  headings: Object.entries(contract['acknowledgement-mapping']?.columns ?? {}).map(([heading, column]) => ({
    key: nextKey(),
    heading,
    column,
  })),
  words: Object.entries(contract['acknowledgement-mapping']?.outcomes ?? {}).map(([word, outcome]) => ({
    key: nextKey(),
    word,
    outcome,
  })),
  hasCalendar: contract.calendar !== null,
  calendar: calendarValues(contract.calendar),
})

function calendarBody({ hasCalendar, calendar }: ContractValues): Exclude<ContractBody['calendar'], undefined> {
  if (!hasCalendar) return null
  const { kind, exceptions, ...others } = calendar
  return {
    ...others,
    'cut-off-day': kind === 'day' ? numberOf(calendar['cut-off-day']) : null,
    'cut-off-business-days-before-billing':
      kind === 'before' ? numberOf(calendar['cut-off-business-days-before-billing']) : null,
    'own-holidays': calendar['own-holidays']
      .split(/[,;\s]+/)
      .filter((day) => day !== '')
      .map(readDay),
    'coverage-day': Number(calendar['coverage-day']),
    'coverage-month-offset': Number(calendar['coverage-month-offset']),
    exceptions: exceptions.map((one) => ({
      month: readMonth(one.month),
      'cut-off-date': one['cut-off-date'] ?? '',
    })),
  }
}

function mappingBody({ headings, words }: ContractValues): Contract['acknowledgement-mapping'] {
  if (headings.length === 0 && words.length === 0) return null
  return {
    columns: Object.fromEntries(headings.map(({ heading, column }) => [heading.trim(), column])),
    outcomes: Object.fromEntries(words.map(({ word, outcome }) => [word.trim(), outcome])),
  }
}

/** What the service takes; it judges whether it is complete. @param base the contract that is replaced: what the form does not have stays. */
export function bodyOf(values: ContractValues, base: Contract | null): ContractBody {
  const { 'contract-id': _id, 'next-cut-off': _cutOff, ...kept } = base ?? {}
  return {
    ...kept,
    ...(mapped((name) => fields[name].write(values[name] as never)) as ContractBody),
    'acknowledgement-mapping': mappingBody(values),
    calendar: calendarBody(values),
  }
}
