import {
  SUBJECT_REQUEST_KINDS,
  SUBJECT_REQUEST_STATUSES,
  type SubjectRequestKind,
  type SubjectRequestStatus,
} from '../../../../src/kernel/operator-enums.ts'

type Raw = Readonly<Record<string, unknown>>

export const holdStates = ['in-force', 'released'] as const

/** The list that is shown and its filters; those of requests under the names of the API. */
export interface PersonalDataSearch {
  /** Without it: the requests. */
  readonly view?: 'holds'
  readonly kind?: SubjectRequestKind
  readonly status?: SubjectRequestStatus
  readonly hold?: (typeof holdStates)[number]
}

/** What each list of the page gets. */
export interface ListProps {
  readonly search: PersonalDataSearch
  readonly onChange: (part: {
    readonly [Name in keyof PersonalDataSearch]: PersonalDataSearch[Name] | undefined
  }) => void
}

export function personalDataSearchOf(raw: Raw): PersonalDataSearch {
  const kind = SUBJECT_REQUEST_KINDS.find((one) => one === raw['kind'])
  const status = SUBJECT_REQUEST_STATUSES.find((one) => one === raw['status'])
  const hold = holdStates.find((one) => one === raw['hold'])
  if (raw['view'] === 'holds') return { view: 'holds', ...(hold === undefined ? {} : { hold }) }
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
