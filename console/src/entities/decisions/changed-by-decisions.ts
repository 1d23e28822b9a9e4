import type { OperationId } from '@vigencia/client'

/** The operations that show what a decision changes. */
export const changedByDecisions: readonly OperationId[] = [
  'listEnrollmentQueue',
  'countEnrollments',
  'readMovement',
  'readStatistics',
  'readAnyRequest',
  'listAllRequests',
  'readAnyMember',
  'searchMembers',
  'listAllBenefits',
  'listDecisionJobs',
]
