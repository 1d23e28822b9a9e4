/*
 * What in a newer OpenAPI document breaks a caller of an older one. Only the parts of JSON Schema that the service's own documents use
 * are understood: types, properties, enums, alternatives, bounds.
 */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly pattern?: string
  readonly format?: string
  readonly [bound: string]: unknown
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema?: Schema
}

interface Operation {
  readonly deprecated?: boolean
  readonly 'x-sunset'?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses?: Readonly<Record<string, { readonly headers?: object; readonly content?: Content }>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** `sent`: what callers send must be taken as before. `answered`: what they read must be there as before. */
type Direction = 'sent' | 'answered'

interface Pair {
  readonly before: OpenApi
  readonly after: OpenApi
  readonly direction: Direction
  /** References that are being compared: schemas may hold themselves. */
  readonly open: ReadonlySet<string>
}

/**
 * Every change that breaks a caller, each as one line `METHOD path: what`. Empty when there are only additions.
 * @param today a deprecated operation whose `x-sunset` has passed may go (YYYY-MM-DD).
 */
export function breakingChanges(before: OpenApi, after: OpenApi, today: string): string[] {
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const now = after.paths[path]?.[method]
      const { deprecated, 'x-sunset': sunset } = operation
      if (now === undefined && deprecated === true && sunset !== undefined && sunset <= today) return []
      const breaks = now === undefined ? ['is gone'] : operationChanges(before, after, operation, now)
      return breaks.map((change) => `${method.toUpperCase()} ${path}: ${change}`)
    }),
  )
}

function operationChanges(before: OpenApi, after: OpenApi, old: Operation, now: Operation): string[] {
  const sent: Pair = { before, after, direction: 'sent', open: new Set() }
  const sameResponse: Pair = { ...sent, direction: 'answered' }
  return [
    ...securityChanges(old, now),
    ...parameterChanges(sent, old.parameters ?? [], now.parameters ?? []),
    ...(now.requestBody?.required === true && old.requestBody?.required !== true ? ['a body is required now'] : []),
    ...contentChanges(sent, 'body', old.requestBody?.content ?? {}, now.requestBody?.content ?? {}),
    ...Object.entries(old.responses ?? {}).flatMap(([status, response]) => {
      const same = now.responses?.[status]
      if (same === undefined) return [`answer ${status} is gone`]
      const headers = Object.keys(response.headers ?? {}).filter((name) => !(name in (same.headers ?? {})))
      return [
        ...headers.map((name) => `answer ${status}: header ${name} is gone`),
        ...contentChanges(sameResponse, `answer ${status}`, response.content ?? {}, same.content ?? {}),
      ]
    }),
  ]
}

function securityChanges(old: Operation, now: Operation): string[] {
  const apis = (operation: Operation) =>
    // Both an empty list and none: no token.
    (operation.security?.length ? operation.security : [{}]).map((one) => Object.keys(one).toSorted().join('+'))
  const open = new Set(apis(now))
  return apis(old)
    .filter((api) => !open.has(api) && !open.has(''))
    .map((api) => (api === '' ? 'needs a token now' : `the token of a ${api} opens it no more`))
}

function parameterChanges(pair: Pair, old: readonly Parameter[], now: readonly Parameter[]): string[] {
  const keyOf = (parameter: Parameter) => `${parameter.in} parameter ${parameter.name}`
  const known = new Map(old.map((parameter) => [keyOf(parameter), parameter]))
  const present = new Map(now.map((parameter) => [keyOf(parameter), parameter]))
  const gone = [...known.keys()].filter((key) => !present.has(key)).map((key) => `${key} is gone`)
  const demanded = [...present]
    .filter(([key, { required }]) => required === true && known.get(key)?.required !== true)
    .map(([key]) => `${key} is required now`)
  const narrowed = [...known].flatMap(([key, parameter]) =>
    schemaChanges(pair, key, parameter.schema ?? {}, present.get(key)?.schema ?? parameter.schema ?? {}),
  )
  return [...gone, ...demanded, ...narrowed]
}

function contentChanges(pair: Pair, where: string, old: Content, now: Content): string[] {
  return Object.entries(old).flatMap(([type, { schema }]) => {
    const same = now[type]
    if (same === undefined) return [`${where}: ${type} is gone`]
    return schemaChanges(pair, where, schema ?? {}, same.schema ?? {})
  })
}

function schemaChanges(pair: Pair, where: string, old: Schema, now: Schema): string[] {
  const key = `${old.$ref ?? ''} ${now.$ref ?? ''}`
  if (old.$ref !== undefined && pair.open.has(key)) return []
  const inner = old.$ref === undefined ? pair : { ...pair, open: new Set([...pair.open, key]) }
  const olds = alternatives(pair.before, old)
  const nows = alternatives(pair.after, now)
  // What could be sent must still find a taker; what is answered must be something that could be answered.
  const [given, takers] = pair.direction === 'sent' ? [olds, nows] : [nows, olds]
  return given.flatMap((one) => {
    const tried = takers.map((other) =>
      pair.direction === 'sent' ? shapeChanges(inner, where, one, other) : shapeChanges(inner, where, other, one),
    )
    return tried.toSorted((a, b) => a.length - b.length)[0] ?? []
  })
}

/** The schema as a list of plain shapes of one type each. */
function alternatives(document: OpenApi, schema: Schema): Schema[] {
  if (schema.$ref !== undefined) {
    const target = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? '']
    return alternatives(document, target ?? {})
  }
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return either.flatMap((one) => alternatives(document, one))
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.flatMap((one) => alternatives(document, one))
    return [
      parts.reduce((all, part) => ({
        ...all,
        ...part,
        properties: { ...all.properties, ...part.properties },
        required: [...(all.required ?? []), ...(part.required ?? [])],
      })),
    ]
  }
  if ('const' in schema) return [{ ...schema, enum: [schema.const] }]
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => ({ ...schema, type }))
  return [schema]
}

function shapeChanges(pair: Pair, where: string, old: Schema, now: Schema): string[] {
  if (old.type !== now.type && (pair.direction === 'sent' ? now.type : old.type) !== undefined) {
    return [`${where} is ${String(now.type ?? 'anything')}, was ${String(old.type ?? 'anything')}`]
  }
  return [
    ...enumChanges(pair.direction, where, old, now),
    ...(pair.direction === 'sent' ? narrowed(where, old, now) : []),
    ...propertyChanges(pair, where, old, now),
    ...(old.items === undefined || now.items === undefined
      ? []
      : schemaChanges(pair, `${where}[]`, old.items, now.items)),
    ...(typeof old.additionalProperties === 'object' && typeof now.additionalProperties === 'object'
      ? schemaChanges(pair, `${where}.*`, old.additionalProperties, now.additionalProperties)
      : []),
  ]
}

/** A value that goes breaks whoever sends or awaits it. One that comes does not: the sets of answers are open (docs/reference/versions.md). */
function enumChanges(direction: Direction, where: string, old: Schema, now: Schema): string[] {
  if (now.enum === undefined) return []
  if (old.enum === undefined) return direction === 'sent' ? [`${where} takes only some values now`] : []
  const left = new Set(now.enum)
  return old.enum.filter((value) => !left.has(value)).map((value) => `${where}: value ${JSON.stringify(value)} is gone`)
}

const lowest = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties']
const highest = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties']

function narrowed(where: string, old: Schema, now: Schema): string[] {
  const bound = (schema: Schema, name: string, none: number) => (schema[name] as number | undefined) ?? none
  return [
    ...lowest.filter((name) => bound(now, name, -Infinity) > bound(old, name, -Infinity)),
    ...highest.filter((name) => bound(now, name, Infinity) < bound(old, name, Infinity)),
    ...['pattern', 'format'].filter((name) => now[name] !== undefined && now[name] !== old[name]),
    ...(now.additionalProperties === false && old.additionalProperties !== false && now.type === 'object'
      ? ['additionalProperties']
      : []),
  ].map((name) => `${where}: ${name} is narrower`)
}

function propertyChanges(pair: Pair, where: string, old: Schema, now: Schema): string[] {
  const [had, has] = [old.properties ?? {}, now.properties ?? {}]
  const [needed, needs] = [new Set(old.required), new Set(now.required)]
  const gone = Object.keys(had)
    .filter((name) => !(name in has))
    .map((name) => `${where}.${name} is gone`)
  const demanded = [...needs].filter((name) => !needed.has(name)).map((name) => `${where}.${name} is required now`)
  const missing = [...needed]
    .filter((name) => !needs.has(name) && name in has)
    .map((name) => `${where}.${name} may be missing now`)
  const inside = Object.entries(had).flatMap(([name, schema]) => {
    const same = has[name]
    return same === undefined ? [] : schemaChanges(pair, `${where}.${name}`, schema, same)
  })
  return [...gone, ...(pair.direction === 'sent' ? demanded : missing), ...inside]
}
