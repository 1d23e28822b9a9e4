import { openCipher } from '../platform/crypto/cipher.ts'
import { existingMasterKey } from '../platform/crypto/master-key.ts'
import { readStoredKey } from '../platform/crypto/stored-keys.ts'
import type { Config } from '../platform/config.ts'
import { type Database, openDatabase, sqlState } from '../platform/database.ts'
import { startEmbedded } from '../embedded-postgres/embedded.ts'
import { findDatabase } from '../embedded-postgres/postmaster.ts'
import { StartError } from '../platform/errors.ts'
import { describeError, openLog } from '../platform/log.ts'
import { waitForDatabase } from '../platform/wait-for-database.ts'
import type { Finding } from '../audit/hash-chain.ts'
import { auditKeyName } from '../audit/hash-chain-queries.ts'
import { type Verdict, verifyAudit } from '../audit/verify.ts'

export interface VerifyOptions {
  readonly json?: boolean
  /** A head noted earlier, in hex. */
  readonly expect?: string
}

/** What scripts rely on. */
const exitCodes = { intact: 0, tampered: 1, unchecked: 2 }

/**
 * `vigencia audit verify`: checks the audit of the configured database, whether a service runs on it or not.
 * @param readSettings reads the configuration; what it throws counts as not checked.
 * @returns the exit code: 0 intact, 1 tampered with, 2 could not be checked.
 */
export async function verifyCommand(readSettings: () => Config, options: VerifyOptions): Promise<number> {
  const say = (text: string) => process.stdout.write(`${text}\n`)
  try {
    const expected = options.expect?.toLowerCase() ?? null
    if (expected !== null && !/^[0-9a-f]{64}$/.test(expected)) {
      throw new StartError('--expect takes the 64 hexadecimal digits that an earlier check printed as the head.')
    }
    const verdict = await verifyConfigured(readSettings(), expected)
    say(options.json === true ? JSON.stringify(verdict) : told(verdict, expected))
    return verdict.intact ? exitCodes.intact : exitCodes.tampered
  } catch (error) {
    const why = whyNot(error)
    if (options.json === true) say(JSON.stringify({ error: why }))
    else process.stderr.write(`Could not check the audit: ${why}\n`)
    return exitCodes.unchecked
  }
}

function whyNot(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (sqlState(error) === '42P01') return 'this database has no audit chain yet: start the service, or run `migrate`.'
  return JSON.stringify(describeError(error))
}

async function verifyConfigured(config: Config, expected: string | null): Promise<Verdict> {
  const ground = await openLocalDatabase(config)
  const database = openDatabase(
    {
      url: ground.url,
      connections: 2,
      namedStatements: config.namedStatements,
      applicationName: 'vigencia audit verify',
    },
    openLog(config.logLevel),
  )
  try {
    return await verifyDatabase(database, ground.masterKey, expected, config)
  } finally {
    await database.close()
    await ground.stop()
  }
}

async function verifyDatabase(
  database: Database,
  masterKey: Buffer,
  expected: string | null,
  config: Config,
): Promise<Verdict> {
  await waitForDatabase(database, openLog(config.logLevel), new AbortController().signal)
  const key = await readStoredKey(database, openCipher(masterKey), auditKeyName)
  return database.transaction((sql) => verifyAudit(sql, key, expected))
}

/** The database and the master key, neither of them made: there would be nothing to check. */
async function openLocalDatabase(config: Config): Promise<{ url: string; masterKey: Buffer; stop(): Promise<void> }> {
  const { databaseUrl, dataDir } = config
  const found = databaseUrl === null ? await findDatabase(dataDir) : { url: databaseUrl }
  if (found === undefined) {
    throw new StartError(`there is no database in ${dataDir}: set VIGENCIA_DATA_DIR or VIGENCIA_DATABASE_URL.`)
  }
  const masterKey = existingMasterKey(config)
  if (found.url !== null) return { url: found.url, masterKey, stop: async () => {} }
  const engine = await startEmbedded({ dataDir })
  return { url: engine.url, masterKey, stop: () => engine.stop() }
}

function told(verdict: Verdict, expected: string | null): string {
  const { rows, seals, unsealed, head, findings } = verdict
  return [
    `Checked ${rows} rows in ${seals} seals. ${unsealed} more wait to be sealed.`,
    ...(verdict.intact ? ['Intact.'] : [`Tampered with: ${findings.length} findings.`, ...findings.map(sentence)]),
    ...(expected !== null && verdict.intact ? ['The head you noted is in the chain.'] : []),
    `Head: ${head ?? 'none yet'}`,
  ].join('\n')
}

function sentence({ kind, row, seal, until }: Finding): string {
  const where = seal === undefined ? '' : ` (seal ${seal})`
  switch (kind) {
    case 'edited':
      return `  edited     row ${row}${where}: it reads otherwise than when it was sealed`
    case 'removed':
      return `  removed    row ${row}${seal === undefined ? ' (not sealed yet)' : where}`
    case 'inserted':
      return `  inserted   row ${row}: it stands in no seal`
    case 'reordered':
      return `  reordered  row ${row}${where}: it stands at another place than it was given`
    case 'seal-edited':
      return `  edited     seal ${seal}: it reads otherwise than when it was made`
    case 'seal-removed':
      return `  removed    seals ${seal} to ${until}`
    case 'seal-reordered':
      return `  reordered  seal ${seal}: it does not follow the one before it`
    case 'head-edited':
      return '  edited     the end of the chain is not as the service left it'
    default:
      return '  unknown    the head you noted is not in the chain'
  }
}
