import { styleText } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { StartError } from '#platform/core/errors.ts'
import { version } from '#platform/core/version.ts'
import { apiCallCommand } from './api.ts'
import { buildCommand, type CommandDeclaration, optionsOf } from './command-builder.ts'
import { completionCommand } from './completion.ts'
import { acknowledgeCommand } from './acknowledge.ts'
import { carrierFileUploadCommand } from './carrier-file.ts'
import { contractCopyCommand, layoutCopyCommand } from './copy.ts'
import { decideCommand } from './decide.ts'
import { decisionJobResultCommand } from './decision-job.ts'
import { documentCommand } from './document.ts'
import { CommandError, exitCodes, type ExitStatus } from './errors.ts'
import { excludeCommand } from './exclude.ts'
import { importCommand } from './import.ts'
import { includeCommand } from './include.ts'
import { invoiceAttachCommand } from './invoice.ts'
import { layoutCommands } from './layout.ts'
import { loginCommands } from './login.ts'
import { memberExportCommand } from './member.ts'
import { movementCommands } from './movement.ts'
import { operationCommands } from './operation-commands.ts'
import { requestWatchCommand } from './request.ts'
import { requirementLoadCommand } from './requirement-rules.ts'
import { rosterSyncCommand } from './roster.ts'
import { printJson, printMessage } from './terminal.ts'
import { transitionCommands } from './transition.ts'
import { webhookCommands } from './webhook.ts'
import { chooseLanguage, say } from './language.ts'
import { whoamiCommand } from './whoami.ts'

/** The commands of a noun: those of its operations, and those by hand. */
function noun(name: string, description: string, byHand: readonly CommandDeclaration[] = []): CommandDeclaration {
  return { name, description, commands: [...operationCommands(name), ...byHand] }
}

/** The commands that need the sources of the service: the package that installs alone has none. */
export interface ServiceCommands {
  readonly commands: readonly CommandDeclaration[]
  /** Beside those of the operations of the audit. */
  readonly ofAudit: readonly CommandDeclaration[]
}

/** By their headings in the help. */
const commandsWith = (service: ServiceCommands): Readonly<Record<string, readonly CommandDeclaration[]>> => ({
  'The service and its database:': [
    ...service.commands,
    noun('audit', 'the audit of who wrote what', service.ofAudit),
    noun('clock', 'the business day of a staging installation'),
  ],
  'Profiles and the shell:': [...loginCommands, whoamiCommand, apiCallCommand, completionCommand],
  'Movements:': [
    includeCommand,
    excludeCommand,
    ...movementCommands,
    documentCommand,
    noun('request', 'movement requests', [requestWatchCommand]),
    noun('enrollment', 'movements and their resolution', [...transitionCommands, decideCommand]),
    noun('decision-job', 'jobs of decisions: files, and many movements at once', [decisionJobResultCommand]),
    ...operationCommands('search'),
    ...operationCommands('statistics'),
  ],
  'Members, companies and invoices:': [
    noun('member', 'members and their benefits', [memberExportCommand]),
    noun('benefit', 'benefits of members'),
    importCommand,
    noun('company', 'companies and their products'),
    noun('product', 'products of companies'),
    noun('carrier', 'carriers of products'),
    noun('column-profile', 'what the headings of a company’s files stand for'),
    noun('contract', 'contracts with carriers, and their cut-off days', [contractCopyCommand]),
    noun('price-table', 'what the plans of contracts cost'),
    noun('contribution-rule', 'which part of the premiums employees pay'),
    noun('payroll', 'what payroll deducts from employees'),
    noun('deduction', 'what employees of a company owe, and its payroll exports'),
    noun('carrier-file', 'rosters and invoices of carriers, and their lines', [carrierFileUploadCommand]),
    noun('reconciliation', 'what carriers have, compared with what is here'),
    noun('discrepancy', 'what differs, one by one'),
    noun('claim', 'what carriers are asked to pay back'),
    noun('closing', 'months of companies that are closed'),
    noun('shipment', 'shipments to carriers, their items and files', [acknowledgeCommand]),
    noun('settings', 'name, logo and reasons of the installation'),
    noun('mail', 'e-mails to people, and what became of them'),
    noun('requirement', 'documents that movements need'),
    noun('deadline', 'open deadlines of the norms'),
    noun('continuation', 'plans that are kept after a dismissal or a retirement'),
    noun('requirement-rule', 'rules of required documents', [requirementLoadCommand]),
    noun('draft-exclusion', 'exclusions that the clock proposes'),
    noun('movement-draft', 'movements that somebody has to confirm'),
    noun('roster', 'lists of who should be covered, compared with who is', [
      rosterSyncCommand,
      { ...noun('roster policy', 'what the lists of a company may do by themselves'), name: 'policy' },
    ]),
    noun('failed-step', 'what the workers could not do'),
    noun('retention', 'what is deleted because it was kept for long enough'),
    noun('legal-hold', 'whose data may not be deleted'),
    noun('onboarding', 'links with which employees fill in their own data'),
    noun('view', 'filters of the console that the team shares'),
    noun('layout', 'descriptions of the files of carriers', [layoutCopyCommand, ...layoutCommands]),
    noun('invoice', 'invoices and their files', [invoiceAttachCommand]),
  ],
  'Access:': [
    noun('client', 'clients of partners and their secrets'),
    noun('entitlement', 'which companies a client may access'),
    noun('operator', 'operators, their roles and their secrets'),
    noun('person', 'people who sign in with an e-mail address'),
    noun('subject-request', 'what people ask of their personal data'),
  ],
  'Events:': [noun('webhook', 'webhook endpoints and events', webhookCommands)],
})

/** The command line. @param ended is called with the exit status of the command that ran without an error. */
export function buildProgram(service: ServiceCommands, ended: (status: ExitStatus) => void = () => {}): Command {
  const description = 'Moves people in and out of employee benefits in Brazil.'
  const program = buildCommand({ name: 'vigencia', description }, ended, true)
    .version(version, '--version', 'print the version')
    .addHelpText('after', '\nvigencia help COMMAND shows options and examples. Exit codes: docs/reference/cli/index.md')
  for (const [heading, list] of Object.entries(commandsWith(service))) {
    program.commandsGroup(heading)
    for (const command of list) program.addCommand(buildCommand(command, ended))
  }
  return program
}

/** Runs the command line and returns its exit code. Prints errors as `error: ...`, and how to mend them, on standard error. */
export async function runProgram(words: readonly string[], service: ServiceCommands): Promise<number> {
  chooseLanguage(words)
  let status: ExitStatus = 'ok'
  let wantsJson = false
  const program = buildProgram(service, (ended) => (status = ended))
  if (words.length === 0) {
    program.outputHelp()
    return exitCodes.ok.code
  }
  const exitImmediately = async (error: unknown) => process.exit(exitCodes[await exitStatusOf(error, wantsJson)].code)
  program.hook('preAction', (_program, action) => {
    wantsJson = optionsOf(action)['json'] === true
    // The report of Node would print the message of the error, which may hold personal data. `start` has its own handler.
    if (action.name() !== 'start') process.on('uncaughtException', (error) => void exitImmediately(error))
  })
  try {
    // The `help` of commander knows only the commands of the first level.
    const [first, ...named] = words
    await program.parseAsync(first === 'help' && named.length > 1 ? [...named, '--help'] : words, { from: 'user' })
  } catch (error) {
    status = await exitStatusOf(error, wantsJson)
  }
  return exitCodes[status].code
}

/** Prints the error, and returns how the command ends. */
async function exitStatusOf(error: unknown, wantsJson: boolean): Promise<ExitStatus> {
  // Commander has printed its error; help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'ok' : 'usage'
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted'
  if (error instanceof CommandError) {
    if (wantsJson) printJson(error.body)
    printError(error.message)
    if (error.next !== null) printMessage(error.next)
    return error.exitStatus
  }
  if (error instanceof StartError) {
    if (wantsJson) printJson({ error: error.message })
    printError(error.message)
    return 'refused'
  }
  const { describeError } = await import('#platform/core/log.ts')
  if (wantsJson) printJson({ error: 'Unexpected error' })
  // The message of an error may hold personal data: only what may be logged is shown.
  printError(say`Unexpected error: ${JSON.stringify(describeError(error))}`)
  return 'unexpected'
}

function printError(message: string): void {
  printMessage(`${styleText('red', `${say`error`}:`, { stream: process.stderr })} ${message}`)
}
