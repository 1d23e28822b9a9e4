import type { Call, OperationId } from '@vigencia/client'
import type { Api } from '#platform/http/caller.ts'
import type { ApiClient } from './api-client.ts'
import { type CommandDeclaration, type Ending, nameOf, type Parameters, type Values } from './command-builder.ts'
import { confirm, confirmDates, confirmParameters } from './confirm.ts'
import type { ApiChoice } from './profiles.ts'
import { listParameters, type ListValues, printList, readList } from './list.ts'
import { say } from './language.ts'
import { cellOf, type Columns, print, printItems, printJson, printMessage, printObject } from './terminal.ts'

/** The option of every command that calls a service. */
export const profileParameters = {
  '--profile <name>': 'the stored profile to use; `demo` is the demo that runs on this data folder',
} as const

const as = (usual: string) =>
  ({
    '--as <api>': {
      description: `the client to use where the profile has both; by default the ${usual}`,
      choices: ['partner', 'operator'],
    },
  }) as const
const choices = { either: as('operator'), 'partner-first': as('partner'), partner: {}, operator: {} } as const

interface ApiCommand<Declared extends Parameters, Choice extends ApiChoice> extends Omit<
  CommandDeclaration<Declared>,
  'run'
> {
  /** `either` and `partner-first`: both APIs have the operation, with the option `--as`. */
  readonly api: Choice
  readonly run: (values: Values<Declared>, client: ApiClient<Choice>) => Ending | Promise<Ending>
}

/** A command that calls a running service: with the option `--profile`. */
export function apiCommand<const Declared extends Parameters, Choice extends ApiChoice>({
  api,
  run,
  parameters,
  ...declared
}: ApiCommand<Declared, Choice>): CommandDeclaration {
  return {
    ...declared,
    parameters: { ...profileParameters, ...choices[api], ...parameters },
    async run(values) {
      const given = values as Values<typeof profileParameters & ReturnType<typeof as>>
      const { openApiClient } = await import('./api-client.ts')
      const client = await openApiClient((given.as ?? api) as Choice, given.profile)
      try {
        return await run(values as Values<Declared>, client)
      } catch (error) {
        throw client.errorOf(error)
      }
    },
  }
}

/** A function that gets the values of the arguments, in their order. */
export function argumentsOf(parameters: Parameters = {}): (values: object) => string[] {
  const names = Object.keys(parameters).filter((syntax) => syntax.startsWith('<'))
  return (values) => names.map((syntax) => (values as Readonly<Record<string, string>>)[nameOf(syntax)] ?? '')
}

/** What commander has read. */
export type Given = Readonly<Record<string, unknown>>

/** A command that makes one call, or the calls of one list. */
export interface Operation extends Omit<CommandDeclaration, 'run'> {
  /** The operationId in each API that has it. */
  readonly operation: Readonly<Partial<Record<Api, OperationId>>>
  readonly request: (given: Given) => Promise<Call>
}

/** The command of an operation. @param run gets the operation of the client's API. */
export function operationCommand(
  { operation: ids, request: _request, ...declared }: Operation,
  run: (given: Given, client: ApiClient, id: OperationId) => Promise<void>,
): CommandDeclaration {
  const [api = 'either', other] = Object.keys(ids) as Api[]
  return apiCommand({
    ...declared,
    api: other === undefined ? api : 'either',
    run: (given, client) => run(given, client, ids[client.api] as OperationId),
  })
}

/** How the response is printed: as a table, as a line for each field, or whole; then the message. */
interface Printed {
  readonly columns: Columns | undefined
  readonly fields: readonly string[]
  readonly isShown: boolean
  readonly message: (given: Given) => string | undefined
  /** What `--json` prints for a response without a body. */
  readonly emptyResult: (given: Given) => object
}

interface Guarded {
  /** Whether it takes dates, which may have to be confirmed. */
  readonly hasDates: boolean
  /** Runs before the request. */
  readonly before?: ((given: Given, client: ApiClient) => Promise<void>) | undefined
  /** For what cannot be undone: the command asks, and `--dry-run` shows the object. */
  readonly irreversible:
    | {
        readonly sentence: (given: Given) => string
        readonly look: (given: Given, client: ApiClient) => Promise<object>
      }
    | undefined
}

/** A command that makes one request and prints its response; `--json` prints the body. */
export function operation(declared: Operation & Printed & Guarded): CommandDeclaration {
  const { columns, fields, isShown, message, emptyResult, hasDates, before, irreversible, ...others } = declared
  const dates = hasDates ? { '--yes': 'a date more than two years from today is meant' } : {}
  const guard = irreversible === undefined ? dates : confirmParameters
  const parameters = { ...declared.parameters, ...guard }
  return operationCommand({ ...others, parameters }, async (given, client, id) => {
    const { yes, dryRun, json } = given as Values<typeof confirmParameters>
    if (irreversible !== undefined && dryRun) {
      const result = await irreversible.look(given, client)
      if (json) return printJson({ 'dry-run': true, result })
      printMessage(say`Nothing was done. ${irreversible.sentence(given)}`)
      return printObject(result)
    }
    if (irreversible !== undefined) await confirm(irreversible.sentence(given), yes)
    await before?.(given, client)
    const call = await declared.request(given)
    const send = (confirmed?: true) =>
      client.sdk.operations.request(
        id,
        confirmed ? { ...call, json: { ...(call.json as object), confirm: true } } : call,
      )
    const body = (await (hasDates ? confirmDates(client, yes, send) : send())) as object | undefined
    if (json) return printJson(body ?? emptyResult(given))
    if (columns !== undefined) printItems([(body as { result: object }).result], columns)
    const width = Math.max(...fields.map((field) => field.length))
    for (const field of fields) print(`${field.padEnd(width)}  ${cellOf(body ?? {}, field)}`)
    // A request and an import have no `result`.
    const shown = body as { result?: object }
    if (isShown) printObject(shown.result ?? shown)
    const text = message(given)
    if (text !== undefined) printMessage(text)
  })
}

/** A command that prints the items of a list; `--json` prints them as the body of one page. @param ids the field that `--ids` prints. */
export function listOperation({
  columns,
  ids,
  ...declared
}: Operation & { readonly columns: Columns; readonly ids: string | undefined }): CommandDeclaration {
  const idsOnly = { '--ids': { description: 'print only their ids, one a line', conflicts: 'json' } }
  const parameters = { ...declared.parameters, ...listParameters, ...(ids === undefined ? {} : idsOnly) }
  return operationCommand({ ...declared, parameters }, async (given, client, id) => {
    const list = given as ListValues
    const items = await readList(client, id, await declared.request(given), list)
    if (ids === undefined || given['ids'] !== true) return printList(items, columns, list)
    for (const item of items) print(cellOf(item, ids))
  })
}
