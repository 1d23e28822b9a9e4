import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { JSONParser } from '@streamparser/json'
import { type ApiClient, responseError, unreachable } from './api-client.ts'
import type { CommandDeclaration, Values } from './command-builder.ts'
import { CommandError, fileError } from './errors.ts'
import { apiCommand } from './operation.ts'
import { interruption, printMessage } from './terminal.ts'

const formats = ['csv', 'json', 'ndjson'] as const
type Format = (typeof formats)[number]

const parameters = {
  '--format <format>': {
    description: 'csv, json or ndjson; by default from the extension of the file, else ndjson',
    choices: formats,
  },
  '--output <file>': 'write to a file, readable to this user only; renamed to its name when it is complete',
  '--include-inactive': 'former members and benefits too',
  '--filter <filter>': 'field=value joined by |: tax-id, cost-center, employee-id',
} as const

/** `vigencia member export`. */
export const memberCommand: CommandDeclaration = {
  name: 'member',
  description: 'members and their benefits',
  commands: [
    apiCommand({
      name: 'export',
      description: 'write the members with their benefits, streamed (partner)',
      examples: {
        'member export --output members.csv': 'a line for each benefit; the extension selects the format',
        'member export --format ndjson --include-inactive | wc -l': 'a line for each member, former ones too',
        'member export --filter "cost-center=CC-111" --format json': 'as GET /v1/member returns it',
      },
      parameters,
      api: 'partner',
      run: exportMembers,
    }),
  ],
}

interface Member {
  readonly id: string
  readonly profile: Readonly<Record<string, string | null>>
  readonly benefits: readonly Readonly<Record<string, string | boolean | null>>[]
}

/** Streams `GET /v1/member` into a file or to standard output; memory does not grow with the list. */
async function exportMembers(values: Values<typeof parameters>, client: ApiClient): Promise<void> {
  const { output, includeInactive, filter, json } = values
  const format = values.format ?? (json ? 'json' : formatOf(output))
  const response = await client.send('GET', '/v1/member', { query: { 'include-inactive': includeInactive, filter } })
  if (!response.ok) throw await responseError(response)
  const count = { members: 0 }
  const texts = Readable.from(textsOf(format, response.body ?? [], count))
  try {
    if (output !== undefined) await toFile(texts, output)
    else await pipeline(texts, process.stdout, { signal: interruption(), end: false })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The reader of the pipe has closed it.
    if (code === 'EPIPE') return
    const isCutOff = error instanceof TruncatedError || error instanceof TypeError || code === 'ECONNRESET'
    throw isCutOff ? unreachable(client.url, error) : error
  }
  if (output !== undefined) printMessage(`${count.members} members written to ${output}.`)
}

function formatOf(file: string | undefined): Format {
  const ending = /\.(csv|json|ndjson|jsonl)$/i.exec(file ?? '')?.[1]?.toLowerCase()
  if (file !== undefined && ending === undefined) {
    throw new CommandError('usage', `The name ${file} does not say the format.`, 'Use --format csv, json or ndjson.')
  }
  return ending === 'csv' || ending === 'json' ? ending : 'ndjson'
}

async function* textsOf(
  format: Format,
  body: AsyncIterable<Uint8Array> | [],
  count: { members: number },
): AsyncGenerator<string> {
  if (format === 'csv') yield `${columns.join(',')}\n`
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

async function toFile(texts: Readable, path: string): Promise<void> {
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(texts, file, { signal: interruption() })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    const isFile = syscall === 'open' || syscall === 'rename' || code === 'ENOSPC'
    throw isFile ? fileError(path, 'written', error) : error
  }
}

/** The columns of the CSV: those that `import members` reads, and the ids. */
const columns = [
  'company-tax-id',
  'beneficiary-type',
  'name',
  'tax-id',
  'mothers-name',
  'date-of-birth',
  'gender',
  'marital-status',
  'primary-member-tax-id',
  'dependent-type',
  'product-name',
  'product-type',
  'carrier-name',
  'status',
  'start-date',
  'end-date',
  'extension-plan',
  'card-number',
  'member-id',
  'benefit-id',
]

function csvLines({ id, profile, benefits }: Member): string {
  const lines = benefits.map((benefit) => {
    const fields: Readonly<Record<string, string | boolean | null | undefined>> = {
      ...profile,
      ...benefit,
      'member-id': id,
      'beneficiary-type': benefit['type'],
    }
    return `${columns.map((column) => cell(String(fields[column] ?? ''))).join(',')}\n`
  })
  return lines.join('')
}

/** A quoted cell. An apostrophe prevents CSV injection, as OWASP advises: a spreadsheet would run the text as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
