import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { ErrorCode } from '#kernel/error-codes.ts'
import type { Role } from '#kernel/enums.ts'
import type { ClientActor } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'
import { ApiError } from '../core/errors.ts'
import type { Body } from './bodies.ts'
import { type App, callerOf, type Context } from './context.ts'
import type { DeclaredError } from './error-examples.ts'
import type { CliCommand } from './extensions.ts'
import { listBody, sendJson } from './json-response.ts'
import { type Page, PageOf, ResultOf } from './page.ts'
import { route } from './route.ts'
import { errorResponses, type PageQuery, Uuid } from './schemas.ts'

/** What the operations of an entity of the operator API have in common. */
interface Entity {
  /** As in the path, such as `price-table`; names of operations, commands and the error of an unknown id follow from it. */
  readonly noun: string
  /** Where it is not the noun with an `s`. */
  readonly plural?: string
  readonly mayRead: readonly Role[]
  readonly mayWrite: readonly Role[]
  readonly item: TSchema
  /** One, as JSON text of the whole response or as the value of `result`; null: there is none. */
  readonly read: (sql: Sql, id: string) => Promise<string | object | null>
  /** The columns of its table on the command line. */
  readonly columns?: Readonly<Record<string, string>>
  /** The parameter of its id in the path, where it is not that of the noun. */
  readonly parameter?: string
  /** The schema of its id, where it is no UUID. */
  readonly id?: TSchema
}

/** What is said of one operation. */
interface Words {
  readonly summary: string
  readonly description: string
  /** Its `operationId`, and its name in the SDK and on the command line, where they are not the usual ones. */
  readonly operationId?: string
  readonly name?: string
  /** The command, where more is to be said than its words. */
  readonly cli?: Partial<CliCommand>
  /** Its errors beside those of the entity. */
  readonly errors?: readonly DeclaredError[]
}

type Query<S> = S extends TSchema ? Static<S> & PageQuery : never

/**
 * The operations of an entity of the operator API, as far as they have the usual form. What differs is said at each; one that does not fit uses
 * `route` beside it.
 */
export function resource(app: App, context: Context, entity: Entity) {
  const { noun, plural = `${noun}s`, mayRead, mayWrite, item, read, columns } = entity
  const [url, one, sdk] = [`/operator/v1/${noun}`, pascal(noun), camel(plural)]
  const { parameter = `${camel(noun)}Id` } = entity
  const response = ResultOf(item, `The ${noun.replaceAll('-', ' ')}.`)
  const page = PageOf(item, `A page of ${plural.replaceAll('-', ' ')}.`)
  const notFound = `${noun}-not-found` as ErrorCode
  const from = `From the list of ${plural.replaceAll('-', ' ')}.`
  const paramsOf = (description: string) => Type.Object({ [parameter]: entity.id ?? { ...Uuid, description } })
  const params = paramsOf(from)
  const idOf = (request: FastifyRequest) => (request.params as Readonly<Record<string, string>>)[parameter] ?? ''

  /** The response with one. @throws ApiError 404 */
  async function send(reply: FastifyReply, id: string): Promise<FastifyReply> {
    const body = await read(context.database, id)
    if (body === null) throw new ApiError(notFound)
    return typeof body === 'string' ? sendJson(reply, body) : reply.send({ result: body })
  }

  const described = (usual: string, operationId: string, words: Words, table = true) => {
    const { summary, description, cli, name = usual } = words
    return {
      operationId: words.operationId ?? operationId,
      'x-sdk': `${sdk}.${name}` as const,
      'x-cli': { command: `${noun} ${name === 'get' ? 'show' : name}`, ...(table && columns && { columns }), ...cli },
      summary,
      description,
    }
  }

  return {
    /** `GET /`: a page. */
    list<S extends TSchema>(
      words: Words & {
        readonly query: S
        /** Where it is not a page of such items. */
        readonly response?: TSchema
        readonly page: (sql: Sql, query: Query<S>) => Promise<Page>
      },
    ): void {
      route(app, {
        method: 'GET',
        url,
        api: 'operator',
        roles: mayRead,
        schema: {
          ...described('list', `list${pascal(plural)}`, words),
          querystring: words.query,
          response: { 200: words.response ?? page, ...errorResponses(...(words.errors ?? [])) },
        },
        handler: async ({ query }, reply) =>
          sendJson(reply, listBody(await words.page(context.database, query as Query<S>), query as PageQuery)),
      })
    },

    /** `GET /{id}`. */
    get(words: Words): void {
      route(app, {
        method: 'GET',
        url: `${url}/:${parameter}`,
        api: 'operator',
        roles: mayRead,
        schema: {
          ...described('get', `read${one}`, words, false),
          params,
          response: { 200: response, ...errorResponses(notFound, ...(words.errors ?? [])) },
        },
        handler: async (request, reply) => send(reply, idOf(request)),
      })
    },

    /** `POST /`. @param words `run` returns the id; `takesShown`: the body may be what the GET answers. */
    create<B>(
      words: Words & {
        readonly takesShown?: boolean
        readonly body: Body<B>
        readonly run: (actor: ClientActor, body: B, request: FastifyRequest) => Promise<string>
      },
    ): void {
      route(app, {
        method: 'POST',
        url,
        api: 'operator',
        roles: mayWrite,
        schema: {
          ...described('create', `create${one}`, words),
          response: { 200: response, ...errorResponses(...(words.errors ?? [])) },
        },
        body: words.body,
        ...(words.takesShown && { takesShown: true }),
        handler: async (request, reply) => send(reply, await words.run(callerOf(request), request.body as B, request)),
      })
    },

    /** `PUT /{id}`: creates or replaces it. */
    put<B>(
      words: Words & {
        readonly body: Body<B>
        readonly run: (actor: ClientActor, id: string, body: B, request: FastifyRequest) => Promise<unknown>
      },
    ): void {
      route(app, {
        method: 'PUT',
        url: `${url}/:${parameter}`,
        api: 'operator',
        roles: mayWrite,
        schema: {
          ...described('put', `put${one}`, words),
          params: paramsOf(`${from.slice(0, -1)}; for a new one an id of your own.`),
          response: { 200: response, ...errorResponses(...(words.errors ?? [])) },
        },
        body: words.body,
        handler: async (request, reply) => {
          await words.run(callerOf(request), idOf(request), request.body as B, request)
          return send(reply, idOf(request))
        },
      })
    },

    /**
     * `POST /{id}/{path}`.
     * @param name of the operation; its path, unless `path` says another.
     * @param words `run` returns the id of the one that the response shows, where it is not this one.
     */
    act<B = undefined>(
      name: string,
      words: Words & {
        readonly path?: string
        readonly roles?: readonly Role[]
        readonly body?: Body<B>
        readonly run: (actor: ClientActor, id: string, body: B, request: FastifyRequest) => Promise<unknown>
      },
    ): void {
      route(app, {
        method: 'POST',
        url: `${url}/:${parameter}/${words.path ?? name}`,
        api: 'operator',
        roles: words.roles ?? mayWrite,
        schema: {
          ...described(camel(name), `${camel(name)}${one}`, words),
          params,
          response: { 200: response, ...errorResponses(notFound, ...(words.errors ?? [])) },
        },
        ...(words.body && { body: words.body }),
        handler: async (request, reply) => {
          const id = await words.run(callerOf(request), idOf(request), request.body as B, request)
          return send(reply, typeof id === 'string' ? id : idOf(request))
        },
      })
    },

    /** `DELETE /{id}`. */
    remove(words: Words & { readonly run: (actor: ClientActor, id: string) => Promise<void> }): void {
      const cli = {
        result: { [`${noun}-id`]: `{${noun}-id}`, deleted: true as const },
        message: `${sentence(noun)} {${noun}-id} is deleted.`,
        ...words.cli,
      }
      route(app, {
        method: 'DELETE',
        url: `${url}/:${parameter}`,
        api: 'operator',
        roles: mayWrite,
        schema: {
          ...described('delete', `delete${one}`, { ...words, cli }, false),
          params,
          response: {
            204: Type.Null({ description: 'Deleted.' }),
            ...errorResponses(notFound, ...(words.errors ?? [])),
          },
        },
        handler: async (request, reply) => {
          await words.run(callerOf(request), idOf(request))
          return reply.status(204).send()
        },
      })
    },
  }
}

const camel = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (words: string): string => camel(`-${words}`)
const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1).replaceAll('-', ' ')
