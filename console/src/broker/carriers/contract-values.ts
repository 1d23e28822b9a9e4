import type { RequestBody, ResponseBody } from '@vigencia/client'
import type { CONTRACT_CHANNELS, CONTRACT_LIVES, CONTRACT_STATUSES } from '../../../../src/kernel/operator-enums.ts'
import type {
  AcknowledgementColumn,
  AcknowledgementOutcome,
  RefusalStatus,
} from '../../../../src/registry/rules/acknowledgement.ts'
import { type ContactValues, contactsBody, contactValues } from '../../entities/contacts/contact-values.ts'
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

interface MeaningValues {
  readonly key: string
  readonly code: string
  readonly status: RefusalStatus
  readonly reason: string
  readonly items: PendingItem[]
}

/** The form of a contract, by the names of the API. '' and null: not recorded. */
export interface ContractValues {
  readonly 'company-tax-id': string | null
  readonly 'carrier-name': string | null
  readonly 'contract-number': string
  readonly 'sub-contract': string
  readonly 'carrier-company-code': string
  readonly 'ans-registration': string
  readonly 'carrier-tax-id': string
  readonly lives: (typeof CONTRACT_LIVES)[number] | null
  readonly 'contract-start': string | null
  readonly 'anniversary-month': string | null
  readonly contributory: 'yes' | 'no' | null
  readonly coparticipation: 'yes' | 'no' | null
  readonly 'post-paid': 'yes' | 'no' | null
  readonly 'retirement-remainder': Contract['retirement-remainder']
  readonly channel: (typeof CONTRACT_CHANNELS)[number] | null
  readonly 'answer-within-business-days': NumberValue
  readonly status: (typeof CONTRACT_STATUSES)[number]
  readonly plans: PlanValues[]
  readonly layouts: Contract['layouts']
  readonly 'code-map': MeaningValues[]
  /** Both are the mapping of acknowledgements; without one of them there is none. */
  readonly headings: { readonly key: string; readonly heading: string; readonly column: AcknowledgementColumn }[]
  readonly words: { readonly key: string; readonly word: string; readonly outcome: AcknowledgementOutcome }[]
  readonly hasCalendar: boolean
  readonly calendar: CalendarValues
  readonly contacts: ContactValues[]
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

export const newContract = (): ContractValues => ({
  'company-tax-id': null,
  'carrier-name': null,
  'contract-number': '',
  'sub-contract': '',
  'carrier-company-code': '',
  'ans-registration': '',
  'carrier-tax-id': '',
  lives: null,
  'contract-start': null,
  'anniversary-month': null,
  contributory: null,
  coparticipation: null,
  'post-paid': null,
  'retirement-remainder': null,
  channel: null,
  'answer-within-business-days': 10,
  status: 'active',
  plans: [],
  layouts: noLayouts,
  'code-map': [],
  headings: [],
  words: [],
  hasCalendar: false,
  calendar: noCalendar,
  contacts: [],
})

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

export function valuesOf(contract: Contract): ContractValues {
  return {
    'company-tax-id': contract['company-tax-id'],
    'carrier-name': contract['carrier-name'],
    'contract-number': contract['contract-number'],
    'sub-contract': contract['sub-contract'],
    lives: contract.lives,
    'contract-start': contract['contract-start'],
    channel: contract.channel,
    'answer-within-business-days': contract['answer-within-business-days'],
    status: contract.status,
    'carrier-company-code': contract['carrier-company-code'] ?? '',
    'ans-registration': contract['ans-registration'] ?? '',
    'carrier-tax-id': contract['carrier-tax-id'] ?? '',
    'anniversary-month': contract['anniversary-month'] === null ? null : String(contract['anniversary-month']),
    contributory: choice(contract.contributory),
    coparticipation: choice(contract.coparticipation),
    'post-paid': choice(contract['post-paid']),
    'retirement-remainder': contract['retirement-remainder'],
    plans: contract.plans.map((plan) => ({
      'product-id': plan['product-id'],
      'carrier-plan-code': plan['carrier-plan-code'] ?? '',
      'ans-plan-number': plan['ans-plan-number'] ?? '',
      'plan-version': plan['plan-version'] ?? '',
    })),
    layouts: contract.layouts,
    'code-map': contract['code-map'].map(({ code, status, reason = '', 'pending-items': items = [] }) => ({
      key: nextKey(),
      code,
      status,
      reason,
      items,
    })),
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
    contacts: contactValues(contract.contacts),
  }
}

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

function meaningBody({ code, status, reason, items }: MeaningValues): MeaningBody {
  return {
    code: code.trim(),
    status,
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    ...(status === 'rejected' || items.length === 0 ? {} : { 'pending-items': items }),
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
  const { hasCalendar: _hasCalendar, headings: _headings, words: _words, ...fields } = values
  return {
    ...kept,
    ...fields,
    'company-tax-id': values['company-tax-id'] ?? '',
    'carrier-name': values['carrier-name'] ?? '',
    'contract-number': values['contract-number'].trim(),
    'sub-contract': values['sub-contract'].trim(),
    'carrier-company-code': text(values['carrier-company-code']),
    'ans-registration': text(values['ans-registration']),
    'carrier-tax-id': text(values['carrier-tax-id']),
    'anniversary-month': numberOf(values['anniversary-month'] ?? ''),
    contributory: flag(values.contributory),
    coparticipation: flag(values.coparticipation),
    'post-paid': flag(values['post-paid']),
    'answer-within-business-days': Number(values['answer-within-business-days']),
    plans: values.plans.map((plan) => ({
      'product-id': plan['product-id'],
      'carrier-plan-code': text(plan['carrier-plan-code']),
      'ans-plan-number': text(plan['ans-plan-number']),
      'plan-version': text(plan['plan-version']),
    })),
    'code-map': values['code-map'].map(meaningBody),
    'acknowledgement-mapping': mappingBody(values),
    calendar: calendarBody(values),
    contacts: contactsBody(values.contacts),
  }
}
