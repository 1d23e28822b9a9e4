import fastifySwagger from '@fastify/swagger'
import { sendJson } from './answer.ts'
import type { FastifySchema } from 'fastify'
import { readFileSync } from 'node:fs'
import type { App, Service } from './service.ts'
import { kebab } from './validation.ts'
import { ErrorBody, Pagination } from './wire.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const tags = [
  { name: 'access', description: 'Tokens and the keys that verify them.' },
  { name: 'movements', description: 'Inclusion, exclusion and alteration: asynchronous, each answers a `request-id`.' },
  { name: 'requests', description: 'What became of a movement request, part by part.' },
  { name: 'enrollments', description: 'One movement of one member in one product.' },
  { name: 'documents', description: 'Papers that go with a movement, uploaded before it.' },
  { name: 'members', description: 'Members and their benefits.' },
  { name: 'companies', description: 'Companies and their products.' },
  { name: 'operator', description: "The operator's door: what the broker does. Tokens of operators only." },
  { name: 'operations', description: 'Health and documentation.' },
]

/** Makes `/openapi.json` (3.1) from the route schemas: what validates is what is documented. */
export async function describeApi(app: App, service: Service): Promise<void> {
  app.addSchema(ErrorBody)
  app.addSchema(Pagination)
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vigencia',
        version,
        description:
          'Moves people in and out of employee benefits in Brazil. Tax ids leave unformatted, dates are Sao Paulo business dates, ' +
          'timestamps are UTC, money is integer cents. Every error has one body; `request-trace-id` is the `X-Request-Id` of the answer.',
      },
      servers: service.config.publicUrl === null ? [{ url: '/' }] : [{ url: service.config.publicUrl }],
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
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `def-${index}`,
    },
    transform: ({ schema, url, route }) => {
      const door = route.config?.door
      return {
        schema: described(schema ?? {}, door),
        url: url.replaceAll(/:(\w+)/g, (_all, name: string) => `:${name}`),
      }
    },
    transformObject: (document) =>
      'openapiObject' in document ? kebabPaths(document.openapiObject) : document.swaggerObject,
  })
  app.route({
    method: 'GET',
    url: '/openapi.json',
    schema: {
      operationId: 'readOpenApi',
      tags: ['operations'],
      summary: 'This document',
      description: 'OpenAPI 3.1, made from the schemas that validate.',
      response: { 200: { type: 'object', additionalProperties: true, examples: [{ openapi: '3.1.0' }] } },
    },
    handler: async (_request, reply) => {
      await sendJson(reply, JSON.stringify(app.swagger()))
    },
  })
}

/** Adds the security of the route's door to its schema. */
function described(schema: FastifySchema, door: 'partner' | 'operator' | undefined): FastifySchema {
  return door === undefined ? schema : { ...schema, security: [{ [door]: [] }] }
}

interface Operation {
  parameters?: { in: string; name: string }[]
}

/** Path parameters as the contract names them: `{request-id}`. */
function kebabPaths<T extends object>(document: T): T {
  const paths = (document as { paths?: Record<string, Record<string, Operation>> }).paths ?? {}
  const renamed = Object.entries(paths).map(([url, item]) => {
    for (const operation of Object.values(item)) {
      for (const parameter of operation.parameters ?? [])
        if (parameter.in === 'path') parameter.name = kebab(parameter.name)
    }
    return [url.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `{${kebab(name)}}`), item]
  })
  return { ...document, paths: Object.fromEntries(renamed) as unknown }
}
