import type { Finding } from '#access/audit/hash-chain.ts'
import type { Verification } from '#access/audit/verify.ts'
import { readSettings } from '#platform/core/config.ts'
import { StartError } from '#platform/core/errors.ts'
import { command, type Ending, type Values } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { interruption, print, printJson } from './terminal.ts'

const parameters = { '--expect <head>': 'a head that an earlier check printed: the chain must hold it' } as const

/** `vigencia audit verify`. */
export const auditVerifyCommand = command({
  name: 'verify',
  description:
    'find every audit row that was edited, removed, inserted or reordered; exit code 0 intact, 1 not, 3 unchecked',
  examples: {
    'audit verify': 'the audit of the configured database, whether a service runs on it or not',
    'audit verify --expect "$(cat head.txt)"': 'the chain must also hold a head that an earlier check printed',
  },
  parameters,
  run: verifyAndReport,
})

async function verifyAndReport({ expect, json }: Values<typeof parameters>): Promise<Ending> {
  const expected = expect?.toLowerCase() ?? null
  if (expected !== null && !/^[0-9a-f]{64}$/.test(expected)) {
    throw new CommandError(
      'usage',
      '--expect takes the 64 hexadecimal digits that an earlier check printed as the head.',
    )
  }
  try {
    const verification = await verifyConfigured(expected)
    if (json) printJson(verification)
    else print(report(verification, expected))
    if (!verification.intact) return 'refused'
  } catch (error) {
    interruption().throwIfAborted()
    const reason = await reasonOf(error)
    // Exit code 3: an audit that was not checked is not one that was tampered with.
    throw new CommandError('unreachable', `The audit was not checked: ${reason}`, null, { body: { error: reason } })
  }
}

async function reasonOf(cause: unknown): Promise<string> {
  if (cause instanceof StartError || cause instanceof CommandError) return cause.message
  const { sqlState } = await import('#platform/core/database-errors.ts')
  if (sqlState(cause) === '42P01') return 'this database has no audit chain yet: start the service, or run `migrate`.'
  const { describeError } = await import('#platform/core/log.ts')
  return JSON.stringify(describeError(cause))
}

/** Checks the configured database under its master key; makes neither, since there would be nothing to check. */
async function verifyConfigured(expected: string | null): Promise<Verification> {
  const { auditKeyName } = await import('#access/audit/hash-chain-queries.ts')
  const { verifyAudit } = await import('#access/audit/verify.ts')
  const { openCipher } = await import('#platform/core/crypto/cipher.ts')
  const { existingMasterKey } = await import('#platform/core/crypto/master-key.ts')
  const { readStoredKey } = await import('#platform/core/crypto/stored-keys.ts')
  const { requireDatabase, withDatabase } = await import('./local-database.ts')
  const config = readSettings(process.env)
  await requireDatabase(config)
  const cipher = openCipher(existingMasterKey(config))
  return withDatabase({ shared: true }, async (database) => {
    const key = await readStoredKey(database, cipher, auditKeyName)
    return database.snapshot((sql) => verifyAudit(sql, key, expected))
  })
}

function report(verification: Verification, expected: string | null): string {
  const { rows, blocks, pending, head, findings } = verification
  return [
    `Checked ${rows} rows in ${blocks} blocks. ${pending} more are pending.`,
    ...(verification.intact ? ['Intact.'] : [`Tampered with: ${findings.length} findings.`, ...findings.map(sentence)]),
    ...(expected !== null && verification.intact ? ['The expected head is in the chain.'] : []),
    `Head: ${head ?? 'none yet'}`,
  ].join('\n')
}

function sentence({ kind, row, block, until }: Finding): string {
  const where = block === undefined ? '' : ` (block ${block})`
  const sentences: Record<Finding['kind'], string> = {
    edited: `edited     row ${row}${where}: it was changed after it was added to the chain`,
    removed: `removed    row ${row}${block === undefined ? ' (pending)' : where}`,
    inserted: `inserted   row ${row}: it is in no block`,
    reordered: `reordered  row ${row}${where}: it was moved within its block`,
    'block-edited': `edited     block ${block}: it was changed after it was written`,
    'block-removed': `removed    blocks ${block} to ${until}`,
    'block-reordered': `reordered  block ${block}: it does not follow the one before it`,
    'head-edited': 'edited     the head of the chain was changed',
    'head-unknown': 'unknown    the expected head is not in the chain',
  }
  return `  ${sentences[kind]}`
}
