import type { FastifyReply, FastifyRequest } from 'fastify'
import { readFile } from 'node:fs/promises'
import type { App, Context } from '../http/context.ts'
import { ApiError } from '../core/errors.ts'
import { assetRoutes } from './assets.ts'
import { demoClientFor } from './demo-client.ts'
import { referencePolicy, sendPage } from './html-response.ts'
import type { Guides } from './guides.ts'
import { referencePage } from './reference-page.ts'

/** What `npm run build -w sdk` made; `npm install` runs it. */
const sdkPackage = new URL('../../sdk/vigencia-client.tgz', import.meta.url)

/** `/docs`: the API reference and the guides, as HTML, and the package of the SDK. They are for people: `openapi.json` leaves them out. */
export async function docsRoutes(app: App, context: Context): Promise<void> {
  const { environment } = context.config
  assetRoutes(app)
  const reference = referencePage(environment)
  let opened: Promise<Guides> | undefined
  // Imported by the first request: a process that serves no guide needs no Markdown.
  const guides = () => (opened ??= import('./guides.ts').then(({ openGuides }) => openGuides(environment)))
  // A link to a page may carry parameters of other programs, which an operation would refuse.
  const validatorCompiler = () => (value: unknown) => ({ value })
  const page = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
    app.route({ method: 'GET', url, schema: { hide: true }, validatorCompiler, handler })

  page('/docs', (request, reply) => sendPage(request, reply, reference, referencePolicy))
  page('/docs/', (_request, reply) => reply.redirect('../docs', 301))
  page('/docs/guides', (_request, reply) => reply.redirect('guides/index', 301))
  page('/docs/guides/', (_request, reply) => reply.redirect('index', 301))
  page('/docs/guides/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    const all = await guides()
    const image = await all.image(path)
    if (image !== null) return reply.header('cache-control', 'no-cache').type(image.type).send(image.bytes)
    const found = all.page(path)
    return found === null ? sendPage(request, reply.status(404), all.notFound(path)) : sendPage(request, reply, found)
  })
  page('/sdk/vigencia-client.tgz', async (_request, reply) => {
    try {
      return await reply.type('application/gzip').send(await readFile(sdkPackage))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ApiError('not-found')
      throw error
    }
  })
  page('/docs/demo-client', async (request, reply) => {
    const client = await demoClientFor(request, context)
    void reply.header('cache-control', 'no-store')
    return client === null ? reply.status(204).send() : reply.send(client)
  })
}
