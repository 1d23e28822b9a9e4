/* The pages of reference/api: the partner's operations from openapi.json, one page for each tag. */
import { readFileSync } from 'node:fs'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

interface Operation {
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly description?: string }>>
  readonly 'x-sdk'?: string
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as Document

/** By their file names, with an index. */
export function apiPages(): ReadonlyMap<string, string> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith('/v1/') ? Object.entries(item).map(([method, operation]) => ({ path, method, operation })) : [],
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  const tags = document.tags.filter(({ name }) => byTag.has(name))
  const index = tags.map(({ name, description }) => {
    const lines = (byTag.get(name) ?? []).map(
      ({ path, method, operation }) =>
        `- [${operation.summary}](${name}.md#${anchorOf(operation.summary)}): \`${method.toUpperCase()} ${path}\``,
    )
    return `## ${titleOf(name)}\n\n${description}\n\n${lines.join('\n')}\n`
  })
  const text =
    'Each operation with its parameters and fields. [The API reference](/docs) has the responses too, and sends requests; ' +
    '[openapi.json](/openapi.json) is the document of both.'
  const pages = tags.map(({ name, description }) => {
    const parts = (byTag.get(name) ?? []).map((one) => operationText(one.path, one.method, one.operation))
    return [`${name}.md`, `# ${titleOf(name)}\n\n${description}\n\n${parts.join('\n')}`] as const
  })
  return new Map([['index.md', `# Partner API\n\n${text}\n\n${index.join('\n')}`], ...pages])
}

const titleOf = (tag: string) => `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}: operations`
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

function operationText(path: string, method: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses, tags, 'x-sdk': sdk } = operation
  const place = `/docs#tag/${tags[0] ?? ''}/${method.toUpperCase()}${path}`
  const body = resolved(Object.values(requestBody?.content ?? {})[0]?.schema)
  const fields = parameters.map(({ name, in: where, required, schema, description: says }) =>
    row(name, `${where}, ${formOf(schema)}`, required === true, says ?? schema.description),
  )
  const codes = Object.keys(responses).map((status) => `\`${status}\``)
  return [
    `## ${summary}\n`,
    `\`\`\`http\n${method.toUpperCase()} ${path} HTTP/1.1\n\`\`\`\n`,
    description === undefined ? '' : `${prose(description)}\n`,
    `[Try it](${place})${sdk === undefined ? '' : `. SDK: \`${sdk}\``}. Responses: ${codes.join(', ')}.\n`,
    fields.length === 0 ? '' : `| Parameter | Form | | Meaning |\n|---|---|---|---|\n${fields.join('')}`,
    body === undefined ? '' : bodyText(body),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** The fields of a body, and those of the objects in its lists. */
function bodyText(schema: Schema): string {
  const rows = fieldsOf(schema, '', 2)
  return rows.length === 0 ? '' : `| Field of the body | Form | | Meaning |\n|---|---|---|---|\n${rows.join('')}`
}

function fieldsOf(schema: Schema, before: string, depth: number): string[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = resolved(field) ?? field
    const inner = own.items === undefined ? own : (resolved(own.items) ?? own.items)
    const place = `${before}${name}`
    return [
      row(place, formOf(own), required.has(name), field.description ?? own.description),
      ...(depth > 1 ? fieldsOf(inner, `${place}${own.items === undefined ? '' : '[]'}.`, depth - 1) : []),
    ]
  })
}

const row = (name: string, form: string, isRequired: boolean, description = '') =>
  `| \`${name}\` | ${form} | ${isRequired ? 'required' : ''} | ${prose(description)
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replaceAll('|', '\\|')} |\n`

/** Vue and Markdown would read brackets as tags. */
const prose = (text: string) => text.replaceAll('<', '&lt;')

function resolved(schema: Schema | undefined): Schema | undefined {
  const { $ref } = schema ?? {}
  return $ref === undefined ? schema : document.components.schemas[$ref.replace('#/components/schemas/', '')]
}

function formOf(schema: Schema): string {
  const { type, enum: values, const: value, format, items, anyOf, oneOf } = resolved(schema) ?? schema
  if (value !== undefined) return `\`${JSON.stringify(value).replaceAll('"', '')}\``
  if (values !== undefined) return values.map((one) => `\`${String(one)}\``).join(', ')
  if (items !== undefined) return `list of ${formOf(items)}`
  if (type === undefined) return [...new Set((anyOf ?? oneOf ?? []).map(formOf))].join(' or ')
  return format ?? [type].flat().join(' or ')
}
