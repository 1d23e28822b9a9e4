import { Type } from 'typebox'
import { apiVersion, version } from '../platform/version.ts'
import type { App, Context } from './context.ts'
import { OneOf } from './schemas.ts'

const links = {
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

/** `GET /`: what this is and where to go, for somebody who opens the address of the service in a browser. */
export async function homeRoutes(app: App, { config }: Context): Promise<void> {
  const { environment } = config
  const home = { service: 'Vigencia', environment, version, 'api-version': apiVersion, links }
  const page = pageOf(environment)
  app.route({
    method: 'GET',
    url: '/',
    schema: {
      operationId: 'readHome',
      tags: ['operations'],
      summary: 'What this service is and where to go',
      description: 'JSON; HTML for a browser (`Accept: text/html`).',
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
    handler: async ({ headers }, reply) => {
      void reply.header('vary', 'accept')
      if (!/\btext\/html\b/i.test(headers.accept ?? '')) return home
      return reply.type('text/html; charset=utf-8').send(page)
    },
  })
}

function pageOf(environment: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Vigencia (${environment})</title>
<h1>Vigencia</h1>
<p>An API that includes, excludes and corrects members in employee benefits in Brazil. Environment: <b>${environment}</b>; program
${version}, interface ${apiVersion}.</p>
<ul>
<li><a href="${links.document}">${links.document}</a>: all operations, in OpenAPI 3.1</li>
<li><code>POST ${links.authenticate}</code>: a token, for a client id and its secret</li>
<li><code>${links.partner}/...</code>: the API of partners; <code>${links.operator}/...</code>: that of the broker's operators</li>
<li><a href="${links.health}">${links.health}</a>: whether the service runs</li>
</ul>
<p>The folder <code>docs</code> of the source has a quickstart and guides. On the machine of the service,
<code>npx vigencia --help</code> lists the commands.</p>
</body>
</html>
`
}
