import type { FastifyRequest, FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import type { Role } from '#kernel/enums.ts'
import type { Body } from './bodies.ts'
import type { App } from './context.ts'
import type { DeclaredError } from './error-examples.ts'
import { route, type RouteOptions } from './route.ts'
import { errorResponses } from './schemas.ts'

/** What an operation has in one of the two APIs. */
interface Side<B> extends Pick<FastifySchema, 'x-sdk' | 'x-cli'> {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly errors: readonly DeclaredError[]
  readonly body?: Body<B>
  /** Responses in place of those of both, or beside them. */
  readonly responses?: Readonly<Record<number, TSchema>>
  /** Before the body is read, after that of both. */
  readonly before?: (request: FastifyRequest) => Promise<void>
}

interface Twins<S extends FastifySchema, B> extends Omit<RouteOptions<S, B>, 'api' | 'roles' | 'schema' | 'url'> {
  /** After `/v1` and `/operator/v1`. */
  readonly path: string
  /** Path, query and responses of both, without those of errors. */
  readonly schema: S
  readonly partner: Side<B> & { readonly tags: readonly string[]; readonly 'x-twin'?: never }
  readonly operator: Side<B> & { readonly roles: readonly Role[] }
}

/**
 * Adds one operation to both APIs: what its partner calls, an operator calls for every company. The handler takes its caller and does not ask
 * which API it is. The document of the operator's names the partner's as its `x-twin`.
 */
export function twinRoutes<const S extends FastifySchema & { response: { 200: TSchema } }, B = unknown>(
  app: App,
  { path, schema, before, partner, operator, ...shared }: Twins<S, B>,
): void {
  for (const api of ['partner', 'operator'] as const) {
    const { errors, body, responses, before: ownBefore, ...described } = api === 'partner' ? partner : operator
    const { roles, ...own } = { roles: undefined, ...described }
    const response = { ...schema.response, ...responses, ...errorResponses(...errors) }
    const hooks = [before, ownBefore].filter((hook) => hook !== undefined)
    route<S, B>(app, {
      ...shared,
      url: `${api === 'partner' ? '/v1' : '/operator/v1'}${path}`,
      api,
      ...(roles && { roles, ...(shared.method === 'POST' && { takesKey: true }) }),
      ...(body && { body }),
      ...(hooks.length > 0 && {
        before: async (request) => {
          for (const hook of hooks) await hook(request)
        },
      }),
      schema: { ...schema, ...own, ...(roles && { 'x-twin': partner.operationId }), response },
    })
  }
}
