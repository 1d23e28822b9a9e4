import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Checked } from '../invariants/check.ts'
import { jsonCommand, type CommandOptions } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { colored, print, printJson, printTable, printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface InvariantsOptions extends CommandOptions {
  readonly stuckAfter: number
}

/** `vigencia invariants`. */
export function invariantsCommand(context: CommandContext): Command {
  return jsonCommand(
    'invariants',
    'check the database against its rules; exit code 0 when all hold, 1 when one is broken',
    [
      ['invariants', 'a line for each rule, on the configured database, whether a service runs on it or not'],
      ['invariants --json', 'the same for a script'],
      ['invariants --stuck-after 60', 'for a service with a long queue: work that waits for an hour counts as stuck'],
    ],
  )
    .addOption(
      new Option('--stuck-after <minutes>', 'work that waits for longer counts as stuck')
        .default(15)
        .argParser((text) => {
          if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Minutes, as a whole number.')
          return Number(text)
        }),
    )
    .action(async (options: InvariantsOptions) => {
      const checked = await check(context, options.stuckAfter * 60)
      const broken = checked.filter(({ violations }) => violations > 0)
      if (options.json) printJson(context, { result: checked })
      else printChecked(context, checked)
      printMessage(
        context,
        broken.length === 0
          ? `All ${checked.length} rules hold.`
          : `${broken.length} of ${checked.length} rules are broken.`,
      )
      if (broken.length > 0) context.exitStatus = 'refused'
    })
}

async function check(context: CommandContext, stuckAfterSeconds: number): Promise<Checked[]> {
  const [{ checkDatabase }, { readSettings }, { sqlState }, { businessDate }, { requireDatabase, withDatabase }] =
    await Promise.all([
      import('../invariants/check.ts'),
      import('../platform/config.ts'),
      import('../platform/database.ts'),
      import('../domain/calendar.ts'),
      import('./local-database.ts'),
    ])
  const config = readSettings(context.environment)
  await requireDatabase(config)
  return withDatabase(context, config, { shared: true }, async ({ database }) => {
    const day = config.businessDate ?? businessDate(new Date(Date.now() - stuckAfterSeconds * 1_000))
    try {
      return await checkDatabase(database, { stuckAfterSeconds, day })
    } catch (error) {
      // A table or a column of a later migration.
      if (!['42P01', '42703'].includes(sqlState(error) ?? '')) throw error
      throw new CommandError('refused', 'The database is not at this version.', { next: 'Run vigencia migrate.' })
    }
  })
}

function printChecked(context: CommandContext, checked: readonly Checked[]): void {
  printTable(
    context,
    ['rule', 'violations', 'first ids'],
    checked.map(({ rule, violations, ids }) => [rule, String(violations), ids.join(' ')]),
  )
  for (const { rule, description, violations } of checked) {
    if (violations > 0) print(context, `${colored(context, context.stdout, 'red', rule)}: ${description}`)
  }
}
