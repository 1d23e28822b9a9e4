import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { readFile } from 'node:fs/promises'
import type { App, Context } from '#platform/http/context.ts'
import { page } from '#platform/http/route.ts'
import { ApiError } from '#platform/core/errors.ts'
import { assetRoutes, immutable } from './assets.ts'
import { demoClientFor } from './demo-client.ts'
import { pagePolicy, referencePolicy, sendPage } from './html-response.ts'
import { referencePage } from './reference-page.ts'
import { openSite, type Site, siteFolder } from './site.ts'

/** What `npm run build -w sdk` and `npm run build:cli` made; `npm install` runs them. */
const packages = { 'vigencia-client.tgz': 'sdk', 'vigencia-cli.tgz': 'cli' } as const

const notBuilt =
  'The guides and the reference are not built. Run `npm install` without --omit=dev, which builds them, and start the service again.\n'

/** `/docs`: the API reference and the guides, as HTML, and the packages of the SDK and the command line. They are for people: `openapi.json` leaves them out. */
export async function docsRoutes(app: App, context: Context): Promise<void> {
  const { environment } = context.config
  await app.register(fastifyStatic, { root: siteFolder, serve: false, preCompressed: true, cacheControl: false })
  assetRoutes(app)
  let opened: Site | null = null
  const site = () => (opened ??= openSite())
  const sendNotBuilt = (reply: FastifyReply) => reply.status(503).type('text/plain; charset=utf-8').send(notBuilt)

  page(app, '/docs', (request, reply) => {
    const found = site()
    if (found === null) return sendNotBuilt(reply)
    const hasAll = Object.hasOwn(request.query as object, 'all')
    const reference = referencePage(environment, `docs/assets/${found.reference}`, hasAll)
    return sendPage(request, reply, reference, referencePolicy)
  })
  page(app, '/docs/', (_request, reply) => reply.redirect('../docs', 301))
  page(app, '/docs/assets/:script', (request, reply) => {
    const { script } = request.params as { script: string }
    if (site()?.reference !== script) throw new ApiError('not-found')
    return reply.headers(immutable).sendFile(`reference/${script}`)
  })
  page(app, '/docs/guides', (_request, reply) => reply.redirect('guides/index', 301))
  page(app, '/docs/guides/', (_request, reply) => reply.redirect('index', 301))
  page(app, '/docs/guides/*', (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    const found = site()
    if (found === null) return sendNotBuilt(reply)
    const file = found.find(path)
    if (file === null) {
      const missing = path.startsWith('pt-BR/') ? 'guides/pt-BR/not-found.html' : 'guides/not-found.html'
      return reply.status(404).headers({ 'content-security-policy': pagePolicy }).sendFile(missing)
    }
    // The names of assets hold the hash of their content.
    if (file.startsWith('guides/assets/')) return reply.headers(immutable).sendFile(file)
    return reply.headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' }).sendFile(file)
  })
  page(app, '/llms.txt', (_request, reply) =>
    site() === null ? sendNotBuilt(reply) : reply.headers({ 'cache-control': 'no-cache' }).sendFile('llms.txt'),
  )
  for (const [name, folder] of Object.entries(packages)) {
    page(app, `/sdk/${name}`, async (_request, reply) => {
      try {
        const file = new URL(`../../../../${folder}/${name}`, import.meta.url)
        return await reply.type('application/gzip').send(await readFile(file))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ApiError('not-found')
        throw error
      }
    })
  }
  page(app, '/docs/demo-client', async (request, reply) => {
    const client = await demoClientFor(request, context)
    void reply.header('cache-control', 'no-store')
    return client === null ? reply.status(204).send() : reply.send(client)
  })
}
