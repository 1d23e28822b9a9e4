import { Option } from 'commander'
import { readSettings } from '../config.ts'
import { answering, type Asked, group } from './described.ts'
import type { Ending } from './fault.ts'
import type { World } from './world.ts'

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
      const { verifyCommand } = await import('../account/verify-command.ts')
      world.ending = endings[await verifyCommand(() => readSettings(world.environment), asked)] ?? 'usage'
    })
  return group('audit', 'the audit of who wrote what', [verify])
}
