import { Option } from 'commander'
import { readSettings } from '../platform/config.ts'
import { answering, type CommandOptions, group } from './command-builder.ts'
import type { Ending } from './errors.ts'
import type { CommandContext } from './context.ts'

const endings: Readonly<Record<number, Ending>> = { 0: 'ok', 1: 'refused', 2: 'usage' }

/** `vigencia audit`. */
export function auditCommand(context: CommandContext) {
  const verify = answering(
    'verify',
    'find every audit row that was edited, removed, inserted or reordered; exit code 0 intact, 1 not, 2 unchecked',
    [
      ['audit verify', 'the audit of the configured database, whether a service runs on it or not'],
      ['audit verify --expect "$(cat head.txt)"', 'the chain must also hold a head that an earlier check printed'],
    ],
  )
    .addOption(new Option('--expect <head>', 'a head that an earlier check printed: the chain must hold it'))
    .action(async (options: CommandOptions & { readonly expect?: string }) => {
      const { verifyCommand } = await import('./audit-verify.ts')
      context.ending = endings[await verifyCommand(() => readSettings(context.environment), options)] ?? 'usage'
    })
  return group('audit', 'the audit of who wrote what', [verify])
}
