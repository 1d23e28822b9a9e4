import { SUBJECT_REQUEST_KINDS, SUBJECT_REQUEST_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import { oneOf, searchOf } from '../../lists/search.ts'

export const holdStates = ['in-force', 'released'] as const

/** The list that is shown, without `view` the requests, and its filters; those of requests under the names of the API. */
export const personalDataSearchOf = searchOf({
  view: oneOf(['holds']),
  kind: oneOf(SUBJECT_REQUEST_KINDS),
  status: oneOf(SUBJECT_REQUEST_STATUSES),
  hold: oneOf(holdStates),
})
