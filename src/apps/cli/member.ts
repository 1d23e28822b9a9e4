import type { Member } from '@vigencia/client'
import { byteOrderMark, csvLine, lineEnd } from '#platform/tables/write.ts'
import { workbookOf } from '#platform/tables/xlsx/zip-writer.ts'
import type { ApiClient } from './api-client.ts'
import type { Values } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError } from './errors.ts'
import { apiCommand } from './operation.ts'
import { outputParameters, refuseTerminal, save } from './save.ts'
import { say } from './language.ts'
import { printMessage } from './terminal.ts'

const formats = ['csv', 'xlsx', 'json', 'ndjson'] as const
type Format = (typeof formats)[number]

const parameters = {
  '--format <format>': {
    description: 'csv, xlsx, json or ndjson; by default from the extension of the file, else ndjson',
    choices: formats,
  },
  ...outputParameters,
  '--include-inactive': 'former members and benefits too',
  '--filter <filter>': 'field=value joined by |: tax-id, cost-center, employee-id',
} as const

/** `vigencia member export`. */
export const memberExportCommand = apiCommand({
  name: 'export',
  description: 'write the members with their benefits, streamed (partner)',
  examples: {
    'member export --output members.csv': 'a line for each benefit; the extension selects the format',
    'member export --output members.xlsx': 'the same as a workbook',
    'member export --format ndjson --include-inactive | wc -l': 'a line for each member, former ones too',
    'member export --filter "cost-center=CC-111" --format json': 'as GET /v1/member returns it',
  },
  parameters,
  api: 'partner',
  run: exportMembers,
})

/** Streams the members into a file or to standard output; memory does not grow with the list. */
async function exportMembers(values: Values<typeof parameters>, client: ApiClient<'partner'>): Promise<void> {
  const { output, includeInactive, filter, json, yes } = values
  const format = values.format ?? (json ? 'json' : formatOf(output))
  if (format === 'xlsx') refuseTerminal(output)
  await confirmOverwrite(output, yes)
  const members = client.sdk.members.stream({ 'include-inactive': includeInactive, filter })
  const count = { members: 0 }
  await save(
    format === 'xlsx' ? workbookOf('members', sheetColumns, rowsOf(members, count)) : textsOf(format, members, count),
    output,
  )
  if (output !== undefined) printMessage(say`${count.members} members written to ${output}.`)
}

function formatOf(file: string | undefined): Format {
  const ending = /\.(csv|xlsx|json|ndjson|jsonl)$/i.exec(file ?? '')?.[1]?.toLowerCase()
  if (file !== undefined && ending === undefined) {
    throw new CommandError(
      'usage',
      say`The name ${file} does not say the format.`,
      say`Use --format csv, xlsx, json or ndjson.`,
    )
  }
  return formats.find((format) => format === ending) ?? 'ndjson'
}

async function* textsOf(
  format: Exclude<Format, 'xlsx'>,
  members: AsyncIterable<Member>,
  count: { members: number },
): AsyncGenerator<string> {
  if (format === 'csv') yield `${byteOrderMark}${csvLine(columns)}${lineEnd}`
  if (format === 'json') yield '{"result":['
  for await (const member of members) {
    if (format === 'ndjson') yield `${JSON.stringify(member)}\n`
    else if (format === 'json') yield `${count.members === 0 ? '' : ','}${JSON.stringify(member)}`
    else
      yield linesOf(member)
        .map((cells) => `${csvLine(cells)}${lineEnd}`)
        .join('')
    count.members += 1
  }
  if (format === 'json') yield ']}\n'
}

async function* rowsOf(
  members: AsyncIterable<Member>,
  count: { members: number },
): AsyncGenerator<readonly (readonly string[])[]> {
  for await (const member of members) {
    yield linesOf(member)
    count.members += 1
  }
}

/** The columns of a table: those that `import` reads, and the ids. */
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

const sheetColumns = columns.map((header) => ({ header, isDate: /-date$|^date-/.test(header) }))

/** The cells of a line for each benefit. */
function linesOf({ id, profile, benefits }: Member): string[][] {
  return benefits.map((benefit) => {
    const fields: Readonly<Record<string, string | boolean | null | undefined>> = {
      ...profile,
      ...benefit,
      'member-id': id,
      'beneficiary-type': benefit['type'],
    }
    return columns.map((column) => String(fields[column] ?? ''))
  })
}
