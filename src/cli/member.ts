import type { Member } from '@vigencia/client'
import { byteOrderMark, csvLine, lineEnd } from '../csv/write.ts'
import type { ApiClient } from './api-client.ts'
import type { CommandDeclaration, Values } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError } from './errors.ts'
import { apiCommand, listOperation, operation } from './operation.ts'
import { outputParameters, save } from './save.ts'
import { printMessage } from './terminal.ts'

const formats = ['csv', 'json', 'ndjson'] as const
type Format = (typeof formats)[number]

const parameters = {
  '--format <format>': {
    description: 'csv, json or ndjson; by default from the extension of the file, else ndjson',
    choices: formats,
  },
  ...outputParameters,
  '--include-inactive': 'former members and benefits too',
  '--filter <filter>': 'field=value joined by |: tax-id, cost-center, employee-id',
} as const

/** `vigencia member list`, `show`, `disclose` and `export`. */
export const memberCommand: CommandDeclaration = {
  name: 'member',
  description: 'members and their benefits',
  commands: [
    listOperation({
      name: 'list',
      description: 'list members (partner or operator)',
      examples: {
        'member list --filter cost-center=CC-111': 'partner: those of a cost center',
        'member list --as operator --query "helena brandao"':
          'operator: those whose name, e-mail or employee id holds it',
      },
      parameters: {
        '--filter <filter>': 'partner: field=value joined by |: tax-id, cost-center, employee-id',
        '--include-inactive': 'partner: former members and benefits too',
        '--updated-since <time>': 'partner: what changed at or after that time (UTC)',
        '--query <text>': 'operator: part of a name, e-mail or employee id',
        '--tax-id <cpf>': 'operator: the member with this CPF',
        '--company-tax-id <cnpj>': 'operator: only of this company',
        '--disclose': 'operator: show CPFs; it is audited',
      },
      operation: { partner: 'listMembers', operator: 'searchMembers' },
      request: ({ filter, includeInactive, updatedSince, query, taxId, companyTaxId, disclose }) => ({
        query: {
          filter,
          'include-inactive': includeInactive,
          'updated-since': updatedSince,
          q: query,
          'tax-id': taxId,
          'company-tax-id': companyTaxId,
          disclose,
        },
      }),
      columns: {
        'MEMBER-ID': 'id',
        NAME: 'profile.name',
        'TAX-ID': 'profile.tax-id',
        BENEFITS: ({ benefits }: Member) => benefits.map((one) => one['product-name']).join(', '),
      },
    }),
    operation({
      name: 'disclose',
      description: 'show what the operator API masks of a member; it is audited (operator)',
      examples: { 'member disclose 5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11': 'the CPF and the bank data' },
      parameters: { '<member-id>': '' },
      operation: { operator: 'discloseMember' },
      isShown: true,
    }),
    operation({
      name: 'show',
      description: 'show a member with all benefits and registration data (partner or operator)',
      examples: { 'member show 5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11': 'inactive benefits too' },
      parameters: { '<member-id>': '', '--disclose': 'operator: show CPF and bank data; it is audited' },
      operation: { partner: 'readMember', operator: 'readAnyMember' },
      request: ({ disclose }) => ({ query: { disclose } }),
      isShown: true,
    }),
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

/** Streams the members into a file or to standard output; memory does not grow with the list. */
async function exportMembers(values: Values<typeof parameters>, client: ApiClient<'partner'>): Promise<void> {
  const { output, includeInactive, filter, json, yes } = values
  const format = values.format ?? (json ? 'json' : formatOf(output))
  await confirmOverwrite(output, yes)
  const members = client.sdk.members.stream({ 'include-inactive': includeInactive, filter })
  const count = { members: 0 }
  await save(textsOf(format, members, count), output)
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
  members: AsyncIterable<Member>,
  count: { members: number },
): AsyncGenerator<string> {
  if (format === 'csv') yield `${byteOrderMark}${csvLine(columns)}${lineEnd}`
  if (format === 'json') yield '{"result":['
  for await (const member of members) {
    if (format === 'ndjson') yield `${JSON.stringify(member)}\n`
    else if (format === 'json') yield `${count.members === 0 ? '' : ','}${JSON.stringify(member)}`
    else yield csvLines(member)
    count.members += 1
  }
  if (format === 'json') yield ']}\n'
}

/** The columns of the CSV: those that `import` reads, and the ids. */
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
    return `${csvLine(columns.map((column) => String(fields[column] ?? '')))}${lineEnd}`
  })
  return lines.join('')
}
