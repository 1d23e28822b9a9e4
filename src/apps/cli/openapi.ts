import { readFileSync } from 'node:fs'
import type { OperationId } from '@vigencia/client'
import type { Api } from '#platform/http/caller.ts'
import type { CliCommand } from '#platform/http/extensions.ts'

type Example = string | number | boolean

interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly format?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly examples?: readonly Example[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface DocumentedOperation {
  readonly operationId: OperationId
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema: Schema
    readonly example?: Example
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
  readonly 'x-cli'?: CliCommand | readonly CliCommand[]
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A parameter, or a property of the body. */
export interface Input {
  readonly name: string
  readonly place: 'path' | 'query' | 'body'
  readonly schema: Schema
  readonly isRequired: boolean
  readonly example: Example | undefined
}

/** A command of an operation, in one of its APIs. */
export interface DescribedCommand {
  readonly cli: CliCommand
  readonly api: Api
  readonly id: OperationId
  readonly line: string
  readonly summary: string
  readonly description: string
  readonly inputs: readonly Input[]
  readonly returns: 'list' | 'json' | 'text' | 'bytes'
}

let read: readonly DescribedCommand[] | undefined

/** The commands that openapi.json describes, in its order. */
export function describedCommands(): readonly DescribedCommand[] {
  read ??= describe(JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApi)
  return read
}

function describe({ paths, components: { schemas } }: OpenApi): DescribedCommand[] {
  const resolved = ({ $ref, ...schema }: Schema = {}): Schema => ({
    ...schemas[$ref?.split('/').at(-1) ?? ''],
    ...schema,
  })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { 'x-cli': commands, operationId: id, summary, description, responses } = operation
      if (commands === undefined) return []
      const content = responses['200']?.content ?? {}
      const json = resolved(content['application/json']?.schema)
      const returnsOf = (): DescribedCommand['returns'] => {
        if (responses['200'] === undefined || 'application/json' in content) {
          return resolved(json.properties?.['result']).type === 'array' ? 'list' : 'json'
        }
        return Object.keys(content).some((type) => /^text|ndjson/.test(type)) ? 'text' : 'bytes'
      }
      const described = {
        api: path.startsWith('/operator/') ? 'operator' : 'partner',
        id,
        line: `${method.toUpperCase()} ${path}`,
        summary,
        description,
        inputs: inputsOf(operation, resolved),
        returns: returnsOf(),
      } as const
      return [commands].flat().map((cli) => ({ ...described, cli }))
    }),
  )
}

function inputsOf(
  { parameters = [], requestBody }: DocumentedOperation,
  resolved: (schema?: Schema) => Schema,
): Input[] {
  const body = resolved(requestBody?.content?.['application/json']?.schema)
  const given = parameters.flatMap(({ name, in: place, schema, description, example }): Input[] => {
    if (place !== 'path' && place !== 'query') return []
    const one = resolved(schema)
    // One value, or a list: as a list.
    const list = one.anyOf?.find(({ type }) => type === 'array')
    const values = list === undefined ? one : { ...list, ...(list.items?.enum && { enum: list.items.enum }) }
    return [{ name, place, schema: { ...values, description: description ?? '' }, isRequired: false, example }]
  })
  const properties = Object.entries(body.properties ?? {}).map(([name, property]): Input => {
    const schema = resolved(property)
    const isRequired = body.required?.includes(name) === true
    return { name, place: 'body', schema, isRequired, example: schema.examples?.[0] }
  })
  return [...given, ...properties]
}
