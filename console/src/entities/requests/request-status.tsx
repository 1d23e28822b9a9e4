import { termBadge } from '../../components/term-badge.tsx'

export const RequestStatusBadge = termBadge('requestStatus', {
  processing: 'blue',
  completed: 'green',
  'partial-failure': 'orange',
  failed: 'red',
})

/** The outcome of one part of a request. */
export const PartStatusBadge = termBadge('partStatus', {
  processing: 'blue',
  'enrollment-created': 'green',
  failed: 'red',
})
