import type { District } from '#platform/http/district.ts'
import { accessRoutes } from './access-routes.ts'
import { appendBlocks } from './audit/append-block.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'
import { clientRoutes } from './clients/routes.ts'
import { operatorAccountRoutes } from './operators/routes.ts'
import { personRoutes } from './accounts/routes.ts'
import { auditRoutes } from './audit/routes.ts'

const second = 1_000
const hour = 3_600_000

export const access = {
  routes: [accessRoutes, clientRoutes, operatorAccountRoutes, personRoutes, auditRoutes],
  tasks: [
    {
      kind: 'task-audit-chain',
      everyMs: second,
      errorMessage: 'the audit chain could not be extended',
      run: (context, signal) => appendBlocks(context, signal),
    },
    {
      kind: 'task-sessions',
      everyMs: hour,
      errorMessage: 'expired sessions could not be deleted',
      run: ({ database, config }) => deleteExpiredSessions(database, config.sessionIdleMinutes),
    },
  ],
} as const satisfies District
