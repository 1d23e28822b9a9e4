import { STATUS_CODES } from 'node:http'
import { type Operation, type Response, sdkSample } from './sdk-sample.ts'

type Components = Readonly<Record<string, Readonly<Record<string, object>>>>

export interface OpenApi {
  readonly info: object
  readonly servers?: readonly { readonly url: string }[]
  readonly tags?: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly security?: readonly object[]
  readonly webhooks?: OpenApi['paths']
  readonly components: Components
}

/** How the operations are called that name no other way. */
const usualSecurity = [{ partner: [] }, { session: [] }]

const isOfPartners = (path: string) => /^\/(v1|upload|\.well-known)\//.test(path)
/** Errors whose codes tell what to mend; those of the others are the same for all. */
const statusesWithCodes = new Set(['400', '404', '409'])
const isError = (status: string) => /^[45]/.test(status)
const nameOf = (status: string) => (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '')

/**
 * The document of the partner API, `/v1/openapi.json`: the operations that partners call, with a sample of the SDK for each, their webhooks, and
 * the components that these refer to. Errors, parameters and examples that several operations have are components. It leaves out what
 * `/openapi.json` repeats: headers of every response, and patterns that a format or a description tells.
 * @param whole the document of all operations.
 */
export function partnerDocument(whole: OpenApi): OpenApi {
  const ofPartners = Object.fromEntries(Object.entries(whole.paths).filter(([path]) => isOfPartners(path)))
  // The carrier's side is the broker's.
  const { 'shipment.connector': _connector, ...called } = whole.webhooks ?? {}
  const operations = [ofPartners, called].flatMap((paths) =>
    Object.values(paths).flatMap((item) => Object.values(item)),
  )
  const responses = operations.flatMap((one) => Object.entries(one.responses))
  const codes = commonCodes(responses)
  const generalError = (status: string, { content = {}, ...response }: Response) => {
    const types = Object.entries(content).map(([type, { schema }]) => [type, { ...(schema && { schema }) }])
    const description = `${response.description ?? ''} ${codes.get(status) ?? ''}`
    return withoutGeneralHeaders({ ...response, description, content: Object.fromEntries(types) })
  }
  const errors = new Shared(
    responses.flatMap(([status, one]) =>
      isError(status) ? [[nameOf(status), generalError(status, one)] as const] : [],
    ),
  )
  const examples = new Shared(
    responses.flatMap(([, { content = {} }]) =>
      Object.values(content).flatMap(({ example }) =>
        example === undefined ? [] : [[exampleName(example), { value: example }] as const],
      ),
    ),
  )
  const parameters = new Shared(
    operations.flatMap(({ parameters: own = [] }) => own.map((one) => [one.name, one] as const)),
  )
  const [{ url } = { url: '/' }] = whole.servers ?? []
  const shownResponse = (status: string, response: Response) => {
    if (!isError(status)) return withoutGeneralHeaders(withSharedExamples(response, examples))
    const referred = errors.referred('responses', generalError(status, response))
    const isUsual = !statusesWithCodes.has(status) || codesOf(response) === codes.get(status)
    if (!('$ref' in referred) || isUsual) return referred
    return { ...referred, description: codesOf(response) }
  }
  const shown = (path: string, operation: Operation) => {
    const { 'x-cli': _cli, 'x-sdk': sdk, parameters: own, responses: all, security, ...kept } = operation
    return {
      ...kept,
      ...(JSON.stringify(security) !== JSON.stringify(usualSecurity) && { security }),
      ...(own && { parameters: own.map((one) => parameters.referred('parameters', one)) }),
      responses: Object.fromEntries(Object.entries(all).map(([status, one]) => [status, shownResponse(status, one)])),
      ...(sdk?.includes('.') && { 'x-codeSamples': [sdkSample(url, path, operation, whole.components['schemas'])] }),
    }
  }
  const shownPaths = (paths: OpenApi['paths']) =>
    Object.fromEntries(
      Object.entries(paths).map(([path, item]) => {
        const methods = Object.entries(item).map(([method, operation]) => [method, shown(path, operation)])
        return [path, Object.fromEntries(methods)]
      }),
    )
  const [paths, webhooks] = [shownPaths(ofPartners), shownPaths(called)]
  const tags = new Set(operations.flatMap((one) => one.tags ?? []))
  const components: Components = {
    ...whole.components,
    responses: errors.named,
    parameters: parameters.named,
    examples: { ...whole.components['examples'], ...examples.named },
  }
  const document = {
    ...whole,
    info: { ...whole.info, title: 'Vigencia, partner API' },
    tags: (whole.tags ?? []).filter(({ name }) => tags.has(name)),
    security: usualSecurity,
    paths,
    webhooks,
    components: referredTo({ paths, webhooks }, components),
  }
  return withSharedSchemas(lean(document) as OpenApi)
}

/** What several operations have, by the name that it gets as a component. */
class Shared<Part extends object> {
  readonly named: Record<string, Part> = {}
  readonly #names = new Map<string, string>()

  /** @param parts each with the name that it should have; a part that is there once gets none. */
  constructor(parts: readonly (readonly [name: string, part: Part])[]) {
    for (const [text, [first, ...others]] of Map.groupBy(parts, ([, part]) => JSON.stringify(part))) {
      if (first === undefined || others.length === 0) continue
      const [wanted, part] = first
      const name = freeName(wanted, this.named)
      this.named[name] = part
      this.#names.set(text, name)
    }
  }

  /** The reference to a part, or the part itself where it is there once. */
  referred(kind: string, part: Part): Part | { readonly $ref: string } {
    const name = this.#names.get(JSON.stringify(part))
    return name === undefined ? part : { $ref: `#/components/${kind}/${name}` }
  }
}

/** Headers of every response: the description of the API and the page of limits tell of them. */
const generalHeaders = new Set([
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'Content-Language',
  'Idempotency-Replayed',
])

function withoutGeneralHeaders({ headers = {}, ...response }: Response): Response {
  const own = Object.entries(headers).filter(([name]) => !generalHeaders.has(name))
  return own.length === 0 ? response : { ...response, headers: Object.fromEntries(own) }
}

/** After the first id of an example. */
const exampleName = (example: unknown): string => {
  const { result = example } = (isObject(example) ? example : {}) as { result?: unknown }
  const [first = {}] = Array.isArray(result) ? (result as unknown[]) : [result]
  const [id = 'example'] = Object.keys(first as object).filter((key) => key.endsWith('-id'))
  return id.replace(/-id$/, '')
}

function withSharedExamples(response: Response, shared: Shared<{ readonly value: unknown }>): Response {
  const { content = {} } = response
  const types = Object.entries(content).map(([type, { example, ...media }]) => {
    if (example === undefined) return [type, media]
    const referred = shared.referred('examples', { value: example })
    return [type, { ...media, ...('$ref' in referred ? { examples: { example: referred } } : { example }) }]
  })
  return response.content === undefined ? response : { ...response, content: Object.fromEntries(types) }
}

const codesOf = ({ content = {} }: Response): string =>
  Object.keys(content['application/json']?.examples ?? {})
    .map((code) => `\`${code}\``)
    .join(', ')

/** The codes that most operations have, by the status. */
function commonCodes(responses: readonly (readonly [status: string, response: Response])[]): Map<string, string> {
  const byStatus = Map.groupBy(responses, ([status]) => status)
  return new Map(
    [...byStatus].map(([status, all]) => {
      const counts = Map.groupBy(all, ([, response]) => codesOf(response))
      const [most = ''] = [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([codes]) => codes)
      return [status, most]
    }),
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Calls `visit` for each schema of a property, with the name of the property. */
function eachProperty(value: unknown, visit: (name: string, schema: object) => void): void {
  if (Array.isArray(value)) for (const one of value) eachProperty(one, visit)
  if (!isObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'example' || key === 'examples') continue
    if (key === 'properties' && isObject(inner)) {
      for (const [name, schema] of Object.entries(inner)) if (isObject(schema)) visit(name, schema)
    }
    eachProperty(inner, visit)
  }
}

const shortestShared = 80
const fewestShared = 2

/** Names the schemas that several properties have, after the first of them. */
function withSharedSchemas(document: OpenApi): OpenApi {
  const found = new Map<string, { names: Set<string>; count: number }>()
  eachProperty(document, (name, schema) => {
    const text = JSON.stringify(schema)
    if (text.length < shortestShared) return
    const known = found.get(text)
    if (known === undefined) found.set(text, { names: new Set([name]), count: 1 })
    else found.set(text, { names: known.names.add(name), count: known.count + 1 })
  })
  const schemas: Record<string, object> = { ...document.components.schemas }
  const references = new Map<string, { readonly $ref: string }>()
  for (const [text, { names, count }] of found) {
    if (count < fewestShared) continue
    const schema = JSON.parse(text) as { readonly format?: string }
    const [first = ''] = names
    const free = freeName(pascal(names.size > 1 && schema.format === 'uuid' ? 'id' : first), schemas)
    schemas[free] = schema
    references.set(text, { $ref: `#/components/schemas/${free}` })
  }
  const referring = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => referring(one))
    if (!isObject(value) || key === 'example' || key === 'examples') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        if (key !== 'properties') return [name, referring(inner, name)]
        return [name, references.get(JSON.stringify(inner)) ?? referring(inner)]
      }),
    )
  }
  return referring({ ...document, components: { ...document.components, schemas } }) as OpenApi
}

const pascal = (name: string) => name.replaceAll(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())

function freeName(wanted: string, taken: Readonly<Record<string, unknown>>): string {
  let name = wanted
  for (let n = 2; name in taken; n++) name = `${wanted}${n}`
  return name
}

const longestPattern = 60

/** Without what is said twice: a pattern beside its format, one that lists characters, `required: false`. */
function lean(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => lean(one, key))
  if (typeof value !== 'object' || value === null || key === 'example' || key === 'examples') return value
  const { format } = value as { format?: unknown }
  const entries = Object.entries(value).filter(([name, inner]) => {
    if (key === 'properties') return true
    if (name === 'pattern') return format !== 'uuid' && String(inner).length <= longestPattern
    if (name === 'not') return !String((inner as { pattern?: unknown }).pattern).includes('\\u')
    return name !== 'required' || inner !== false
  })
  return Object.fromEntries(entries.map(([name, inner]) => [name, lean(inner, key === 'properties' ? '' : name)]))
}

const reference = /"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g

/** The components that a part of the document refers to, directly or by others, and how clients authenticate. */
function referredTo(part: object, components: Components): Components {
  const found: Record<string, Record<string, object>> = {}
  const add = (value: object) => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(reference)) {
      const component = components[kind]?.[name]
      if (component === undefined || found[kind]?.[name] !== undefined) continue
      found[kind] = { ...found[kind], [name]: component }
      add(component)
    }
  }
  add(part)
  const { operator: _, ...securitySchemes } = components['securitySchemes'] ?? {}
  return { ...found, securitySchemes }
}
