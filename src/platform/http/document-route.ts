import type { App } from './context.ts'
import { entityTag, isKnown } from './entity-tag.ts'
import { route } from './route.ts'

/** A document, made at its first reading; `ETag` changes with its content. */
export function documentRoute(
  app: App,
  of: {
    readonly url: string
    readonly operationId: string
    readonly sdk: `service.${string}`
    readonly summary: string
    readonly description: string
    readonly read: () => object
  },
): void {
  // A buffer: a string would be encoded, and compressed, for each response.
  let made: { readonly body: Buffer; readonly etag: string } | undefined
  const make = () => {
    const text = JSON.stringify(of.read())
    return { body: Buffer.from(text), etag: entityTag(text) }
  }
  route(app, {
    method: 'GET',
    url: of.url,
    schema: {
      operationId: of.operationId,
      'x-sdk': of.sdk,
      tags: ['operations'],
      summary: of.summary,
      description: `${of.description} With \`If-None-Match\` of its \`ETag\`: 304 while it is the same.`,
      response: {
        200: {
          type: 'object',
          additionalProperties: true,
          examples: [{ openapi: '3.1.0' }],
          headers: { ETag: { description: 'Of the content.', type: 'string' } },
        },
        304: { description: 'The document is the one of `If-None-Match`.', type: 'null' },
      },
    },
    handler: async (request, reply) => {
      const { body, etag } = (made ??= make())
      void reply.headers({ 'cache-control': 'no-cache', etag })
      return isKnown(request, etag)
        ? reply.status(304).send()
        : reply.type('application/json; charset=utf-8').send(body)
    },
  })
}
