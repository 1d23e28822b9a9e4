import { readFileSync } from 'node:fs'
import { xlsxType } from '#platform/tables/media-type.ts'

export interface Schema {
  readonly [key: string]: unknown
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: unknown
}

interface Media {
  readonly schema?: Schema
  readonly examples: readonly unknown[]
}

/** An operation of openapi.json, with what a request of it has. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly api: 'partner' | 'operator' | null
  readonly parameters: readonly Parameter[]
  readonly content: Readonly<Record<string, Media>>
  /** It responds with a workbook to who accepts one. */
  readonly hasWorkbook: boolean
}

interface Content {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Record<string, { readonly value: unknown }>
}

interface Document {
  readonly paths: Record<string, Record<string, DeclaredOperation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

interface DeclaredOperation {
  readonly operationId: string
  readonly security?: Record<string, unknown>[]
  readonly parameters?: Parameter[]
  readonly requestBody?: { readonly content: Record<string, Content> }
  readonly responses?: { readonly 200?: { readonly content?: Record<string, Content> } }
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document

function examplesOf({ example, examples }: Content): unknown[] {
  return example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example]
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody, responses }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    path,
    api: (Object.keys(security?.[0] ?? {})[0] ?? null) as Operation['api'],
    parameters,
    hasWorkbook: xlsxType in (responses?.[200]?.content ?? {}),
    content: Object.fromEntries(
      Object.entries(requestBody?.content ?? {}).map(([type, content]) => [
        type,
        { ...(content.schema === undefined ? {} : { schema: content.schema }), examples: examplesOf(content) },
      ]),
    ),
  })),
)

/** The schema that a reference names; others are returned as they are. */
export function resolved(schema: Schema): Schema {
  const { $ref } = schema as { $ref?: string }
  return $ref === undefined ? schema : resolved(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
}
