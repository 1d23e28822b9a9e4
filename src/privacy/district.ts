import type { District } from '#platform/http/district.ts'
import { traced } from '#platform/http/context.ts'
import { executeApproved } from './erasures/execute.ts'
import { applyRetentionAtNight } from './retention/run.ts'
import { processSubjectFile } from './subject-requests/file.ts'
import { expireFiles } from './subject-requests/file-queries.ts'
import { subjectRequestRoutes } from './subject-requests/routes.ts'
import { erasureRoutes } from './erasures/routes.ts'
import { retentionRoutes } from './retention/routes.ts'
import { disclosureListRoute } from './subject-requests/disclosure-routes.ts'

const second = 1_000
const hour = 3_600_000

export const privacy = {
  routes: [subjectRequestRoutes, erasureRoutes, retentionRoutes, disclosureListRoute],
  tasks: [
    {
      kind: 'task-erasures',
      everyMs: second,
      errorMessage: 'erasures that were approved could not be done',
      run: (context, signal) => traced(context, 'worker erasures', () => executeApproved(context, signal)),
    },
    {
      kind: 'task-subject-files',
      everyMs: hour,
      errorMessage: 'expired copies of personal data could not be deleted',
      run: ({ database }) => expireFiles(database),
    },
    {
      kind: 'task-retention',
      everyMs: hour,
      errorMessage: 'what was kept for long enough could not be deleted',
      run: (context, signal) => traced(context, 'worker retention', () => applyRetentionAtNight(context, signal)),
    },
  ],
  steps: {
    'subject-request': (context, tx, { targetId }) => processSubjectFile(context, tx, targetId),
  },
} as const satisfies District
