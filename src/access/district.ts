import type { App, Context } from '#platform/http/context.ts'
import type { District } from '#platform/http/district.ts'
import { accountRoutes } from './accounts/account-routes.ts'
import { personLinkRoutes } from './accounts/link-routes.ts'
import { personRoutes } from './accounts/routes.ts'
import { appendBlocks } from './audit/append-block.ts'
import { auditRoutes } from './audit/routes.ts'
import { authenticateRoutes } from './auth/authenticate.ts'
import { openPasswordCheck } from './auth/check-password.ts'
import { openSecretCheck } from './auth/check-secret.ts'
import { failuresOf } from './auth/failures.ts'
import { rotateOwnSecretRoute } from './clients/rotate-own-secret.ts'
import { clientRoutes } from './clients/routes.ts'
import { operatorAccountRoutes } from './operators/routes.ts'
import { openPasskeyCheck } from './passkeys/check-passkey.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { identityProviderRoutes } from './sessions/identity-provider-routes.ts'
import { deleteExpiredSessions } from './sessions/queries.ts'
import { sessionRoutes } from './sessions/routes.ts'

const second = 1_000
const hour = 3_600_000

/** Access tokens and sessions: they check secrets, passwords and passkeys with one count of failures. */
async function accessRoutes(app: App, context: Context): Promise<void> {
  const failures = failuresOf(context)
  const checkSecret = openSecretCheck(context, failures)
  await authenticateRoutes(app, context, checkSecret)
  rotateOwnSecretRoute(app, context)
  const checkPassword = openPasswordCheck(context.database, context.failureKey, failures)
  sessionRoutes(app, context, { checkSecret, checkPassword })
  passkeyRoutes(app, context, openPasskeyCheck(context, failures))
  accountRoutes(app, context, checkPassword)
  personLinkRoutes(app, context)
  identityProviderRoutes(app, context)
}

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
