import { termBadge } from '../../components/term-badge.tsx'

/** The status of what a person asks. */
export const SubjectRequestStatusBadge = termBadge('subjectRequestStatus', {
  open: 'blue',
  planned: 'indigo',
  approved: 'indigo',
  'partly-fulfilled': 'orange',
  fulfilled: 'green',
  cancelled: 'gray',
})
