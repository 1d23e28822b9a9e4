import { termBadge } from '../../components/term-badge.tsx'

/** The status of a roster sync. */
export const RosterStatusBadge = termBadge('rosterStatus', {
  open: 'orange',
  reading: 'indigo',
  comparing: 'indigo',
  compared: 'green',
  failed: 'red',
  cancelled: 'gray',
})
