import {
  ENROLLMENT_STATUSES,
  PART_STATUSES,
  REQUEST_STATUSES,
  MOVEMENT_KINDS,
  type EnrollmentStatus,
  type PartStatus,
  type RequestStatus,
  type MovementKind,
} from '../../../../src/kernel/enums.ts'

/** The filters of the list, under the names of the API. */
export interface RequestsSearch {
  readonly 'request-type'?: MovementKind
  readonly status?: RequestStatus
  readonly 'company-tax-id'?: string
  readonly reference?: string
  readonly 'from-dt'?: string
  readonly 'until-dt'?: string
}

/** Which parts of a request are listed. */
export interface RequestSearch {
  readonly 'part-status'?: PartStatus
  readonly 'enrollment-status'?: EnrollmentStatus
  readonly offense?: string
}

type Raw = Readonly<Record<string, unknown>>

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value)
}

/** Text of the address; digits alone come as a number. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** Without the absent ones. */
function present<T extends object>(values: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

const dateOf = (value: unknown) => (/^\d{4}-\d{2}-\d{2}$/.test(textOf(value) ?? '') ? textOf(value) : undefined)

export function requestsSearchOf(raw: Raw): RequestsSearch {
  return present<RequestsSearch>({
    'request-type': oneOf(MOVEMENT_KINDS, raw['request-type']),
    status: oneOf(REQUEST_STATUSES, raw['status']),
    'company-tax-id': textOf(raw['company-tax-id']),
    reference: textOf(raw['reference']),
    'from-dt': dateOf(raw['from-dt']),
    'until-dt': dateOf(raw['until-dt']),
  })
}

export function requestSearchOf(raw: Raw): RequestSearch {
  return present<RequestSearch>({
    'part-status': oneOf(PART_STATUSES, raw['part-status']),
    'enrollment-status': oneOf(ENROLLMENT_STATUSES, raw['enrollment-status']),
    offense: textOf(raw['offense']),
  })
}
