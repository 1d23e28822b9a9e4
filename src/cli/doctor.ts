import type { Command } from 'commander'
import { type Config, readConfig, readSettings } from '../platform/config.ts'
import { StartError } from '../platform/errors.ts'
import type { Finding } from './checks/finding.ts'
import { answering, type CommandOptions } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { coloured, print, printJson, tell } from './terminal.ts'

/** `vigencia doctor`. */
export function doctorCommand(context: CommandContext): Command {
  return answering('doctor', 'look at everything that a service on this machine needs, and say what to do', [
    ['doctor', 'a line for each check; exit code 1 when one fails'],
    ['doctor --json', 'the same for a script'],
  ]).action((options: CommandOptions) => runChecks(context, options))
}

const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const

/** Looks at the machine, the settings and the database, and changes nothing of them. */
async function runChecks(context: CommandContext, options: CommandOptions): Promise<void> {
  const [{ machineChecks }, { databaseChecks }] = await Promise.all([
    import('./checks/machine.ts'),
    import('./checks/database.ts'),
  ])
  const findings: Finding[] = []
  const note = (finding: Finding) => {
    findings.push(finding)
    if (options.json) return
    const state = coloured(context, context.stdout, colours[finding.state], finding.state.padEnd(8))
    print(context, `${state} ${finding.check}: ${finding.message}`)
    if (finding.next !== undefined) print(context, `         ${finding.next}`)
  }
  note(node())
  const config = settingsOf(context, note)
  if (config !== null) {
    for await (const finding of machineChecks(config)) note(finding)
    for await (const finding of databaseChecks(config)) note(finding)
  }
  const failed = findings.filter((one) => one.state === 'failed').length
  if (failed > 0) context.ending = 'refused'
  if (options.json) printJson(context, { result: findings })
  tell(context, failed === 0 ? 'Nothing is in the way.' : `${failed} of ${findings.length} checks failed.`)
}

function node(): Finding {
  const check = 'node'
  const message = process.version
  if (Number(process.versions.node.split('.')[0]) >= 24) return { check, state: 'ok', message }
  return {
    check,
    state: 'failed',
    message,
    next: 'Run it as npm start or npx vigencia: they use the Node 24 of the packages.',
  }
}

function settingsOf(context: CommandContext, note: (finding: Finding) => void): Config | null {
  try {
    const config = readConfig(context.environment)
    note({ check: 'settings', state: 'ok', message: `${config.environment}, role ${config.role}` })
    return config
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    note({
      check: 'settings',
      state: 'failed',
      message: error.message,
      next: 'vigencia config shows the others; docs/configuration.md explains them.',
    })
    return readable(context)
  }
}

/** What can be looked at all the same: a start is refused, but every value can be read. */
function readable(context: CommandContext): Config | null {
  try {
    return readSettings(context.environment)
  } catch {
    return null
  }
}
