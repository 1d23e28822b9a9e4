import {
  SUBJECT_REQUEST_KINDS,
  SUBJECT_REQUEST_STATUSES,
  type SubjectRequestKind,
  type SubjectRequestStatus,
} from '../../../../src/domain/subject-request.ts'

type Raw = Readonly<Record<string, unknown>>

/** The filters of the list, under the names of the API. */
export interface SubjectRequestsSearch {
  readonly kind?: SubjectRequestKind
  readonly status?: SubjectRequestStatus
}

export function subjectRequestsSearchOf(raw: Raw): SubjectRequestsSearch {
  const kind = SUBJECT_REQUEST_KINDS.find((one) => one === raw['kind'])
  const status = SUBJECT_REQUEST_STATUSES.find((one) => one === raw['status'])
  return { ...(kind === undefined ? {} : { kind }), ...(status === undefined ? {} : { status }) }
}

/** The period, both in UTC as the API has them. */
export interface DisclosuresSearch {
  readonly 'from-at'?: string
  readonly 'until-at'?: string
}

export function disclosuresSearchOf(raw: Raw): DisclosuresSearch {
  const names = ['from-at', 'until-at'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = raw[name]
      return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? [[name, value]] : []
    }),
  )
}
