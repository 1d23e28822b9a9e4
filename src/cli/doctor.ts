import type { Command } from 'commander'
import { answering, type Asked } from './command-builder.ts'
import type { World } from './context.ts'

/** `vigencia doctor`. */
export function doctorCommand(world: World): Command {
  return answering('doctor', 'look at everything that a service on this machine needs, and say what to do', [
    ['doctor', 'a line for each check; exit code 1 when one fails'],
    ['doctor --json', 'the same for a script'],
  ]).action(async (asked: Asked) => (await import('./doctor-checks.ts')).checkUp(world, asked))
}
