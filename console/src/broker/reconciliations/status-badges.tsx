import { termBadge } from '../../components/term-badge.tsx'

/** The status of a carrier's file. */
export const FileStatusBadge = termBadge('carrierFileStatus', { reading: 'blue', read: 'green', failed: 'red' })

/** The status of a reconciliation. */
export const ReconciliationStatusBadge = termBadge('reconciliationStatus', {
  computing: 'blue',
  open: 'orange',
  closed: 'gray',
})
