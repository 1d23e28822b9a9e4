import { documentRoute } from './document-route.ts'
import { hasDetails } from './route.ts'
import fastifySwagger from '@fastify/swagger'
import { isDeepStrictEqual } from 'node:util'
import { isStored } from './idempotency/idempotency-key.ts'
import type { App, Context } from './context.ts'
import { withReferences } from './named-schemas.ts'
import { type OpenApi, partnerDocument } from './partner-document.ts'
import { kebab } from './validation.ts'
import { ERROR_CODES } from '#kernel/error-codes.ts'
import { apiVersion, version } from '../core/version.ts'
import { describedRoute } from './described-route.ts'
import { exampleOf } from './examples.ts'
import { errorExamples } from './error-examples.ts'
import { ErrorBody, ErrorCodes, Pagination } from './schemas.ts'

const tags = [
  { name: 'access', description: 'Tokens and the keys that verify them.' },
  { name: 'movements', description: 'Inclusion, exclusion and alteration: asynchronous, each returns a `request-id`.' },
  { name: 'requests', description: 'The status of movement requests, part by part.' },
  { name: 'movement-drafts', description: 'Movements that the broker, or another operator, has to confirm.' },
  { name: 'roster-syncs', description: 'Lists of who should be covered, compared with who is.' },
  { name: 'enrollments', description: 'One movement of one member in one product.' },
  { name: 'documents', description: 'Documents of a movement, uploaded before it.' },
  { name: 'members', description: 'Members and their benefits.' },
  { name: 'companies', description: 'Companies and their products.' },
  { name: 'invoices', description: 'Invoices of carriers, and their files.' },
  { name: 'discrepancies', description: 'What differs from the files of carriers.' },
  { name: 'webhooks', description: 'Notification of events: Standard Webhooks 1.0.' },
  {
    name: 'onboarding',
    description: 'A company invites employees by links; the page of a link has operations without an account.',
  },
  { name: 'operator', description: 'The operator API, for the broker. Tokens of operators only.' },
  { name: 'operations', description: 'Health and documentation.' },
]

/** Generates `/openapi.json` (3.1) from the route schemas. @param webhooks the section of that name. */
export async function describeApi(app: App, context: Context, webhooks: Record<string, object>): Promise<void> {
  app.addSchema(ErrorCodes)
  app.addSchema(ErrorBody)
  app.addSchema(Pagination)
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vigencia',
        version: apiVersion,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'Vigencia' },
        // @ts-expect-error -- an extension
        'x-service-version': version,
        description:
          'Moves people in and out of employee benefits in Brazil. Tax ids in responses are unformatted, dates are Sao Paulo business dates, ' +
          'timestamps are UTC, money is integer cents. Every error has the same body: `message` says what to do, `help` is the address of its `code` in ' +
          'the guides, `request-trace-id` the `X-Request-Id` of the response. With `Accept-Language: pt-BR` each `message` is in Portuguese; codes and ' +
          '`error` are the same in every language. Responses of 1 KiB and more, but for files, are compressed (`br`, `gzip`) when `Accept-Encoding` allows it.',
      },
      servers: context.config.publicUrl === null ? [{ url: '/' }] : [{ url: context.config.publicUrl }],
      tags,
      components: {
        securitySchemes: {
          partner: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Token of a partner, from `POST /v1/authenticate`.',
          },
          operator: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Token of an operator, from the same endpoint.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'vigencia-session',
            description:
              'Session of an operator, or of a person of a company on the partner API, in a browser, from `POST /operator/v1/session`; `__Host-vigencia-session` where the public URL is https. ' +
              'It ends when it is not used: a request that a page makes by itself, such as a list that it reads again, sends `Vigencia-Background: true`, ' +
              'and is no use.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `def-${index}`,
    },
    transform: ({ schema, url, route }) => ({
      schema: describedRoute(schema ?? {}, url, [route.method].flat(), route.config),
      url,
    }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      return completed(document.openapiObject, webhooks)
    },
  })
  const whole = () => app.swagger() as unknown as OpenApi
  documentRoute(app, {
    url: '/openapi.json',
    operationId: 'readOpenApi',
    sdk: 'service.openApi',
    summary: 'This document',
    description:
      'OpenAPI 3.1, generated from the schemas that validate: all operations. Those of partners are in `/v1/openapi.json`.',
    read: whole,
  })
  documentRoute(app, {
    url: '/v1/openapi.json',
    operationId: 'readPartnerOpenApi',
    sdk: 'service.partnerOpenApi',
    summary: 'The document of the partner API',
    description:
      'OpenAPI 3.1: what partners call and get, with a sample of the SDK for each operation. A generator of clients needs no more.',
    read: () => partnerDocument(whole()),
  })
}

/** Where a client finds the ids in paths. */
const idDescriptions: Record<string, string> = {
  'request-id': 'From the response to the movement.',
  'enrollment-id': 'From `enrollment-ids` of the request, or from the queue.',
  'product-id': "From the company's products.",
  'benefit-id': 'From the member list.',
  'document-id': 'From `POST /v1/enrollment/document-upload-url`.',
  'client-id': 'As shown when the client was created.',
  'person-id': 'From the list of people.',
}

interface Parameter {
  in: string
  name: string
  description?: string | undefined
  required?: boolean
  schema?: { default?: unknown; anyOf?: readonly { type?: string }[] }
  style?: string
  explode?: boolean
  example?: unknown
}

type Content = Record<string, { schema?: object; example?: unknown; examples?: Record<string, unknown> }>

interface Response {
  description?: string
  headers?: Record<string, unknown>
  content?: Content
}

interface Operation {
  operationId?: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content?: Content; required?: boolean }
  'x-optional-body'?: boolean
  responses?: Record<string, Response>
}

interface Document {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, unknown> }
}

const responseHeaders = {
  'X-Request-Id': {
    description: 'The id of this response; quote it when asking for help. A valid one of the request is used.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The quota of calls in a window of seconds (IETF RateLimit headers, draft 11).',
    schema: { type: 'string', examples: ['"reads";q=600;w=60'] },
  },
  RateLimit: {
    description:
      'What is left of the quota, and the seconds until it is complete again. Absent where limits are switched off.',
    schema: { type: 'string', examples: ['"reads";r=594;t=31'] },
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored first response of the `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Content-Language': {
    description:
      '`pt-BR` when `Accept-Language` prefers Portuguese and the response has a `message`: it is in Portuguese, and `Vary` names ' +
      '`Accept-Language`. Absent otherwise.',
    schema: { type: 'string', enum: ['pt-BR'] },
  },
  'Retry-After': { description: 'Seconds to wait before the call is repeated.', schema: { type: 'integer' } },
}

/** Adds what the generator does not know: the contract's names in paths, that defaults make parameters optional, response headers. */
function completed<T extends object>(openapi: T, webhooks: object): T {
  const document = openapi as Document
  const schemas: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const { title: _, ...untitled } = schema as { title?: unknown }
    schemas[name] = withReferences(untitled, schemas)
  }
  const shared: SharedExamples = { named: { ...examplesOfCodes }, used: new Set() }
  const paths = Object.entries(document.paths ?? {}).map(([url, item]) => {
    for (const operation of Object.values(item)) {
      completeOperation(operation, shared)
      const contents = [operation.requestBody, ...Object.values(operation.responses ?? {})].map((one) => one?.content)
      for (const content of contents) addExample(content, document.components?.schemas ?? {})
    }
    return [
      url.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `{${kebab(name)}}`),
      withReferences(item, schemas),
    ] as const
  })
  const examples = Object.fromEntries(Object.entries(shared.named).filter(([name]) => shared.used.has(name)))
  return {
    ...openapi,
    paths: Object.fromEntries(paths),
    webhooks: withReferences(webhooks, schemas),
    components: { ...document.components, schemas, headers: responseHeaders, examples },
  }
}

function completeOperation(operation: Operation, shared: SharedExamples): void {
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in === 'path') {
      parameter.name = kebab(parameter.name)
      parameter.description ??= idDescriptions[parameter.name]
    } else if (parameter.schema?.default !== undefined) {
      parameter.required = false
    }
    // Several values have commas between them.
    if (parameter.schema?.anyOf?.some(({ type }) => type === 'array')) {
      Object.assign(parameter, { style: 'form', explode: false })
    }
    // A page that sends requests fills its form with the examples: an optional parameter would filter the list.
    if (parameter.required !== true) delete parameter.example
  }
  // The generator calls every body required.
  if (operation['x-optional-body'] && operation.requestBody) operation.requestBody.required = false
  delete operation['x-optional-body']
  const isKeyed = (operation.parameters ?? []).some(({ name }) => name === 'idempotency-key')
  const isLimited =
    operation.security?.some((one) => 'partner' in one) === true || operation.operationId === 'authenticate'
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (response.description === 'Default Response') response.description = 'Done.'
    const names = [
      'X-Request-Id',
      ...(status === '401' ? ['WWW-Authenticate'] : []),
      ...(retryLater.has(status) ||
      (status === '200' && operation.operationId === 'readRequest') ||
      (isKeyed && status === '409')
        ? ['Retry-After']
        : []),
      ...(isLimited ? ['RateLimit-Policy', 'RateLimit'] : []),
      ...(isKeyed && isStored(Number(status)) ? ['Idempotency-Replayed'] : []),
      ...(hasLanguage(operation, status, response) ? ['Content-Language'] : []),
    ]
    referToExamples(response.content?.['application/json']?.examples ?? {}, shared)
    response.headers = {
      ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      ...response.headers,
    }
  }
}

/** Adds an example of JSON that has none of its own. */
function addExample(content: Content | undefined, schemas: Record<string, unknown>): void {
  const media = content?.['application/json']
  if (media?.schema === undefined || media.example !== undefined || media.examples !== undefined) return
  media.example = exampleOf(media.schema, (reference) => schemas[reference.split('/').at(-1) ?? ''] as object)
}

/** Whether the response may have a `message`, in one of two languages. */
function hasLanguage({ operationId }: Operation, status: string, { content }: Response): boolean {
  if (operationId === 'listImportErrors' && status === '200') return true
  return /^[45]/.test(status) || (status === '200' && hasDetails(content?.['application/json']))
}

type Examples = Record<string, unknown>

interface SharedExamples {
  readonly named: Examples
  /** Those that an operation refers to. */
  readonly used: Set<string>
}

const examplesOfCodes: Examples = errorExamples(ERROR_CODES)

/** Puts a reference in the place of each example that is that of its code, or of a parameter that several paths have. */
function referToExamples(examples: Examples, { named, used }: SharedExamples): void {
  for (const [name, example] of Object.entries(examples)) {
    if (name.startsWith('invalid-')) named[name] ??= example
    if (!isDeepStrictEqual(example, named[name])) continue
    used.add(name)
    examples[name] = { $ref: `#/components/examples/${name}` }
  }
}

/** Statuses with `Retry-After`. */
const retryLater = new Set(['429', '503'])
