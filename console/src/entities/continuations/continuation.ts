import type { ResponseBody } from '@vigencia/client'
import type { ContinuationStatus } from '../../../../src/coverage/rules/continuation.ts'
import type { BadgeColor } from '../../components/badge.tsx'

export type Continuation = ResponseBody<'readAnyContinuation'>['result']

export const statusColors: Readonly<Record<ContinuationStatus, BadgeColor>> = {
  'notice-pending': 'orange',
  offered: 'blue',
  accepted: 'indigo',
  active: 'green',
  declined: 'gray',
  expired: 'gray',
  ended: 'gray',
  'no-right': 'gray',
}
