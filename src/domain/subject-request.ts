/* What people ask of their personal data (LGPD arts. 18 and 19): closed sets, and what may follow on what. */

export const SUBJECT_REQUEST_KINDS = ['access', 'erasure'] as const
export type SubjectRequestKind = (typeof SUBJECT_REQUEST_KINDS)[number]

/** `planned`, `approved` and `partly-fulfilled` are of an erasure only: some of the data had to stay. */
export const SUBJECT_REQUEST_STATUSES = [
  'open',
  'planned',
  'approved',
  'partly-fulfilled',
  'fulfilled',
  'cancelled',
] as const
export type SubjectRequestStatus = (typeof SUBJECT_REQUEST_STATUSES)[number]

/** What an operator may say of a request. An erasure is fulfilled when it is done: nobody says so. */
export const SUBJECT_REQUEST_STEPS = {
  access: {
    open: ['fulfilled', 'cancelled'],
    planned: [],
    approved: [],
    'partly-fulfilled': [],
    fulfilled: [],
    cancelled: [],
  },
  erasure: {
    open: ['cancelled'],
    planned: ['cancelled'],
    approved: ['cancelled'],
    'partly-fulfilled': [],
    fulfilled: [],
    cancelled: [],
  },
} as const satisfies Record<SubjectRequestKind, Record<SubjectRequestStatus, readonly SubjectRequestStatus[]>>
