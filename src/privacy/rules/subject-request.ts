/* What people ask of their personal data (LGPD arts. 18 and 19), and what may follow on what. */
import type { SubjectRequestKind, SubjectRequestStatus } from '#kernel/broker-enums.ts'

/** What an operator may say of a request. An erasure is fulfilled when it is done, without an operator. */
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
