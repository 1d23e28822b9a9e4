import type { Call, OperationId } from '@vigencia/client'
import type { Api } from '../http/caller.ts'
import type { ApiClient } from './api-client.ts'
import { type CommandDeclaration, type Ending, nameOf, type Parameters, type Values } from './command-builder.ts'
import { confirm, confirmParameters } from './confirm.ts'
import { listParameters, type ListValues, printList, readList } from './list.ts'
import { cellOf, type Columns, print, printItems, printJson, printMessage, printObject } from './terminal.ts'

const profile = {
  '--profile <name>': 'the stored profile to use; `demo` is the demo that runs on this data folder',
} as const

const as = {
  '--as <api>': {
    description: 'the client to use where the profile has both; by default the operator',
    choices: ['partner', 'operator'],
  },
} as const

interface ApiCommand<Declared extends Parameters, Choice extends Api | 'either'> extends Omit<
  CommandDeclaration<Declared>,
  'run'
> {
  /** `either`: both APIs have the operation, with the option `--as`. */
  readonly api: Choice
  readonly run: (values: Values<Declared>, client: ApiClient<Choice>) => Ending | Promise<Ending>
}

/** A command that calls a running service: with the option `--profile`. */
export function apiCommand<const Declared extends Parameters, Choice extends Api | 'either'>({
  api,
  run,
  parameters,
  ...declared
}: ApiCommand<Declared, Choice>): CommandDeclaration {
  return {
    ...declared,
    parameters: { ...profile, ...(api === 'either' ? as : {}), ...parameters },
    async run(values) {
      const given = values as Values<typeof profile & typeof as>
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

/** A command that makes one call, or the calls of one list. */
export interface Operation<Declared extends Parameters> extends Omit<CommandDeclaration<Declared>, 'run'> {
  /** The operationId in each API that has it. */
  readonly operation: Readonly<Partial<Record<Api, OperationId>>>
  /** The arguments of the command are the values of the path, unless it names them. */
  readonly request?: (values: Values<Declared>) => Call | Promise<Call>
}

/** A function that gets the values of the arguments, in their order. */
export function argumentsOf(parameters: Parameters = {}): (values: object) => string[] {
  const names = Object.keys(parameters).filter((syntax) => syntax.startsWith('<'))
  return (values) => names.map((syntax) => (values as Readonly<Record<string, string>>)[nameOf(syntax)] ?? '')
}

/** The command of an operation. @param run gets the operation of the client's API and its call. */
export function operationCommand<const Declared extends Parameters>(
  { operation: ids, request, ...declared }: Operation<Declared>,
  run: (
    values: Values<Declared>,
    client: ApiClient,
    id: OperationId,
    call: () => Promise<Call>,
  ) => Ending | Promise<Ending>,
): CommandDeclaration {
  const [api = 'either', other] = Object.keys(ids) as Api[]
  const pathOf = argumentsOf(declared.parameters)
  return apiCommand({
    ...declared,
    api: other === undefined ? api : 'either',
    run(values, client) {
      const call = async () => ({ path: pathOf(values), ...(await request?.(values)) })
      return run(values, client, ids[client.api] as OperationId, call)
    },
  })
}

interface Printed<Declared extends Parameters> {
  /** Prints the `result` of the response as a table. */
  readonly columns?: Columns
  /** Prints these properties of the response, one a line. */
  readonly fields?: readonly string[]
  /** Prints all of the response. */
  readonly isShown?: true
  /** Printed to standard error after the result. */
  readonly message?: (values: Values<Declared>) => string
  /** What `--json` prints for a response without a body. */
  readonly emptyResult?: (values: Values<Declared>) => object
}

interface Guarded<Declared extends Parameters> {
  /** Runs before the request. */
  readonly before?: (values: Values<Declared>, client: ApiClient) => Promise<void>
  /** For what cannot be undone: the command asks, and `--dry-run` shows the object. */
  readonly irreversible?: {
    readonly sentence: (values: Values<Declared>) => string
    readonly look: (values: Values<Declared>, client: ApiClient) => Promise<object>
  }
}

/** A command that makes one request and prints its response; `--json` prints the body. */
export function operation<const Declared extends Parameters>({
  columns,
  fields = [],
  isShown,
  message,
  emptyResult,
  before,
  irreversible,
  ...declared
}: Operation<Declared> & Printed<Declared> & Guarded<Declared>): CommandDeclaration {
  const guard = irreversible === undefined ? {} : confirmParameters
  const parameters = { ...declared.parameters, ...guard } as Parameters as Declared
  return operationCommand({ ...declared, parameters }, async (values, client, id, call) => {
    const { yes, dryRun } = values as Values<typeof confirmParameters>
    if (irreversible !== undefined && dryRun) {
      const result = await irreversible.look(values, client)
      if (values.json) return printJson({ 'dry-run': true, result })
      printMessage(`Nothing was done. ${irreversible.sentence(values)}`)
      return printObject(result)
    }
    if (irreversible !== undefined) await confirm(irreversible.sentence(values), yes)
    await before?.(values, client)
    const body = (await client.sdk.operations.request(id, await call())) as object | undefined
    if (values.json) return printJson(body ?? emptyResult?.(values) ?? {})
    if (columns !== undefined) printItems([(body as { result: object }).result], columns)
    const width = Math.max(...fields.map((field) => field.length))
    for (const field of fields) print(`${field.padEnd(width)}  ${cellOf(body ?? {}, field)}`)
    // A request and an import have no `result`.
    const shown = body as { result?: object }
    if (isShown) printObject(shown.result ?? shown)
    if (message !== undefined) printMessage(message(values))
  })
}

/** A command that prints the items of a list; `--json` prints them as the body of one page. */
export function listOperation<const Declared extends Parameters>({
  columns,
  ...declared
}: Operation<Declared> & { readonly columns: Columns }): CommandDeclaration {
  const parameters = { ...declared.parameters, ...listParameters } as Parameters as Declared
  return operationCommand({ ...declared, parameters }, async (values, client, id, call) => {
    const list = values as ListValues
    printList(await readList(client, id, await call(), list), columns, list)
  })
}
