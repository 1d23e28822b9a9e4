import type { Command } from 'commander'
import { describedCommand } from './command-builder.ts'
import type { CommandContext } from './context.ts'

/** `vigencia start`, what the program does when nothing else is said. */
export function startCommand(context: CommandContext): Command {
  return describedCommand('start', 'run the service as VIGENCIA_ROLE says; migrates the database first', [
    ['start', 'the demo, on a PostgreSQL of its own in .data'],
  ]).action(async () => (await import('./serve.ts')).serve(context))
}
