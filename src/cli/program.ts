import { Command, CommanderError } from 'commander'
import { StartError } from '../platform/errors.ts'
import { auditCommand } from './audit.ts'
import { backupCommands } from './backup.ts'
import { clientCommand } from './client.ts'
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
import { requestCommand } from './request.ts'
import { migrateCommand } from './migrate.ts'
import { startCommand } from './start.ts'
import { colored, oneLine, printJson, printMessage } from './terminal.ts'
import { webhookCommand } from './webhook.ts'
import type { CommandContext } from './context.ts'

/** The whole command line. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('vigencia')
    .description('Moves people in and out of employee benefits in Brazil.')
    .addHelpText('after', '\nvigencia help COMMAND shows options and examples. Exit codes: docs/command-line.md')
    // An option belongs to the command before it: `backup` and `backup verify` both have `--json`.
    .enablePositionalOptions()
  const add = (heading: string, ...commands: Command[]) => {
    program.commandsGroup(heading)
    for (const command of commands) program.addCommand(command)
  }
  program.addCommand(startCommand(context), { isDefault: true })
  add(
    'The service and its database:',
    migrateCommand(context),
    configCommand(context),
    doctorCommand(context),
    auditCommand(context),
    invariantsCommand(context),
    ...backupCommands(context),
  )
  add('Profiles:', ...loginCommands(context))
  add('Movements:', includeCommand(context), requestCommand(context), enrollmentCommand(context))
  add(
    'Companies, clients and members:',
    companyCommand(context),
    clientCommand(context),
    entitlementCommand(context),
    memberCommand(context),
    importCommand(context),
  )
  add('Events:', webhookCommand(context))
  return configureCommands(program, context)
}

/** Sets what subcommands do not inherit. */
function configureCommands(program: Command, { stdout, stderr }: CommandContext): Command {
  const output = { writeOut: (text: string) => stdout.write(text), writeErr: (text: string) => stderr.write(text) }
  const set = (command: Command): void => {
    command.exitOverride().configureOutput(output).showHelpAfterError('(--help shows examples)')
    for (const one of command.commands) set(one)
  }
  set(program)
  return program
}

/** Runs the command line and returns its exit code. Prints errors as a sentence on standard error. */
export async function runProgram(program: Command, context: CommandContext, words: readonly string[]): Promise<number> {
  let wantsJson = false
  program.hook('preAction', (_program, action) => {
    wantsJson = action.opts<{ json?: true }>()['json'] === true
    // The report of Node would print the message of the error, which may hold personal data. `start` has its own handler.
    if (action.name() !== 'start')
      process.on('uncaughtException', (error) => void exitImmediately(error, context, wantsJson))
  })
  try {
    refuseUnknown(program, words[0])
    await program.parseAsync(words, { from: 'user' })
    return exitCodes[context.exitStatus].code
  } catch (error) {
    return exitCodes[await exitStatusOf(error, context, wantsJson)].code
  }
}

/** Refuses a misspelt command, which commander would pass as an argument to the default command. */
function refuseUnknown(program: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-') || word === 'help') return
  const names = program.commands.map((one) => one.name())
  if (names.includes(word)) return
  const near = names.filter((name) => name.startsWith(word.slice(0, 3)))
  throw new CommandError('usage', `There is no command ${oneLine(word)}.`, {
    next: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'vigencia --help lists them.',
  })
}

async function exitImmediately(error: unknown, context: CommandContext, wantsJson: boolean): Promise<void> {
  process.exit(exitCodes[await exitStatusOf(error, context, wantsJson)].code)
}

async function exitStatusOf(error: unknown, context: CommandContext, wantsJson: boolean): Promise<ExitStatus> {
  // Commander has printed its error; help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'ok' : 'usage'
  if (error instanceof CommandError) {
    if (wantsJson) printJson(context, error.body)
    printMessage(context, `${colored(context, context.stderr, 'red', 'Error:')} ${error.message}`)
    if (error.next !== null) printMessage(context, error.next)
    return error.exitStatus
  }
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted'
  if (error instanceof StartError) {
    if (wantsJson) printJson(context, { error: error.message })
    printMessage(context, error.message)
    return 'refused'
  }
  const { describeError } = await import('../platform/log.ts')
  if (wantsJson) printJson(context, { error: 'Unexpected error' })
  // The message of an error may hold personal data: only what may be logged is shown.
  printMessage(context, `Unexpected error: ${JSON.stringify(describeError(error))}`)
  return 'unexpected'
}
