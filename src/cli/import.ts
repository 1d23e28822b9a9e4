import { randomUUID } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiClient, pathOf, responseError } from './api-client.ts'
import type { CommandDeclaration, Ending, Values } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError, fileError } from './errors.ts'
import { importStatusCommands } from './import-status.ts'
import { apiCommand } from './operation.ts'
import { interruption, openProgress, print, printJson, printMessage, type Progress } from './terminal.ts'

const parameters = {
  '<file>': 'CSV or NDJSON, a line for each benefit',
  '--dry-run': 'validate only; nothing is stored',
  '--format <format>': { description: 'when the name of the file does not show it', choices: ['csv', 'ndjson'] },
  '--import-id <uuid>': 'an id of your choice, to follow the import from elsewhere',
  '--yes': 'replace the file of --errors without asking',
  '--errors <file>': 'write every rejected line with its offenses to a file, as NDJSON',
} as const

/** `vigencia import members`. */
export const importCommand: CommandDeclaration = {
  name: 'import',
  description: 'data of other systems',
  commands: [
    apiCommand({
      name: 'members',
      description: 'import members with their benefits as the carrier has them (operator)',
      examples: {
        'import members members.csv --dry-run': 'validates every line, and stores nothing',
        'import members members.csv --errors bad-lines.ndjson':
          'stores the valid lines; writes the rejected ones to a file',
      },
      parameters,
      api: 'operator',
      run: importRoster,
    }),
    ...importStatusCommands,
  ],
}

type ImportValues = Values<typeof parameters>

interface State {
  readonly 'import-id': string
  readonly status?: 'running' | 'done' | 'broken'
  readonly lines: number
  readonly accepted: number
  readonly rejected: number
  readonly errors: readonly { readonly line: number; readonly offenses: readonly string[] }[]
}

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }
const pollMs = 500

/** Sends the file as a stream and shows the progress until the import is done. */
async function importRoster(values: ImportValues, client: ApiClient): Promise<Ending> {
  const { file, dryRun, importId: id = randomUUID(), errors, json } = values
  const format = values.format ?? (/\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv')
  await confirmOverwrite(errors, values.yes)
  const [body, total] = await openFile(file, format)
  const progress = openProgress(json ? process.stderr : process.stdout)
  let state: State
  try {
    const query = { 'import-id': id, 'dry-run': dryRun }
    const headers = { 'content-type': types[format] }
    const sent = client.call<State>('POST', '/operator/v1/member/import', { query, body, headers })
    state = await follow(client, id, sent, total, progress)
  } finally {
    progress.end()
  }
  if (errors !== undefined) await writeErrors(client, id, state, errors)
  report(state, values)
  if (state.rejected > 0) return state.accepted > 0 ? 'inPart' : 'refused'
}

/** The file as a request body, and its approximate number of lines of data. */
async function openFile(file: string, format: 'csv' | 'ndjson'): Promise<[Blob, number]> {
  try {
    let lines = 0
    let last = 10
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
      last = chunk.at(-1) ?? last
    }
    if (last !== 10) lines += 1
    return [await openAsBlob(file), Math.max(0, format === 'csv' ? lines - 1 : lines)]
  } catch (error) {
    throw fileError(file, 'read', error)
  }
}

/**
 * Waits for the response and polls the progress meanwhile. When the connection breaks or times out, the service continues or has
 * stopped: the progress is polled until it shows which.
 */
async function follow(
  client: ApiClient,
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
    const outcome = await (broken === null ? Promise.race([responded, poll()]) : poll())
    if (outcome !== null && 'state' in outcome) {
      progress.show(outcome.state.lines, outcome.state.lines, 'lines')
      return outcome.state
    }
    if (outcome !== null) {
      broken = outcome.error
      if (!(broken instanceof CommandError && broken.exitStatus === 'unreachable')) throw broken
    }
    const state = await readState(client, id)
    if (state !== null) progress.show(state.lines, Math.max(total, state.lines), `lines, ${state.rejected} rejected`)
    if (broken === null) continue
    if (state === null) throw broken
    if (state.status === 'done') return state
    if (state.status === 'broken') throw stopped(id, state)
  }
}

function stopped(id: string, state: State): CommandError {
  const message = `Import ${id} stopped after ${state.lines} lines; the valid ones among them are stored.`
  const next = 'Repeat the command: lines that are stored already are updated, not duplicated.'
  return new CommandError('unreachable', message, next, { body: state })
}

/** The progress of the import; null while the service does not have it yet. */
async function readState(client: ApiClient, id: string): Promise<State | null> {
  try {
    return await client.call<State>('GET', pathOf`/operator/v1/member/import/${id}`)
  } catch (error) {
    if (error instanceof CommandError && error.httpStatus === 404) return null
    throw error
  }
}

async function writeErrors(client: ApiClient, id: string, state: State, path: string): Promise<void> {
  // The response has up to 1,000; a dry run stores no more than those.
  const isAll = state.errors.length >= state.rejected
  const lines = isAll ? state.errors.map((one) => `${JSON.stringify(one)}\n`) : await readErrors(client, id)
  await writeFile(path, lines, { mode: 0o600 }).catch((error: unknown) => {
    throw fileError(path, 'written', error)
  })
}

async function readErrors(client: ApiClient, id: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await client.send('GET', pathOf`/operator/v1/member/import/${id}/error`)
  if (!response.ok || response.body === null) throw await responseError(response)
  return response.body
}

function report(state: State, { file, dryRun, errors, json }: ImportValues): void {
  const { lines, accepted, rejected } = state
  if (json) printJson(state)
  else if (errors === undefined) {
    for (const { line, offenses } of state.errors) print(`${file}:${line}: ${offenses.join(' ')}`)
    const more = rejected - state.errors.length
    if (more > 0) printMessage(`${more} more rejected lines are not shown: --errors FILE writes all of them.`)
  }
  const done = dryRun ? 'would be stored' : 'stored'
  printMessage(`Import ${state['import-id']}: ${lines} lines, ${accepted} ${done}, ${rejected} rejected.`)
}
