/* The commands that are one call of one operation: openapi.json describes them, each beside its operation (`x-cli`). */
import type { OperationId } from '@vigencia/client'
import type { CliCommand } from '#platform/http/extensions.ts'
import { warnOfSameName } from './account.ts'
import type { ApiClient } from './api-client.ts'
import type { CommandDeclaration } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { type DescribedCommand, describedCommands } from './openapi.ts'
import { callOf, exampleOf, inputsOf, type NamedInput, sentence } from './operation-inputs.ts'
import { type Given, listOperation, operation } from './operation.ts'
import { downloadOperation } from './save.ts'
import { say, translated } from './language.ts'
import { cellOf, type Columns, oneLine, valueAt } from './terminal.ts'

/** The commands of a noun, in the order of openapi.json. @param noun one word, or `roster policy`. */
export function operationCommands(noun: string): CommandDeclaration[] {
  const ofNoun = describedCommands().filter(({ cli: { command } }) => {
    return command === noun || command.replace(/ [\w-]+$/, '') === noun
  })
  return [...Map.groupBy(ofNoun, ({ cli }) => cli.command).values()].map(declare)
}

/** What some do before their call. */
const before: Readonly<Record<string, (given: Given, client: ApiClient) => Promise<void>>> = {
  createClient: ({ name }, client) => warnOfSameName(client, 'client', String(name)),
  createOperator: ({ name }, client) => warnOfSameName(client, 'operator', String(name)),
}

/** @param ofApis the operation in the APIs that have it. */
function declare(ofApis: readonly DescribedCommand[]): CommandDeclaration {
  const [first] = ofApis as readonly [DescribedCommand]
  const cli = Object.assign({}, ...ofApis.map((operation) => operation.cli)) as CliCommand
  const inputs = inputsOf(cli, ofApis)
  const declared = {
    name: cli.command.split(' ').at(-1) ?? '',
    description: `${sentence(first.summary)} (${ofApis.map(({ api }) => api).join(' or ')})`,
    examples: cli.examples ?? { [exampleOf(cli.command, inputs)]: sentence(first.description) },
    parameters: Object.fromEntries(inputs.map(({ syntax, parameter }) => [syntax, parameter])),
    operation: Object.fromEntries(ofApis.map(({ api, id }) => [api, id])),
    request: (given: Given) => callOf(cli, inputs, given),
  }
  const columns = cli.columns && columnsFrom(cli.columns)
  if (first.returns === 'list') return listOperation({ ...declared, columns: columns ?? {}, ids: cli.ids })
  if (first.returns !== 'json') return downloadOperation({ ...declared, isText: first.returns === 'text' })
  const { fields = [], message, result = {}, irreversible } = cli
  return operation({
    ...declared,
    columns,
    fields,
    isShown: cli.isShown ?? (columns === undefined && fields.length === 0 && message === undefined),
    message: (given) => message && filled(translated(message), inputs, given),
    emptyResult: (given) =>
      Object.fromEntries(
        Object.entries(result).map(([name, value]) => [name, value === true ? value : filled(value, inputs, given)]),
      ),
    hasDates: first.inputs.some(({ name, place }) => place === 'body' && name === 'confirm'),
    before: before[first.id],
    irreversible: irreversible && {
      sentence: (given) => filled(translated(irreversible.sentence), inputs, given),
      look: (given, client) => look(client, irreversible.look, String(given[inputs[0]?.key ?? '']), cli.command),
    },
  })
}

/** The text with the values of its `{names}`. */
function filled(text: string, inputs: readonly NamedInput[], given: Given): string {
  return text.replaceAll(/\{([\w-]+)\}/g, (_all, name: string) => {
    return String(given[inputs.find((input) => input.name === name)?.key ?? ''])
  })
}

/** What would be changed: as an operation reads it, or from among the items of a list. */
async function look(client: ApiClient, operation: string, value: string, command: string): Promise<object> {
  const id = operation as OperationId
  if (!id.startsWith('list')) {
    const { result } = (await client.sdk.operations.request(id, { path: [value] })) as { result: object }
    return result
  }
  const items = client.sdk.operations.list(id) as AsyncIterable<object>
  for await (const item of items) if (valueAt(item, 'client-id') === value) return item
  const [noun = ''] = command.split(' ')
  throw new CommandError('refused', say`There is no ${noun} ${oneLine(value)}.`, `vigencia ${noun} list`)
}

/** The columns of a command. */
export function columnsOf(command: string): Columns {
  return columnsFrom(describedCommands().find(({ cli }) => cli.command === command)?.cli.columns ?? {})
}

function columnsFrom(columns: Readonly<Record<string, string>>): Columns {
  return Object.fromEntries(Object.entries(columns).map(([heading, field]) => [heading, columnOf(field)]))
}

function columnOf(field: string): Columns[string] {
  const [list = '', ofEach] = field.split('[].')
  if (ofEach !== undefined) {
    const elementsOf = (item: object) => (valueAt(item, list) ?? []) as readonly object[]
    return (item: object) =>
      elementsOf(item)
        .map((element) => cellOf(element, ofEach))
        .join(', ')
  }
  const [template = '', other] = field.split('} | ')
  const [text = '', name] = template.split('{')
  if (other === undefined || name === undefined) return field
  return (item: object) => (valueAt(item, name) == null ? cellOf(item, other) : `${text}${cellOf(item, name)}`)
}
