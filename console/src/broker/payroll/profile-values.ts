import type { RequestBody, Result } from '@vigencia/client'
import { formatMonth, parseMonth } from '../../format/month.ts'

export type Profile = Result<'readPayrollProfile'>

export const ownEvents = ['primary', 'dependent', 'coparticipation'] as const
type Events = Readonly<Record<(typeof ownEvents)[number], string>>

/** A profile in the form, in the shape of the API, so that its errors find their fields. */
export interface ProfileValues {
  readonly 'layout-id': string | null
  readonly events: Events & { readonly refund: string; readonly 'by-product-type': Readonly<Record<string, Events>> }
  readonly basis: Profile['basis']
  /** As it is written: `mm/yyyy`. */
  readonly 'first-month': string
  readonly 'payroll-day': string
  readonly 'unpaid-leave': Profile['unpaid-leave']
  readonly 'tax-figures-by': Profile['tax-figures-by']
  readonly 'final-limit': Profile['final-limit']
}

export const noEvents: Events = { primary: '', dependent: '', coparticipation: '' }

export const newProfile: ProfileValues = {
  'layout-id': 'payroll-csv',
  events: { ...noEvents, refund: '', 'by-product-type': {} },
  basis: 'closed-month',
  'first-month': '',
  'payroll-day': '',
  'unpaid-leave': null,
  'tax-figures-by': null,
  'final-limit': null,
}

export const valuesOf = (profile: Profile): ProfileValues => ({
  'layout-id': profile['layout-id'],
  events: { ...profile.events, refund: profile.events.refund ?? '' },
  basis: profile.basis,
  'first-month': profile['first-month'] === null ? '' : formatMonth(profile['first-month']),
  'payroll-day': String(profile['payroll-day'] ?? ''),
  'unpaid-leave': profile['unpaid-leave'],
  'tax-figures-by': profile['tax-figures-by'],
  'final-limit': profile['final-limit'],
})

/** The operation deletes what is not sent: a field that the form lacks does not compile. */
export function bodyOf(values: ProfileValues): Required<RequestBody<'putPayrollProfile'>> {
  const { events, 'payroll-day': day } = values
  const isAhead = values.basis === 'effective-date'
  return {
    ...values,
    'layout-id': values['layout-id'] ?? '',
    events: { ...events, refund: events.refund.trim() || null },
    // With the other basis they say nothing.
    'first-month': isAhead ? (parseMonth(values['first-month'])?.start.slice(0, 7) ?? null) : null,
    'tax-figures-by': isAhead ? values['tax-figures-by'] : null,
    'payroll-day': day.trim() === '' ? null : Number(day),
  }
}

export const isDay = (text: string): boolean => /^([1-9]|[12]\d|3[01])$/.test(text.trim())
