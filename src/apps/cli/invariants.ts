import { styleText } from 'node:util'
import { InvalidArgumentError } from 'commander'
import type { Checked } from '../invariants/check.ts'
import { readSettings } from '#platform/core/config.ts'
import { command } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { print, printItems, printMessage } from './terminal.ts'

/** `vigencia invariants`. */
export const invariantsCommand = command({
  name: 'invariants',
  description: 'check the database against its rules; exit code 0 when all hold, 1 when one is broken',
  examples: {
    invariants: 'a line for each rule, on the configured database, whether a service runs on it or not',
    'invariants --json': 'the same for a script',
    'invariants --stuck-after 60': 'for a service with a long queue: work that waits for an hour counts as stuck',
  },
  parameters: {
    '--stuck-after <minutes>': {
      description: 'work that waits for longer counts as stuck',
      default: 15,
      parse(text: string): number {
        if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Minutes, as a whole number.')
        return Number(text)
      },
    },
  },
  async run({ stuckAfter, json }) {
    const checked = await check(stuckAfter * 60)
    const broken = checked.filter(({ violations }) => violations > 0)
    printItems(checked, { rule: 'rule', violations: 'violations', 'first ids': 'ids' }, json)
    if (!json) for (const { rule, description } of broken) print(`${styleText('red', rule)}: ${description}`)
    const all = checked.length
    printMessage(broken.length === 0 ? `All ${all} rules hold.` : `${broken.length} of ${all} rules are broken.`)
    return broken.length > 0 ? 'refused' : 'ok'
  },
})

async function check(stuckAfterSeconds: number): Promise<Checked[]> {
  const { checkDatabase } = await import('../invariants/check.ts')
  const { sqlState } = await import('#platform/core/database-errors.ts')
  const { businessDate } = await import('#kernel/calendar.ts')
  const { BusinessClock } = await import('#platform/core/business-clock.ts')
  const { requireDatabase, withDatabase } = await import('./local-database.ts')
  const config = readSettings(process.env)
  await requireDatabase(config)
  return withDatabase({ shared: true }, async (database) => {
    const clock = new BusinessClock(
      () => config.businessDate ?? businessDate(new Date(Date.now() - stuckAfterSeconds * 1_000)),
    )
    try {
      // The business day may be moved.
      await clock.read(database)
      const day = clock.today()
      return await checkDatabase(database, { stuckAfterSeconds, day })
    } catch (error) {
      // A table or a column of a later migration.
      if (!['42P01', '42703'].includes(sqlState(error) ?? '')) throw error
      throw new CommandError('refused', 'The database is not at this version.', 'Run vigencia migrate.')
    }
  })
}
