import { exampleOf } from './examples.ts'
import { type Schema, type SdkOperation, sdkCallOf } from './sdk-call.ts'

type Schemas = Readonly<Record<string, Schema>>

type Content = Readonly<
  Record<
    string,
    {
      readonly schema?: Schema
      readonly example?: unknown
      readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
    }
  >
>

export interface Response {
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Operation extends SdkOperation {
  readonly 'x-cli'?: unknown
  readonly security?: readonly object[]
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Content; readonly required?: boolean }
  readonly responses: Readonly<Record<string, Response>>
}

/**
 * The call of the method of the SDK that an operation has, with the examples of the operation.
 * @param url of the service. @param schemas those of the document, by name.
 */
export function sdkSample(url: string, path: string, operation: Operation, schemas: Schemas = {}) {
  const { returns, takes } = sdkCallOf(operation, schemas)
  const { parameters = [], requestBody } = operation
  const valueOf = ({ example, schema }: Parameter) =>
    example ?? exampleOf(schema ?? {}, (name) => schemas[name.split('/').at(-1) ?? ''] ?? {})
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return parameter === undefined ? name : valueOf(parameter)
  })
  const required = parameters.filter((one) => one.in === 'query' && one.required)
  const query = Object.fromEntries(required.map((one) => [one.name, valueOf(one)]))
  const { example, examples = {} } = requestBody?.content?.['application/json'] ?? {}
  const [first] = Object.values(examples)
  const body = takes === 'body' ? [example ?? first?.value ?? {}] : []
  const inQuery = required.length > 0 ? [query] : []
  const toFile = returns === 'file' ? [...(takes === 'query' && required.length === 0 ? [{}] : []), { to: 'file' }] : []
  const given = [...inPath, ...body, ...inQuery, ...toFile].map((value) => literal(value))
  const call = `vigencia.${operation['x-sdk']}(${given.join(', ')})`
  const lines = {
    pages: `for await (const item of ${call}) console.log(item)`,
    items: `for await (const item of ${call}) console.log(item)`,
    result: `console.log(await ${call})`,
    body: `console.log(await ${call})`,
    nothing: `await ${call}`,
    file: `await ${call}`,
  }
  return {
    lang: 'TypeScript',
    label: 'TypeScript SDK',
    source: `import { Vigencia } from '@vigencia/client'

const vigencia = new Vigencia({ url${url === '/' ? '' : `: '${url}'`}, clientId, clientSecret })
${lines[returns]}
`,
  }
}

/** A value as TypeScript writes it. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(
        ([key, one]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`}: ${literal(one, inner)}`,
      )
  if (parts.length === 0) return `${open}${close}`
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  return line.length + indent.length <= 100 && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
