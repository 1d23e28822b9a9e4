import { Option } from 'commander'
import type { Finding } from '../audit/hash-chain.ts'
import type { Verdict } from '../audit/verify.ts'
import { readSettings } from '../platform/config.ts'
import { StartError } from '../platform/errors.ts'
import { jsonCommand, type CommandOptions, group } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { CommandError } from './errors.ts'
import { print, printJson, printMessage } from './terminal.ts'

interface VerifyOptions extends CommandOptions {
  /** A head printed by an earlier check, in hex. */
  readonly expect?: string
}

/** `vigencia audit`. */
export function auditCommand(context: CommandContext) {
  const verify = jsonCommand(
    'verify',
    'find every audit row that was edited, removed, inserted or reordered; exit code 0 intact, 1 not, 2 unchecked',
    [
      ['audit verify', 'the audit of the configured database, whether a service runs on it or not'],
      ['audit verify --expect "$(cat head.txt)"', 'the chain must also hold a head that an earlier check printed'],
    ],
  )
    .addOption(new Option('--expect <head>', 'a head that an earlier check printed: the chain must hold it'))
    .action((options: VerifyOptions) => verifyAndReport(context, options))
  return group('audit', 'the audit of who wrote what', [verify])
}

async function verifyAndReport(context: CommandContext, options: VerifyOptions): Promise<void> {
  try {
    const expected = options.expect?.toLowerCase() ?? null
    if (expected !== null && !/^[0-9a-f]{64}$/.test(expected)) {
      throw new StartError('--expect takes the 64 hexadecimal digits that an earlier check printed as the head.')
    }
    const verdict = await verifyConfigured(context, expected)
    if (options.json) printJson(context, verdict)
    else print(context, report(verdict, expected))
    if (!verdict.intact) context.exitStatus = 'refused'
  } catch (error) {
    const reason = await reasonOf(error)
    if (options.json) printJson(context, { error: reason })
    else printMessage(context, `Could not check the audit: ${reason}`)
    // Exit code 2: an audit that was not checked is not one that was tampered with.
    context.exitStatus = 'usage'
  }
}

async function reasonOf(cause: unknown): Promise<string> {
  if (cause instanceof StartError || cause instanceof CommandError) return cause.message
  const { sqlState } = await import('../platform/database.ts')
  if (sqlState(cause) === '42P01') return 'this database has no audit chain yet: start the service, or run `migrate`.'
  const { describeError } = await import('../platform/log.ts')
  return JSON.stringify(describeError(cause))
}

/** Checks the configured database under its master key; makes neither, since there would be nothing to check. */
async function verifyConfigured(context: CommandContext, expected: string | null): Promise<Verdict> {
  const [{ auditKeyName }, { verifyAudit }, { openCipher }, { existingMasterKey }, { readStoredKey }] =
    await Promise.all([
      import('../audit/hash-chain-queries.ts'),
      import('../audit/verify.ts'),
      import('../platform/crypto/cipher.ts'),
      import('../platform/crypto/master-key.ts'),
      import('../platform/crypto/stored-keys.ts'),
    ])
  const { requireDatabase, withDatabase } = await import('./local-database.ts')
  const config = readSettings(context.environment)
  await requireDatabase(config)
  const masterKey = existingMasterKey(config)
  return withDatabase(context, config, { shared: true }, async ({ database }) => {
    const key = await readStoredKey(database, openCipher(masterKey), auditKeyName)
    return database.transaction((sql) => verifyAudit(sql, key, expected))
  })
}

function report(verdict: Verdict, expected: string | null): string {
  const { rows, blocks, pending, head, findings } = verdict
  return [
    `Checked ${rows} rows in ${blocks} blocks. ${pending} more are pending.`,
    ...(verdict.intact ? ['Intact.'] : [`Tampered with: ${findings.length} findings.`, ...findings.map(sentence)]),
    ...(expected !== null && verdict.intact ? ['The expected head is in the chain.'] : []),
    `Head: ${head ?? 'none yet'}`,
  ].join('\n')
}

function sentence({ kind, row, block, until }: Finding): string {
  const where = block === undefined ? '' : ` (block ${block})`
  switch (kind) {
    case 'edited':
      return `  edited     row ${row}${where}: it was changed after it was added to the chain`
    case 'removed':
      return `  removed    row ${row}${block === undefined ? ' (pending)' : where}`
    case 'inserted':
      return `  inserted   row ${row}: it is in no block`
    case 'reordered':
      return `  reordered  row ${row}${where}: it was moved within its block`
    case 'block-edited':
      return `  edited     block ${block}: it was changed after it was written`
    case 'block-removed':
      return `  removed    blocks ${block} to ${until}`
    case 'block-reordered':
      return `  reordered  block ${block}: it does not follow the one before it`
    case 'head-edited':
      return '  edited     the head of the chain was changed'
    default:
      return '  unknown    the expected head is not in the chain'
  }
}
