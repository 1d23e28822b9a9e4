import { Option } from 'commander'
import { readSettings } from '../platform/config.ts'
import { answering, type Asked, group } from './command-builder.ts'
import type { Ending } from './errors.ts'
import type { World } from './context.ts'

const endings: Readonly<Record<number, Ending>> = { 0: 'ok', 1: 'refused', 2: 'usage' }

/** `vigencia audit`. */
export function auditCommand(world: World) {
  const verify = answering(
    'verify',
    'find every audit row that was edited, removed, inserted or reordered; exit code 0 intact, 1 not, 2 unchecked',
    [
      ['audit verify', 'the audit of the configured database, whether a service runs on it or not'],
      ['audit verify --expect "$(cat head.txt)"', 'the chain must also hold a head that an earlier check printed'],
    ],
  )
    .addOption(new Option('--expect <head>', 'a head that an earlier check printed: the chain must hold it'))
    .action(async (asked: Asked & { readonly expect?: string }) => {
      const { verifyCommand } = await import('./audit-verify.ts')
      world.ending = endings[await verifyCommand(() => readSettings(world.environment), asked)] ?? 'usage'
    })
  return group('audit', 'the audit of who wrote what', [verify])
}
