import { findApi } from '../api-client.ts'
import { CommandError } from '../errors.ts'
import { configuredCredentials } from '../profiles.ts'
import { type Finding, findingsOf } from './finding.ts'

/** Whether a service accepts the secrets that the commands use: one finding for each client. */
export async function* credentialChecks(): AsyncGenerator<Finding> {
  const { ok, warning, failed } = findingsOf('secret')
  try {
    const { profile, credentials: all } = configuredCredentials()
    for (const credentials of all) {
      const { url, 'client-id': clientId } = credentials
      const from = profile === null ? 'the environment' : `profile ${profile}`
      const refused = await findApi(credentials).then(() => null, commandErrorOf)
      if (refused === null) yield ok(`${url} accepts that of ${clientId} (${from})`)
      else if (refused.exitStatus === 'credentials') {
        yield failed(`${url} refuses that of ${clientId} (${from}): it was rotated or revoked`, mend(profile, clientId))
      } else {
        const [message] = refused.message.split('\n')
        yield warning(
          `that of ${clientId} (${from}) was not tested: ${message}`,
          'Start the service and run this again.',
        )
      }
    }
  } catch (error) {
    const { message, next } = commandErrorOf(error)
    yield failed(message, next ?? undefined)
  }
}

function commandErrorOf(error: unknown): CommandError {
  if (error instanceof CommandError) return error
  throw error
}

function mend(profile: string | null, clientId: string): string {
  if (profile === 'demo') return 'Stop the service and start it again (npm start): it makes the demo a new secret.'
  const where = profile === null ? 'set VIGENCIA_CLIENT_SECRET to it' : `vigencia login --profile ${profile}`
  return `Take the secret that replaced it, or have an admin make one (vigencia client rotate-secret ${clientId}); then ${where}.`
}
