import { styleText } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { StartError } from '../platform/errors.ts'
import { auditCommand } from './audit.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { clientCommand } from './client.ts'
import { buildCommand, type CommandDeclaration } from './command-builder.ts'
import { companyCommand } from './company.ts'
import { configCommand } from './config.ts'
import { doctorCommand } from './doctor.ts'
import { enrollmentCommand } from './enrollment.ts'
import { entitlementCommand } from './entitlement.ts'
import { CommandError, exitCodes, type ExitStatus } from './errors.ts'
import { importCommand } from './import.ts'
import { includeCommand } from './include.ts'
import { invariantsCommand } from './invariants.ts'
import { loginCommands } from './login.ts'
import { memberCommand } from './member.ts'
import { migrateCommand } from './migrate.ts'
import { requestCommand } from './request.ts'
import { startCommand } from './start.ts'
import { oneLine, printJson, printMessage } from './terminal.ts'
import { webhookCommand } from './webhook.ts'

/** By their headings in the help. */
const commands: Readonly<Record<string, readonly CommandDeclaration[]>> = {
  'The service and its database:': [
    migrateCommand,
    configCommand,
    doctorCommand,
    auditCommand,
    invariantsCommand,
    backupCommand,
    restoreCommand,
  ],
  'Profiles:': loginCommands,
  'Movements:': [includeCommand, requestCommand, enrollmentCommand],
  'Companies, clients and members:': [companyCommand, clientCommand, entitlementCommand, memberCommand, importCommand],
  'Events:': [webhookCommand],
}

/** The whole command line. @param ended is called with the exit status of the command that ran without an error. */
export function buildProgram(ended: (status: ExitStatus) => void = () => {}): Command {
  const description = 'Moves people in and out of employee benefits in Brazil.'
  const program = buildCommand({ name: 'vigencia', description }, ended)
    .addHelpText('after', '\nvigencia help COMMAND shows options and examples. Exit codes: docs/command-line.md')
    .addCommand(buildCommand(startCommand, ended), { isDefault: true })
  for (const [heading, list] of Object.entries(commands)) {
    program.commandsGroup(heading)
    for (const one of list) program.addCommand(buildCommand(one, ended))
  }
  return program
}

/** Runs the command line and returns its exit code. Prints errors as a sentence on standard error. */
export async function runProgram(words: readonly string[]): Promise<number> {
  let status: ExitStatus = 'ok'
  let wantsJson = false
  const program = buildProgram((ended) => (status = ended))
  const exitImmediately = async (error: unknown) => process.exit(exitCodes[await exitStatusOf(error, wantsJson)].code)
  program.hook('preAction', (_program, action) => {
    wantsJson = action.opts<{ json?: true }>().json === true
    // The report of Node would print the message of the error, which may hold personal data. `start` has its own handler.
    if (action.name() !== 'start') process.on('uncaughtException', (error) => void exitImmediately(error))
  })
  try {
    refuseUnknown(program, words[0])
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    status = await exitStatusOf(error, wantsJson)
  }
  return exitCodes[status].code
}

/** Refuses a misspelt command, which commander would pass as an argument to the default command. */
function refuseUnknown(program: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-') || word === 'help') return
  const names = program.commands.map((one) => one.name())
  if (names.includes(word)) return
  const near = names.filter((name) => name.startsWith(word.slice(0, 3)))
  const next = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'vigencia --help lists them.'
  throw new CommandError('usage', `There is no command ${oneLine(word)}.`, next)
}

/** Prints the error, and returns how the command ends. */
async function exitStatusOf(error: unknown, wantsJson: boolean): Promise<ExitStatus> {
  // Commander has printed its error; help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'ok' : 'usage'
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted'
  if (error instanceof CommandError) {
    if (wantsJson) printJson(error.body)
    printMessage(`${styleText('red', 'Error:', { stream: process.stderr })} ${error.message}`)
    if (error.next !== null) printMessage(error.next)
    return error.exitStatus
  }
  if (error instanceof StartError) {
    if (wantsJson) printJson({ error: error.message })
    printMessage(error.message)
    return 'refused'
  }
  const { describeError } = await import('../platform/log.ts')
  if (wantsJson) printJson({ error: 'Unexpected error' })
  // The message of an error may hold personal data: only what may be logged is shown.
  printMessage(`Unexpected error: ${JSON.stringify(describeError(error))}`)
  return 'unexpected'
}
