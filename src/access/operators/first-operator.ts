import { v7 as uuidv7 } from 'uuid'
import { type Tx, write } from '#platform/core/write.ts'
import type { Config } from '#platform/core/config.ts'
import type { Database } from '#platform/core/database.ts'
import { StartError } from '#platform/core/errors.ts'
import { insertClient, isAnotherAdminActive, lockAdmins, readApi, readSecretHashes } from '../clients/queries.ts'
import { makeSecret } from '../clients/secrets.ts'
import type { Secrets } from '#platform/http/credentials.ts'

/**
 * Ensures that there is an active admin: the one of the configuration, else a new one.
 * @returns the generated credentials, to be printed once; null when none were generated.
 */
export async function ensureFirstOperator(
  database: Database,
  secrets: Secrets,
  config: Pick<Config, 'operatorClientId' | 'operatorClientSecret'>,
): Promise<{ clientId: string; clientSecret: string } | null> {
  const { operatorClientId: configuredId, operatorClientSecret: configuredSecret } = config
  return write({ database }, { kind: 'service' }, { may: 'service' }, async (sql) => {
    await lockAdmins(sql)
    if (configuredId !== null && configuredSecret !== null) {
      const kind = await readApi(sql, configuredId)
      if (kind === 'partner') {
        throw new StartError('VIGENCIA_OPERATOR_CLIENT_ID is the id of a partner here: set another.')
      }
      if (kind === null) await makeAdmin(sql, configuredId, await secrets.hashChosen(configuredId, configuredSecret))
      // Verified at the start, so that no call to authenticate waits for scrypt.
      else await secrets.verify(configuredId, await readSecretHashes(sql, configuredId), configuredSecret)
    }
    if (await isAnotherAdminActive(sql, '')) return null
    const generated = { clientId: uuidv7(), clientSecret: makeSecret() }
    await makeAdmin(sql, generated.clientId, secrets.hash(generated.clientId, generated.clientSecret))
    return generated
  })
}

async function makeAdmin(sql: Tx, id: string, secretHash: string): Promise<void> {
  await insertClient(sql, { id, kind: 'operator', name: 'First operator', role: 'admin', secretHash })
  sql.audit({ action: 'operator.created', target: id, companyId: null })
}
