import type { Command } from 'commander'
import { answering, type CommandOptions } from './command-builder.ts'
import type { CommandContext } from './context.ts'

/** `vigencia doctor`. */
export function doctorCommand(context: CommandContext): Command {
  return answering('doctor', 'look at everything that a service on this machine needs, and say what to do', [
    ['doctor', 'a line for each check; exit code 1 when one fails'],
    ['doctor --json', 'the same for a script'],
  ]).action(async (options: CommandOptions) => (await import('./doctor-checks.ts')).runChecks(context, options))
}
