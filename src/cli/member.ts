import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { JSONParser } from '@streamparser/json'
import { type Command, Option } from 'commander'
import { openApiClient, responseError, unreachable } from './api-client.ts'
import { apiCommand, type CommandOptions, group } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { CommandError } from './errors.ts'
import { printMessage } from './terminal.ts'

export interface ExportOptions extends CommandOptions {
  readonly format?: 'csv' | 'json' | 'ndjson'
  readonly output?: string
  readonly includeInactive?: true
  readonly filter?: string
}

/** `vigencia member export`. */
export function memberCommand(context: CommandContext): Command {
  const exporting = apiCommand('export', 'write the members with their benefits, streamed (partner)', [
    ['member export --output members.csv', 'a line for each benefit; the extension selects the format'],
    ['member export --format ndjson --include-inactive | wc -l', 'a line for each member, former ones too'],
    ['member export --filter "cost-center=CC-111" --format json', 'as GET /v1/member returns it'],
  ])
    .addOption(
      new Option(
        '--format <format>',
        'csv, json or ndjson; by default from the extension of the file, else ndjson',
      ).choices(['csv', 'json', 'ndjson']),
    )
    .option('--output <file>', 'write to a file, readable to this user only; renamed to its name when it is complete')
    .option('--include-inactive', 'former members and benefits too')
    .option('--filter <filter>', 'field=value joined by |: tax-id, cost-center, employee-id')
    .action((options: ExportOptions) => exportMembers(context, options))
  return group('member', 'members and their benefits', [exporting])
}

interface Member {
  readonly id: string
  readonly profile: Readonly<Record<string, string | null>>
  readonly benefits: readonly Readonly<Record<string, string | boolean | null>>[]
}

type Format = 'csv' | 'json' | 'ndjson'

/** Streams `GET /v1/member` into a file or to standard output; memory does not grow with the list. */
async function exportMembers(context: CommandContext, options: ExportOptions): Promise<void> {
  const format = options.format ?? (options.json ? 'json' : formatOf(options.output))
  const client = openApiClient(context, 'partner', options)
  const query = { 'include-inactive': options.includeInactive, filter: options.filter }
  const response = await client.send('GET', '/v1/member', { query })
  if (!response.ok) throw await responseError(response)
  const count = { members: 0 }
  const texts = textsOf(format, response.body ?? [], count)
  try {
    if (options.output === undefined) await writeToStdout(context, texts)
    else await toFile(context, texts, options.output)
  } catch (error) {
    if (error instanceof TruncatedError) throw unreachable(client.url, error)
    const { code } = error as NodeJS.ErrnoException
    // The reader of the pipe has closed it.
    if (code === 'EPIPE') return
    if (error instanceof TypeError || code === 'ECONNRESET') throw unreachable(client.url, error)
    throw error
  }
  if (options.output !== undefined) printMessage(context, `${count.members} members written to ${options.output}.`)
}

function formatOf(file: string | undefined): Format {
  const ending = /\.(csv|json|ndjson|jsonl)$/i.exec(file ?? '')?.[1]?.toLowerCase()
  if (file !== undefined && ending === undefined) {
    throw new CommandError('usage', `The name ${file} does not say the format.`, {
      next: 'Use --format csv, json or ndjson.',
    })
  }
  return ending === 'csv' || ending === 'json' ? ending : 'ndjson'
}

async function* textsOf(
  format: Format,
  body: AsyncIterable<Uint8Array> | [],
  count: { members: number },
): AsyncGenerator<string> {
  if (format === 'csv') yield `${columns.map(([name]) => name).join(',')}\n`
  if (format === 'json') yield '{"result":['
  for await (const member of membersOf(body)) {
    if (format === 'ndjson') yield `${JSON.stringify(member)}\n`
    else if (format === 'json') yield `${count.members === 0 ? '' : ','}${JSON.stringify(member)}`
    else yield csvLines(member)
    count.members += 1
  }
  if (format === 'json') yield ']}\n'
}

/** The response ended before its JSON was complete. */
class TruncatedError extends Error {}

/** The members of the response, each as soon as it has arrived. */
async function* membersOf(body: AsyncIterable<Uint8Array> | []): AsyncGenerator<Member> {
  const parser = new JSONParser({ paths: ['$.result.*'], keepStack: false })
  const arrived: Member[] = []
  parser.onValue = ({ value }) => void arrived.push(value as unknown as Member)
  for await (const chunk of body) {
    parser.write(chunk)
    yield* arrived.splice(0)
  }
  if (!parser.isEnded) throw new TruncatedError('the response was cut off')
}

async function writeToStdout(context: CommandContext, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    context.interruption.throwIfAborted()
    if (context.stdout.destroyed) return
    if (!context.stdout.write(text)) await drained(context.stdout, context.interruption)
  }
}

function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: unknown) => {
      stream.off('drain', end)
      stream.off('error', end)
      if (error === undefined) resolve()
      else reject(error)
    }
    stream.once('drain', end)
    stream.once('error', end)
    signal.addEventListener('abort', () => end(signal.reason), { once: true })
  })
}

async function toFile(context: CommandContext, texts: AsyncIterable<string>, path: string): Promise<void> {
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(Readable.from(texts), file, { signal: context.interruption })
    await finished(file)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === 'open' || syscall === 'rename' || code === 'ENOSPC') {
      throw new CommandError('usage', `${path} cannot be written (${code ?? 'unknown'}).`, { cause: error })
    }
    throw error
  }
}

type Benefit = Member['benefits'][number]

/** The columns of the CSV: those that `import members` reads, and the ids. */
const columns: readonly (readonly [
  string,
  (member: Member, benefit: Benefit) => string | boolean | null | undefined,
])[] = [
  ['company-tax-id', (_, benefit) => benefit['company-tax-id']],
  ['beneficiary-type', (_, benefit) => benefit['type']],
  ['name', ({ profile }) => escapeFormula(profile['name'])],
  ['tax-id', ({ profile }) => profile['tax-id']],
  ['mothers-name', ({ profile }) => escapeFormula(profile['mothers-name'])],
  ['date-of-birth', ({ profile }) => profile['date-of-birth']],
  ['gender', ({ profile }) => profile['gender']],
  ['marital-status', ({ profile }) => profile['marital-status']],
  ['primary-member-tax-id', (_, benefit) => benefit['primary-member-tax-id']],
  ['dependent-type', (_, benefit) => benefit['dependent-type']],
  ['product-name', (_, benefit) => escapeFormula(benefit['product-name'])],
  ['product-type', (_, benefit) => benefit['product-type']],
  ['carrier-name', (_, benefit) => escapeFormula(benefit['carrier-name'])],
  ['status', (_, benefit) => benefit['status']],
  ['start-date', (_, benefit) => benefit['start-date']],
  ['end-date', (_, benefit) => benefit['end-date']],
  ['extension-plan', (_, benefit) => benefit['extension-plan']],
  ['card-number', (_, benefit) => escapeFormula(benefit['card-number'])],
  ['member-id', ({ id }) => id],
  ['benefit-id', (_, benefit) => benefit['benefit-id']],
]

/** Prevents CSV injection as OWASP advises: an apostrophe before a text that a spreadsheet would run as a formula. */
function escapeFormula(value: string | boolean | null | undefined): string {
  const text = String(value ?? '')
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function csvLines(member: Member): string {
  return member.benefits
    .map((benefit) => `${columns.map(([, read]) => cell(String(read(member, benefit) ?? ''))).join(',')}\n`)
    .join('')
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
