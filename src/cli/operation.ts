import type { Api } from '../http/caller.ts'
import { type ApiClient, type CallOptions, openApiClient, type Query } from './api-client.ts'
import { type CommandDeclaration, type Ending, type Parameters, type Values } from './command-builder.ts'
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

interface ApiCommand<Declared extends Parameters> extends Omit<CommandDeclaration<Declared>, 'run'> {
  /** `either`: both APIs have the operation, with the option `--as`. */
  readonly api: Api | 'either'
  readonly run: (values: Values<Declared>, client: ApiClient) => Ending | Promise<Ending>
}

/** A command that calls a running service: with the option `--profile`. */
export function apiCommand<const Declared extends Parameters>({
  api,
  run,
  parameters,
  ...declared
}: ApiCommand<Declared>): CommandDeclaration {
  return {
    ...declared,
    parameters: { ...profile, ...(api === 'either' ? as : {}), ...parameters },
    async run(values) {
      const given = values as Values<typeof profile & typeof as>
      return run(values as Values<Declared>, await openApiClient(given.as ?? api, given.profile))
    },
  }
}

type Operation<Declared extends Parameters, Request> = Omit<ApiCommand<Declared>, 'run'> & {
  /** @param api the API that is called. */
  readonly request: (values: Values<Declared>, api: Api) => Request
}

interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
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
  request,
  columns,
  fields = [],
  isShown,
  message,
  emptyResult,
  before,
  irreversible,
  ...declared
}: Operation<Declared, Call | Promise<Call>> & Printed<Declared> & Guarded<Declared>): CommandDeclaration {
  const guard = irreversible === undefined ? {} : confirmParameters
  return apiCommand({
    ...declared,
    parameters: { ...declared.parameters, ...guard } as Parameters as Declared,
    async run(values, client) {
      const { yes, dryRun } = values as Values<typeof confirmParameters>
      if (irreversible !== undefined && dryRun) {
        const result = await irreversible.look(values, client)
        if (values.json) return printJson({ 'dry-run': true, result })
        printMessage(`Nothing was done. ${irreversible.sentence(values)}`)
        return printObject(result)
      }
      if (irreversible !== undefined) await confirm(irreversible.sentence(values), yes)
      await before?.(values, client)
      const { method, path, ...options } = await request(values, client.api)
      const body = await client.call<object | null>(method, path, options)
      if (values.json) return printJson(body ?? emptyResult?.(values) ?? {})
      if (columns !== undefined) printItems([(body as { result: object }).result], columns)
      const width = Math.max(...fields.map((field) => field.length))
      for (const field of fields) print(`${field.padEnd(width)}  ${cellOf(body ?? {}, field)}`)
      // A request and an import have no `result`.
      const shown = body as { result?: object }
      if (isShown) printObject(shown.result ?? shown)
      if (message !== undefined) printMessage(message(values))
    },
  })
}

/** A command that prints the items of a paginated list; `--json` prints them as the body of one page. */
export function listOperation<const Declared extends Parameters>({
  request,
  columns,
  isWhole,
  ...declared
}: Operation<Declared, { path: string; query?: Query }> & {
  readonly columns: Columns
  /** For a list without pages. */
  readonly isWhole?: true
}): CommandDeclaration {
  return apiCommand({
    ...declared,
    parameters: { ...declared.parameters, ...listParameters } as Parameters as Declared,
    async run(values, client) {
      const { path, query } = request(values, client.api)
      const list = values as ListValues
      printList(await readList(client, path, query, list, isWhole), columns, list)
    },
  })
}
