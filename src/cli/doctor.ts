import type { Command } from 'commander'
import { type Config, readConfig, readSettings } from '../platform/config.ts'
import { StartError } from '../platform/errors.ts'
import type { Finding } from './checks/finding.ts'
import { jsonCommand, type CommandOptions } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { colored, print, printJson, printMessage } from './terminal.ts'

/** `vigencia doctor`. */
export function doctorCommand(context: CommandContext): Command {
  return jsonCommand('doctor', 'check everything that a service on this machine needs, and say what to do', [
    ['doctor', 'a line for each check; exit code 1 when one fails'],
    ['doctor --json', 'the same for a script'],
  ]).action((options: CommandOptions) => runChecks(context, options))
}

const colors = { ok: 'green', warning: 'yellow', failed: 'red' } as const

/** Checks the machine, the settings and the database, without changing them. */
async function runChecks(context: CommandContext, options: CommandOptions): Promise<void> {
  const [{ machineChecks }, { databaseChecks }] = await Promise.all([
    import('./checks/machine.ts'),
    import('./checks/database.ts'),
  ])
  const findings: Finding[] = []
  const report = (finding: Finding) => {
    findings.push(finding)
    if (options.json) return
    const state = colored(context, context.stdout, colors[finding.state], finding.state.padEnd(8))
    print(context, `${state} ${finding.check}: ${finding.message}`)
    if (finding.next !== undefined) print(context, `         ${finding.next}`)
  }
  report(node())
  const config = settingsOf(context, report)
  if (config !== null) {
    for await (const finding of machineChecks(config)) report(finding)
    for await (const finding of databaseChecks(config)) report(finding)
  }
  const failed = findings.filter((one) => one.state === 'failed').length
  if (failed > 0) context.exitStatus = 'refused'
  if (options.json) printJson(context, { result: findings })
  printMessage(context, failed === 0 ? 'All checks passed.' : `${failed} of ${findings.length} checks failed.`)
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

function settingsOf(context: CommandContext, report: (finding: Finding) => void): Config | null {
  try {
    const config = readConfig(context.environment)
    report({ check: 'settings', state: 'ok', message: `${config.environment}, role ${config.role}` })
    return config
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    report({
      check: 'settings',
      state: 'failed',
      message: error.message,
      next: 'vigencia config shows the others; docs/configuration.md explains them.',
    })
    return readable(context)
  }
}

/** The configuration of a start that is refused, when every value can be read. */
function readable(context: CommandContext): Config | null {
  try {
    return readSettings(context.environment)
  } catch {
    return null
  }
}
