import { randomUUID } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ResponseBody } from '@vigencia/client'
import { IMPORT_COLUMNS } from '#movements/rules/import-columns.ts'
import { fileTypeOf } from '#platform/tables/file-signature.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { TEXTS } from '#kernel/texts/texts.ts'
import type { ApiClient } from './api-client.ts'
import type { Ending, Values } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { saveAsTable } from './table-file.ts'
import { CommandError, fileError } from './errors.ts'
import { withInput } from './json-file.ts'
import { operationCommands } from './operation-commands.ts'
import { apiCommand } from './operation.ts'
import { isWorkbookName, toFile } from './save.ts'
import { templateCommand } from './template.ts'
import { language, say } from './language.ts'
import { interruption, oneLine, openProgress, print, printJson, printMessage, type Progress } from './terminal.ts'

const parameters = {
  '<file>': 'CSV, XLSX or NDJSON, a line for each benefit; `-` reads standard input',
  '--dry-run': 'validate only; nothing is stored',
  '--format <format>': { description: 'when neither the name nor the content shows it', choices: ['csv', 'ndjson'] },
  '--sheet <name>': 'XLSX: the sheet; without it the first one with the columns of an import',
  '--company-tax-id <cnpj>': 'use the column profile of this company, for headings that no import has',
  '--import-id <uuid>': 'an id of your choice, to follow the import from elsewhere',
  '--yes': 'replace the file of --errors without asking',
  '--errors <file>':
    'write every rejected line to a file: of CSV and XLSX as CSV, or as a workbook when it is named .xlsx, with the columns `offenses` and `Erro`, to correct and import; of NDJSON as NDJSON',
} as const

/** `vigencia import` and `import template`. */
export const importCommand = apiCommand({
  name: 'import',
  description: 'import members with their benefits as the carrier has them (operator)',
  examples: {
    'import members.csv --dry-run': 'validates every line, and stores nothing',
    'import members.csv --errors rejected.csv': 'stores the valid lines; writes the rejected ones to a file',
  },
  parameters,
  api: 'operator',
  run: importRoster,
  commands: [
    templateCommand('an import', IMPORT_COLUMNS, {
      'import template > members.csv': 'the columns in Portuguese, to fill in with a spreadsheet',
      'import template --company-tax-id 12ABC34501DE35 --output members.xlsx':
        'with lists of values and of the products',
    }),
    ...operationCommands('import'),
  ],
})

type ImportValues = Values<typeof parameters>

type State = ResponseBody<'importMembers' | 'readImport'>

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson', xlsx: xlsxType } as const
const pollMs = 500

/** Sends the file as a stream and shows the progress until the import is done. */
async function importRoster(values: ImportValues, client: ApiClient<'operator'>): Promise<Ending> {
  await confirmOverwrite(values.errors, values.yes)
  return withInput(values.file, (path, name) => importFile(path, name, values, client))
}

async function importFile(
  path: string,
  name: string,
  values: ImportValues,
  client: ApiClient<'operator'>,
): Promise<Ending> {
  const { dryRun, importId: id = randomUUID(), errors, sheet, companyTaxId, json } = values
  const { body, lines: total, format } = await openFile(path, name, values.format)
  const progress = openProgress(json ? process.stderr : process.stdout)
  let state: State
  try {
    const options = { 'import-id': id, 'dry-run': dryRun, 'company-tax-id': companyTaxId, sheet, type: types[format] }
    const sent = client.sdk.imports.create(body, options)
    state = await follow(client, id, sent, total, progress)
  } finally {
    progress.end()
  }
  if (errors !== undefined) await writeErrors(client, id, errorsType(format, errors), errors)
  report(state, name, values)
  if (state.rejected > 0) return state.accepted > 0 ? 'inPart' : 'refused'
}

type Format = keyof typeof types
type TextFormat = Exclude<Format, 'xlsx'>

/** The file as a request body, its format, and its approximate number of lines of data. */
async function openFile(
  path: string,
  name: string,
  given: TextFormat | undefined,
): Promise<{ body: Blob; format: Format; lines: number }> {
  try {
    let lines = 0
    let last = 10
    let head: Buffer | null = null
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      head ??= chunk
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
      last = chunk.at(-1) ?? last
    }
    if (last !== 10) lines += 1
    const format = formatOf(name, head ?? Buffer.alloc(0), given)
    return { body: await openAsBlob(path), format, lines: linesOf(format, lines) }
  } catch (error) {
    throw error instanceof CommandError ? error : fileError(name, 'read', error)
  }
}

/** The number of lines; for a workbook it is not known before it is read. */
function linesOf(format: Format, lines: number): number {
  if (format === 'xlsx') return 0
  return Math.max(0, format === 'csv' ? lines - 1 : lines)
}

/** @throws CommandError that says what the file is instead of CSV, XLSX or NDJSON. */
function formatOf(name: string, head: Buffer, given: TextFormat | undefined): Format {
  const type = fileTypeOf(head)
  if (type === 'xlsx') return type
  if (type !== null)
    throw new CommandError(
      'usage',
      say`${name} is ${TEXTS[language()].files[type]}, not CSV, NDJSON or .xlsx.`,
      saveAsTable(),
    )
  const [first = ''] = head.toString('utf8').trimStart()
  if (first === '[' && given === undefined) {
    throw new CommandError(
      'usage',
      say`${name} is a JSON array, not NDJSON.`,
      say`Write one object a line: jq -c ".[]"`,
    )
  }
  return given ?? (first === '{' || /\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : 'csv')
}

/**
 * Waits for the response and polls the progress meanwhile. When the connection breaks or times out, the service continues or has
 * stopped: the progress is polled until it shows which.
 */
async function follow(
  client: ApiClient<'operator'>,
  id: string,
  sent: Promise<State>,
  total: number,
  progress: Progress,
): Promise<State> {
  const poll = () => pause(pollMs, null, { signal: interruption() })
  const responded = sent.then(
    (state) => ({ state }),
    (error: unknown) => ({ error }),
  )
  for (let broken: unknown = null; ;) {
    const result = await (broken === null ? Promise.race([responded, poll()]) : poll())
    if (result !== null && 'state' in result) {
      progress.show(result.state.lines, result.state.lines, say`lines`)
      return result.state
    }
    if (result !== null) {
      broken = client.errorOf(result.error)
      if (!(broken instanceof CommandError && broken.exitStatus === 'unreachable')) throw broken
    }
    const state = await readState(client, id)
    if (state !== null) progress.show(state.lines, Math.max(total, state.lines), say`lines, ${state.rejected} rejected`)
    if (broken === null) continue
    if (state === null) throw broken
    if (state.status === 'done') return state
    if (state.status === 'broken') throw stopped(id, state)
  }
}

function stopped(id: string, state: State): CommandError {
  const message = say`Import ${id} stopped after ${state.lines} lines; the valid ones among them are stored.`
  const next = say`Repeat the command: lines that are stored already are updated, not duplicated.`
  return new CommandError('unreachable', message, next, { body: state })
}

/** The progress of the import; null while the service does not have it yet. */
async function readState(client: ApiClient<'operator'>, id: string): Promise<State | null> {
  try {
    return await client.sdk.imports.get(id)
  } catch (cause) {
    const error = client.errorOf(cause)
    if (error instanceof CommandError && error.httpStatus === 404) return null
    throw error
  }
}

/** NDJSON for NDJSON; for a table, a workbook when the file is named so. */
function errorsType(format: Format, file: string): (typeof types)[Format] {
  if (format === 'ndjson') return types.ndjson
  return isWorkbookName(file) ? types.xlsx : types.csv
}

async function writeErrors(
  client: ApiClient<'operator'>,
  id: string,
  type: (typeof types)[Format],
  path: string,
): Promise<void> {
  await toFile(await client.sdk.imports.errors(id, { type }), path)
}

function report(state: State, name: string, { dryRun, errors, json }: ImportValues): void {
  const { lines, accepted, rejected, warnings = [] } = state
  if (json) printJson(state)
  else if (errors === undefined) {
    for (const { line, offenses } of state.errors) print(`${name}:${line}: ${offenses.join(' ')}`)
    const more = rejected - state.errors.length
    if (more > 0) printMessage(say`${more} more rejected lines are not shown: --errors FILE writes all of them.`)
  }
  for (const { warning, field, line } of warnings) {
    printMessage(`${line === undefined ? '' : `${name}:${line}: `}${say`warning`} ${warning} ${oneLine(field)}`)
  }
  const done = dryRun ? say`would be stored` : say`stored`
  printMessage(say`Import ${state['import-id']}: ${lines} lines, ${accepted} ${done}, ${rejected} rejected.`)
}
