import type { App, Context } from '#platform/http/context.ts'
import { authenticateRoutes } from './auth/authenticate.ts'
import { openPasswordCheck } from './auth/check-password.ts'
import { openSecretCheck } from './auth/check-secret.ts'
import { failuresOf } from './auth/failures.ts'
import { identityProviderRoutes } from './sessions/identity-provider-routes.ts'
import { rotateOwnSecretRoute } from './clients/rotate-own-secret.ts'
import { openPasskeyCheck } from './passkeys/check-passkey.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { accountRoutes } from './accounts/account-routes.ts'
import { personLinkRoutes } from './accounts/link-routes.ts'
import { sessionRoutes } from './sessions/routes.ts'

/** Access tokens and sessions: they check secrets, passwords and passkeys with one count of failures. */
export async function accessRoutes(app: App, context: Context): Promise<void> {
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
