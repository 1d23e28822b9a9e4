import { v7 as uuidv7 } from 'uuid'
import { writeAudit } from '../audit/audit-log.ts'
import type { Config } from '../platform/config.ts'
import type { Database, Sql } from '../platform/database.ts'
import { StartError } from '../platform/errors.ts'
import { insertClient, isAnotherAdminActive, lockAdmins, readApi, readSecretHashes } from './client-queries.ts'
import { makeSecret } from './client-secrets.ts'
import type { Secrets } from '../http/credentials.ts'

/**
 * Sees to it that an admin lives: the one that the configuration names, once, else one of the service's own making.
 * @returns what was made up, to be printed this once; null when nothing was.
 */
export async function ensureFirstOperator(
  database: Database,
  secrets: Secrets,
  config: Pick<Config, 'operatorClientId' | 'operatorClientSecret'>,
): Promise<{ clientId: string; clientSecret: string } | null> {
  const { operatorClientId: givenId, operatorClientSecret: givenSecret } = config
  return database.transaction(async (sql) => {
    await lockAdmins(sql)
    if (givenId !== null && givenSecret !== null) {
      const kind = await readApi(sql, givenId)
      if (kind === 'partner') {
        throw new StartError('VIGENCIA_OPERATOR_CLIENT_ID is the id of a partner here: set another.')
      }
      if (kind === null) await makeAdmin(sql, givenId, await secrets.hashChosen(givenId, givenSecret))
      // Verified at start, the secret is known to this process: no login with it waits for scrypt.
      else await secrets.verify(givenId, await readSecretHashes(sql, givenId), givenSecret)
    }
    if (await isAnotherAdminActive(sql, '')) return null
    const made = { clientId: uuidv7(), clientSecret: makeSecret() }
    await makeAdmin(sql, made.clientId, secrets.hash(made.clientId, made.clientSecret))
    return made
  })
}

async function makeAdmin(sql: Sql, id: string, secretHash: string): Promise<void> {
  await insertClient(sql, { id, kind: 'operator', name: 'First operator', role: 'admin', secretHash })
  await writeAudit(sql, { actor: 'service', action: 'operator.created', target: id, companyId: null, origin: null })
}
