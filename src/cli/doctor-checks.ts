import { type Config, readConfig, readSettings } from '../platform/config.ts'
import { StartError } from '../platform/errors.ts'
import type { Asked } from './command-builder.ts'
import { databaseChecks } from './database-checks.ts'
import { machineChecks } from './machine-checks.ts'
import { coloured, print, printJson, tell } from './terminal.ts'
import type { World } from './context.ts'

/** What one look found. `next` says what to do, unless all is well. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly says: string
  readonly next?: string
}

const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const

/** Looks at the machine, the settings and the database, and changes nothing of them. */
export async function checkUp(world: World, asked: Asked): Promise<void> {
  const findings: Finding[] = []
  const note = (finding: Finding) => {
    findings.push(finding)
    if (asked.json) return
    const state = coloured(world, world.stdout, colours[finding.state], finding.state.padEnd(8))
    print(world, `${state} ${finding.check}: ${finding.says}`)
    if (finding.next !== undefined) print(world, `         ${finding.next}`)
  }
  note(node())
  const config = settingsOf(world, note)
  if (config !== null) {
    for await (const finding of machineChecks(config)) note(finding)
    for await (const finding of databaseChecks(config)) note(finding)
  }
  const failed = findings.filter((one) => one.state === 'failed').length
  if (failed > 0) world.ending = 'refused'
  if (asked.json) printJson(world, { result: findings })
  tell(world, failed === 0 ? 'Nothing is in the way.' : `${failed} of ${findings.length} checks failed.`)
}

function node(): Finding {
  const check = 'node'
  const says = process.version
  if (Number(process.versions.node.split('.')[0]) >= 24) return { check, state: 'ok', says }
  return {
    check,
    state: 'failed',
    says,
    next: 'Run it as npm start or npx vigencia: they use the Node 24 of the packages.',
  }
}

function settingsOf(world: World, note: (finding: Finding) => void): Config | null {
  try {
    const config = readConfig(world.environment)
    note({ check: 'settings', state: 'ok', says: `${config.environment}, role ${config.role}` })
    return config
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    note({
      check: 'settings',
      state: 'failed',
      says: error.message,
      next: 'vigencia config shows the others; docs/configuration.md explains them.',
    })
    return readable(world)
  }
}

/** What can be looked at all the same: a start is refused, but every value can be read. */
function readable(world: World): Config | null {
  try {
    return readSettings(world.environment)
  } catch {
    return null
  }
}
