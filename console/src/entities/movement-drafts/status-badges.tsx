import { termBadge } from '../../components/term-badge.tsx'

/** The status of a movement draft. */
export const DraftStatusBadge = termBadge('draftStatus', { open: 'blue', requesting: 'indigo', closed: 'gray' })

/** The status of an item of it. */
export const DraftItemStatusBadge = termBadge('draftItemStatus', {
  proposed: 'blue',
  approval: 'blue',
  confirmed: 'indigo',
  requested: 'green',
  refused: 'red',
  discarded: 'gray',
  superseded: 'gray',
  expired: 'gray',
  held: 'gray',
})
