import { styleText } from 'node:util'
import { type Config, readConfig, readSettings } from '#platform/core/config.ts'
import { StartError } from '#platform/core/errors.ts'
import { type Finding, findingsOf } from './checks/finding.ts'
import { command } from './command-builder.ts'
import { print, printJson, printMessage } from './terminal.ts'

const colors = { ok: 'green', warning: 'yellow', failed: 'red' } as const

/** `vigencia doctor`: checks the machine, the settings and the database, without changing them. */
export const doctorCommand = command({
  name: 'doctor',
  description: 'check everything that a service on this machine needs, and say what to do',
  examples: { doctor: 'a line for each check; exit code 1 when one fails', 'doctor --json': 'the same for a script' },
  async run({ json }) {
    const { machineChecks } = await import('./checks/machine.ts')
    const { databaseChecks } = await import('./checks/database.ts')
    const { credentialChecks } = await import('./checks/credentials.ts')
    const findings: Finding[] = []
    const report = (finding: Finding) => {
      const { check, state, message, next } = finding
      findings.push(finding)
      if (json) return
      print(`${styleText(colors[state], state.padEnd(8))} ${check}: ${message}`)
      if (next !== undefined) print(`         ${next}`)
    }
    report(node())
    const config = settingsOf(report)
    if (config !== null) {
      for await (const finding of machineChecks(config)) report(finding)
      for await (const finding of databaseChecks(config)) report(finding)
      for await (const finding of credentialChecks()) report(finding)
    }
    const failed = findings.filter((finding) => finding.state === 'failed').length
    if (json) printJson({ result: findings })
    printMessage(failed === 0 ? 'All checks passed.' : `${failed} of ${findings.length} checks failed.`)
    return failed > 0 ? 'refused' : 'ok'
  },
})

function node(): Finding {
  const { ok, failed } = findingsOf('node')
  const { version } = process
  if (Number(process.versions.node.split('.')[0]) >= 24) return ok(version)
  return failed(version, 'Run it as npm start or npx vigencia: they use the Node 24 of the packages.')
}

/** The configuration; also that of a start that is refused, when every value can be read. */
function settingsOf(report: (finding: Finding) => void): Config | null {
  const { ok, failed } = findingsOf('settings')
  try {
    const config = readConfig(process.env)
    report(ok(`${config.environment}, role ${config.role}`))
    return config
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    for (const problem of error.message.split('\n')) {
      report(failed(problem, 'vigencia config shows the others; docs/reference/configuration.md explains them.'))
    }
  }
  try {
    return readSettings(process.env)
  } catch {
    return null
  }
}
