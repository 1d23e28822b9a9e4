import type { Query } from '@vigencia/client'
import { ALTERATION_KINDS, type AlterationKind } from '../../../../src/kernel/enums.ts'
import { parseSearch } from '../../../../src/kernel/search.ts'
import { businessDate } from '../../format/date.ts'

type QueueQuery = Query<'listEnrollmentQueue'>

export const tabs = [
  'open',
  'created',
  'broker-processing',
  'carrier-processing',
  'pending-documents',
  'pending-correction',
  'scheduled',
  'completed',
  'rejected',
  'cancelled',
  'all',
] as const
export type Tab = (typeof tabs)[number]

export const closedTabs = ['completed', 'rejected', 'cancelled'] as const

const orders = ['due-date', 'created-at', 'money-at-risk'] as const
export type QueueOrder = (typeof orders)[number]

export const dues = ['overdue', 'today', 'week'] as const
/** Days since the creation: at most, or at least. */
export const ages = ['today', 'last-7', 'over-7', 'over-15', 'over-30'] as const
const types = ['inclusion', 'exclusion', 'alteration'] as const

/** The filters of the queue as the address has them: the parameters of the API, and some that depend on the day and the operator. */
export interface QueueSearch {
  readonly status?: Tab
  readonly 'enrollment-type'?: (typeof types)[number]
  readonly 'alteration-kind'?: AlterationKind
  readonly 'carrier-name'?: string
  readonly 'company-tax-id'?: string
  readonly 'product-id'?: string
  readonly 'member-id'?: string
  readonly 'shipment-id'?: string
  readonly 'shipment-number'?: number
  readonly 'cut-off-date'?: string
  /** The carrier has not answered in time. */
  readonly overdue?: true
  /** The partner has answered. */
  readonly answered?: true
  /** `me`, `none` or the client id of an operator. */
  readonly assignee?: string
  readonly due?: (typeof dues)[number]
  readonly 'due-from'?: string
  readonly 'due-before'?: string
  readonly age?: (typeof ages)[number]
  readonly 'from-dt'?: string
  readonly 'until-dt'?: string
  readonly 'resolved-from-dt'?: string
  readonly 'resolved-until-dt'?: string
  readonly q?: string
  readonly sort?: QueueOrder
  /** The view of the team that it began with. */
  readonly view?: string
}

const texts = ['carrier-name', 'company-tax-id', 'product-id', 'member-id', 'shipment-id', 'assignee', 'q'] as const
export const dayNames = [
  'due-from',
  'due-before',
  'from-dt',
  'until-dt',
  'resolved-from-dt',
  'resolved-until-dt',
] as const

/** The filters of an address; what is none is left out. */
export function parseQueueSearch(search: Readonly<Record<string, unknown>>): QueueSearch {
  const text = (name: string) => {
    const value = search[name]
    // Links of the console have numbers, addresses have text.
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const oneOf = <T extends string>(name: string, values: readonly T[]) => {
    const value = values.find((one) => one === text(name))
    return value === undefined ? {} : { [name]: value }
  }
  return {
    ...oneOf('status', tabs.slice(1)),
    ...oneOf('enrollment-type', types),
    ...oneOf('alteration-kind', ALTERATION_KINDS),
    ...Object.fromEntries(texts.flatMap((name) => (text(name) === '' ? [] : [[name, text(name)]]))),
    ...(/^[1-9]\d{0,5}$/.test(text('shipment-number')) ? { 'shipment-number': Number(text('shipment-number')) } : {}),
    ...(search['overdue'] === true || search['overdue'] === 'true' ? { overdue: true as const } : {}),
    ...(search['answered'] === true || search['answered'] === 'true' ? { answered: true as const } : {}),
    ...oneOf('due', dues),
    ...oneOf('age', ages),
    ...Object.fromEntries(
      [...dayNames, 'cut-off-date' as const].flatMap((name) =>
        /^\d{4}-\d{2}-\d{2}$/.test(text(name)) ? [[name, text(name)]] : [],
      ),
    ),
    ...oneOf('sort', orders),
    ...(/^[\da-f-]{36}$/.test(text('view')) ? { view: text('view') } : {}),
  }
}

/** Whether the text is long enough to search for. */
export function isSearch(q: string | undefined): q is string {
  return q !== undefined && parseSearch(q) !== null
}

/** The day some days after another, as the API writes days. */
function daysAfter(day: string, days: number): string {
  const instant = new Date(`${day}T00:00:00Z`)
  instant.setUTCDate(instant.getUTCDate() + days)
  return instant.toISOString().slice(0, 10)
}

function dueDays(due: QueueSearch['due'], today: string): QueueQuery {
  switch (due) {
    case 'overdue':
      return { 'due-before': today }
    case 'today':
      return { 'due-from': today, 'due-before': daysAfter(today, 1) }
    case 'week':
      return { 'due-from': today, 'due-before': daysAfter(today, 8) }
    case undefined:
      return {}
    default:
      return due satisfies never
  }
}

function createdDays(age: QueueSearch['age'], today: string): QueueQuery {
  if (age === undefined) return {}
  if (age === 'today') return { 'from-dt': today }
  const days = Number(age.slice(age.indexOf('-') + 1))
  return age === 'last-7' ? { 'from-dt': daysAfter(today, -days) } : { 'until-dt': daysAfter(today, -days - 1) }
}

/** The filters as parameters of the list, the export and, but for status and order, of the counts. @param me client id of the operator. */
export function filterOf(search: QueueSearch, me: string, today: string = businessDate()): QueueQuery {
  const { status: _status, due, age, sort: _sort, view: _view, assignee, overdue, q, ...others } = search
  return {
    ...others,
    ...(overdue === undefined ? {} : { 'overdue-at-carrier': overdue }),
    ...dueDays(due, today),
    ...createdDays(age, today),
    ...(assignee === undefined ? {} : { assignee: assignee === 'me' ? me : assignee }),
    ...(isSearch(q) ? { q: q.trim() } : {}),
  }
}

/** Whether the tab has open movements only. */
function isOpenTab({ status = 'open' }: QueueSearch): boolean {
  return status !== 'all' && !closedTabs.some((one) => one === status)
}

/** The order of the list: open movements by due date, unless the address has another. */
export function orderOf(search: QueueSearch): QueueOrder {
  return search.sort ?? (isOpenTab(search) ? 'due-date' : 'created-at')
}

/** The parameters of the export: a file for people in Brazil. */
export function exportQueryOf(search: QueueSearch, me: string): Omit<QueueQuery, 'group'> & { language: 'pt-BR' } {
  return { ...selectionOf(search, me), language: 'pt-BR' }
}

function selectionOf(search: QueueSearch, me: string): Omit<QueueQuery, 'group'> {
  const { status = 'open' } = search
  return { ...filterOf(search, me), ...(status === 'all' ? {} : { status }), sort: orderOf(search) }
}

/** The parameters of the list. The families of open movements stand together; of the others there are too many. */
export function listQueryOf(search: QueueSearch, me: string): QueueQuery {
  return { ...selectionOf(search, me), ...(isOpenTab(search) ? { group: 'family' as const } : {}) }
}

/** The number of filters that are set; the tab, the order and the view are none. */
export function filterCount({ status: _status, sort: _sort, view: _view, ...filters }: QueueSearch): number {
  return Object.keys(filters).length
}
