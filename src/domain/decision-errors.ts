/* The errors of operators' decisions. See error-codes.ts. */
import type { ErrorDescription } from './request-errors.ts'

export const DECISION_ERRORS = {
  'decision-job-not-found': {
    status: 404,
    error: 'Decision job not found',
    cause: 'There is no job with this id, or it ended more than 30 days ago.',
    mend: 'Use the `job-id` of the response to the decisions.',
  },
  'illegal-transition': {
    status: 409,
    error: 'Illegal transition',
    cause: 'An enrollment cannot go from its status (`from`) to the one that was sent (`to`).',
    mend: '`allowed` lists the statuses that it can go to.',
  },
  'duplicated-enrollment': {
    status: 409,
    error: 'Duplicated enrollment',
    cause:
      'Items or lines of one call name an enrollment more than once, with different decisions. None of them was done.',
    mend: 'Leave one of them.',
  },
  'primary-member-not-active': {
    status: 409,
    error: 'Primary member is not active in this product',
    cause: "A dependent's inclusion cannot be completed before that of the primary.",
    mend: "Complete the primary's inclusion first, or both in one call.",
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>
