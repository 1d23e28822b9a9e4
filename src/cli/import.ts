import { randomUUID } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type ApiClient, openApiClient, pathOf, responseError } from './api-client.ts'
import { apiCommand, type CommandOptions, group } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { CommandError, ResponseError } from './errors.ts'
import { openProgress, print, printJson, type Progress, printMessage } from './terminal.ts'

export interface ImportOptions extends CommandOptions {
  readonly dryRun?: true
  readonly importId?: string
  readonly format?: 'csv' | 'ndjson'
  readonly errors?: string
}

/** `vigencia import members`. */
export function importCommand(context: CommandContext): Command {
  const members = apiCommand('members', 'import members with their benefits as the carrier has them (operator)', [
    ['import members members.csv --dry-run', 'validates every line, and stores nothing'],
    [
      'import members members.csv --errors bad-lines.ndjson',
      'stores the valid lines; writes the rejected ones to a file',
    ],
  ])
    .argument('<file>', 'CSV or NDJSON, a line for each benefit')
    .option('--dry-run', 'validate only; nothing is stored')
    .addOption(new Option('--format <format>', 'when the name of the file does not show it').choices(['csv', 'ndjson']))
    .option('--import-id <uuid>', 'an id of your choice, to follow the import from elsewhere')
    .option('--errors <file>', 'write every rejected line with its offenses to a file, as NDJSON')
    .action((file: string, options: ImportOptions) => importRoster(context, file, options))
  return group('import', 'data of other systems', [members])
}

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
async function importRoster(context: CommandContext, file: string, options: ImportOptions): Promise<void> {
  const format = options.format ?? (/\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv')
  const [body, total] = await openFile(file, format)
  const client = openApiClient(context, 'operator', options)
  const id = options.importId ?? randomUUID()
  const progress = openProgress(context, options.json ? context.stderr : context.stdout)
  let state: State
  try {
    const query = { 'import-id': id, 'dry-run': options.dryRun }
    const sent = client.call<State>('POST', '/operator/v1/member/import', {
      query,
      body,
      headers: { 'content-type': types[format] },
    })
    state = await follow(context, client, id, sent, total, progress)
  } finally {
    progress.end()
  }
  if (options.errors !== undefined) await writeErrors(client, id, state, options.errors)
  report(context, file, state, options)
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
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError('usage', `${file} cannot be read (${code ?? 'unknown'}).`, { cause: error })
  }
}

/**
 * Waits for the response and polls the progress meanwhile. When the connection breaks or times out, the service continues or has
 * stopped: the progress is polled until it shows which.
 */
async function follow(
  context: CommandContext,
  client: ApiClient,
  id: string,
  sent: Promise<State>,
  total: number,
  progress: Progress,
): Promise<State> {
  type Outcome = { state: State } | { error: unknown }
  let outcome: Outcome | null = null
  const responded = sent
    .then((state): Outcome => ({ state }))
    .catch((error: unknown): Outcome => ({ error }))
    .then((how) => (outcome = how))
  for (;;) {
    await Promise.race([responded, pause(pollMs, undefined, { signal: context.interruption })])
    const how = outcome as Outcome | null
    if (how !== null && 'state' in how) {
      progress.show(how.state.lines, how.state.lines, 'lines')
      return how.state
    }
    if (how !== null && !(how.error instanceof CommandError && how.error.exitStatus === 'unreachable')) throw how.error
    const state = await readState(client, id)
    if (state !== null) progress.show(state.lines, Math.max(total, state.lines), `lines, ${state.rejected} rejected`)
    if (how === null) continue
    if (state === null) throw how.error
    if (state.status === 'done') return state
    if (state.status === 'broken') throw broken(id, state)
    await pause(pollMs, undefined, { signal: context.interruption })
  }
}

function broken(id: string, state: State): CommandError {
  return new CommandError(
    'unreachable',
    `Import ${id} stopped after ${state.lines} lines; the valid ones among them are stored.`,
    {
      next: 'Repeat the command: lines that are stored already are updated, not duplicated.',
      body: state,
    },
  )
}

/** The progress of the import; null while the service does not have it yet. */
async function readState(client: ApiClient, id: string): Promise<State | null> {
  try {
    return await client.call<State>('GET', pathOf`/operator/v1/member/import/${id}`)
  } catch (error) {
    if (error instanceof ResponseError && error.status === 404) return null
    throw error
  }
}

async function writeErrors(client: ApiClient, id: string, state: State, path: string): Promise<void> {
  // The response has up to 1,000; a dry run stores no more than those.
  const isAll = state.errors.length >= state.rejected
  const lines = isAll ? state.errors.map((one) => `${JSON.stringify(one)}\n`) : await readErrors(client, id)
  await writeFile(path, lines, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError('usage', `${path} cannot be written (${error.code ?? 'unknown'}).`, { cause: error })
  })
}

async function readErrors(client: ApiClient, id: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await client.send('GET', pathOf`/operator/v1/member/import/${id}/error`)
  if (!response.ok || response.body === null) throw await responseError(response)
  return response.body
}

function report(context: CommandContext, file: string, state: State, options: ImportOptions): void {
  if (state.rejected > 0) context.exitStatus = state.accepted > 0 ? 'inPart' : 'refused'
  if (options.json) printJson(context, state)
  else if (options.errors === undefined) {
    for (const { line, offenses } of state.errors) print(context, `${file}:${line}: ${offenses.join(' ')}`)
    const more = state.rejected - state.errors.length
    if (more > 0) printMessage(context, `${more} more rejected lines are not shown: --errors FILE writes all of them.`)
  }
  const done = options.dryRun ? 'would be stored' : 'stored'
  printMessage(
    context,
    `Import ${state['import-id']}: ${state.lines} lines, ${state.accepted} ${done}, ${state.rejected} rejected.`,
  )
}
