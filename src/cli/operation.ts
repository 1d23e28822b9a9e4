import { type ApiClient, type CallOptions, everyItem, openApiClient, type Query } from './api-client.ts'
import { type CommandDeclaration, type Ending, type Parameters, type Values } from './command-builder.ts'
import type { Api } from '../http/caller.ts'
import { cellOf, type Columns, print, printItems, printJson, printMessage } from './terminal.ts'

const profile = {
  '--profile <name>': 'the stored profile to use; `demo` is the demo that runs on this data folder',
} as const

interface ApiCommand<Declared extends Parameters> extends Omit<CommandDeclaration<Declared>, 'run'> {
  readonly api: Api
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
    parameters: { ...profile, ...parameters },
    run: (values) => run(values as Values<Declared>, openApiClient(api, (values as Values<typeof profile>).profile)),
  }
}

type Operation<Declared extends Parameters, Request> = Omit<ApiCommand<Declared>, 'run'> & {
  readonly request: (values: Values<Declared>) => Request
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
  /** Printed to standard error after the result. */
  readonly message?: (values: Values<Declared>) => string
  /** What `--json` prints for a response without a body. */
  readonly emptyResult?: (values: Values<Declared>) => object
}

/** A command that makes one request and prints its response; `--json` prints the body. */
export function operation<const Declared extends Parameters>({
  request,
  columns,
  fields = [],
  message,
  emptyResult,
  ...declared
}: Operation<Declared, Call | Promise<Call>> & Printed<Declared>): CommandDeclaration {
  return apiCommand<Declared>({
    ...declared,
    async run(values, client) {
      const { method, path, ...options } = await request(values)
      const body = await client.call<object | null>(method, path, options)
      if (values.json) return printJson(body ?? emptyResult?.(values) ?? {})
      if (columns !== undefined) printItems([(body as { result: object }).result], columns)
      const width = Math.max(...fields.map((field) => field.length))
      for (const field of fields) print(`${field.padEnd(width)}  ${cellOf(body ?? {}, field)}`)
      if (message !== undefined) printMessage(message(values))
    },
  })
}

/** A command that prints all items of a paginated list; `--json` prints them as the body of one page. */
export function listOperation<const Declared extends Parameters>({
  request,
  columns,
  ...declared
}: Operation<Declared, { path: string; query?: Query }> & { readonly columns: Columns }): CommandDeclaration {
  return apiCommand<Declared>({
    ...declared,
    async run(values, client) {
      const { path, query } = request(values)
      printItems(await Array.fromAsync(everyItem<object>(client, path, query)), columns, values.json)
    },
  })
}
