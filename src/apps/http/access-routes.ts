import type { App, Context } from '#platform/http/context.ts'
import { authenticateRoutes } from '#access/auth/authenticate.ts'
import { openPasswordCheck } from '#access/auth/check-password.ts'
import { openSecretCheck } from '#access/auth/check-secret.ts'
import { openFailures } from '#access/auth/failures.ts'
import { identityProviderRoutes } from '#access/sessions/identity-provider-routes.ts'
import { rotateOwnSecretRoute } from '#access/clients/rotate-own-secret.ts'
import { openPasskeyCheck } from '#access/passkeys/check-passkey.ts'
import { publicOnboardingRoutes } from '#movements/onboarding/public-routes.ts'
import { passkeyRoutes } from '#access/passkeys/routes.ts'
import { accountRoutes } from '#access/accounts/account-routes.ts'
import { personLinkRoutes } from '#access/accounts/link-routes.ts'
import { sessionRoutes } from '#access/sessions/routes.ts'

/** Access tokens, sessions and onboarding links: they check secrets, passwords and second factors with one count of failures. */
export async function accessRoutes(app: App, context: Context): Promise<void> {
  const failures = openFailures(context.database, context.failureKey)
  const checkSecret = openSecretCheck(context, failures)
  await authenticateRoutes(app, context, checkSecret)
  rotateOwnSecretRoute(app, context)
  const checkPassword = openPasswordCheck(context.database, context.failureKey, failures)
  sessionRoutes(app, context, { checkSecret, checkPassword })
  passkeyRoutes(app, context, openPasskeyCheck(context, failures))
  accountRoutes(app, context, checkPassword)
  personLinkRoutes(app, context)
  identityProviderRoutes(app, context)
  publicOnboardingRoutes(app, context, failures)
}
