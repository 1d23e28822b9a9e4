import { termBadge } from '../../components/term-badge.tsx'

/** The status of a claim. */
export const ClaimStatusBadge = termBadge('claimStatus', {
  draft: 'gray',
  sent: 'blue',
  accepted: 'indigo',
  refused: 'red',
  credited: 'green',
})
