import type { App, Context } from './http/context.ts'
import { authenticateRoutes } from './auth/authenticate.ts'
import { openSecretCheck } from './auth/check-secret.ts'
import { identityProviderRoutes } from './sessions/identity-provider-routes.ts'
import { rotateOwnSecretRoute } from './clients/rotate-own-secret.ts'
import { sessionRoutes } from './sessions/routes.ts'

/** Access tokens and sessions: both check secrets, with one count of failures. */
export async function accessRoutes(app: App, context: Context): Promise<void> {
  const checkSecret = openSecretCheck(context)
  await authenticateRoutes(app, context, checkSecret)
  rotateOwnSecretRoute(app, context)
  sessionRoutes(app, context, checkSecret)
  identityProviderRoutes(app, context)
}
