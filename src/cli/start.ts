import type { Command } from 'commander'
import { answering, type Asked, described } from './command-builder.ts'
import type { World } from './context.ts'

/** `vigencia start`, what the program does when nothing else is said. */
export function startCommand(world: World): Command {
  return described('start', 'run the service as VIGENCIA_ROLE says; migrates the database first', [
    ['start', 'the demo, on a PostgreSQL of its own in .data'],
  ]).action(async () => (await import('./serve.ts')).serve(world))
}

/** `vigencia migrate`. */
export function migrateCommand(world: World): Command {
  return answering('migrate', 'bring the database forward and end', [
    ['migrate --plan', 'says what would be applied'],
    ['migrate', 'applies it; each start does so too'],
  ])
    .option('--plan', 'only say what would be applied')
    .action(async (asked: Asked & { plan?: true }) => (await import('./migrate.ts')).bringForward(world, asked))
}
