import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import type { App, Context } from '#platform/http/context.ts'
import { languageOf } from '#platform/http/language.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { apiVersion, version } from '#platform/core/version.ts'
import { homePage } from './home-page.ts'
import { sendPage } from './html-response.ts'

const links = {
  reference: '/docs',
  guides: '/docs/guides/index',
  console: '/console/',
  document: '/openapi.json',
  partner: '/v1',
  operator: '/operator/v1',
  authenticate: '/v1/authenticate',
  health: '/v1/health',
}

const Home = Type.Object({
  service: Type.String(),
  environment: OneOf(['staging', 'production']),
  version: Type.String({ description: 'Of the program.' }),
  'api-version': Type.String({ description: 'Of the interface: `info.version` of `/openapi.json`.' }),
  links: Type.Record(Type.String(), Type.String(), { description: 'Paths by what is there.' }),
})

/** `GET /`: what this is and where to go, for a person who opens the address of the service in a browser. */
export async function homeRoutes(app: App, { config }: Context): Promise<void> {
  const { environment } = config
  const home = { service: 'Vigencia', environment, version, 'api-version': apiVersion, links }
  route(app, {
    method: 'GET',
    url: '/',
    schema: {
      operationId: 'readHome',
      'x-sdk': 'service.home',
      tags: ['operations'],
      summary: 'What this service is and where to go',
      description: 'JSON; HTML for a browser (`Accept: text/html`), in the language of `Accept-Language`.',
      response: {
        200: {
          description: 'The service, its environment and its paths.',
          content: {
            'application/json': {
              schema: Home,
              examples: { home: { value: { ...home, environment: 'staging' } } },
            },
            'text/html': { schema: Type.String({ examples: ['<!doctype html>...'] }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      void reply.header('vary', 'accept, accept-language')
      if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) return home
      return sendPage(request, reply, homePage(config, addressOf(request.headers.host), languageOf(request)))
    },
  })
  /** The address for the commands of the page. A `Host` that is no plain name is not repeated. */
  const addressOf = (host = '') =>
    config.publicUrl ??
    `http://${/^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? host : `127.0.0.1:${config.port}`}`
}
