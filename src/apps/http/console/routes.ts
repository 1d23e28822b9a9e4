import type { FastifyReply } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { App, Context } from '#platform/http/context.ts'
import { page } from '#platform/http/route.ts'
import { ApiError } from '#platform/core/errors.ts'
import { consoleBuild } from './build.ts'

/**
 * What the console loads comes from this service; there is no inline script. Style elements that its component library makes at run time have
 * the nonce of the page.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';')
}

/**
 * The frame that shows a document gets the bytes from the page that embeds it. Its origin is opaque and it can request nothing but scripts, so
 * that nothing in a document reaches the session. WebAssembly decodes scanned pages. A worker, which a Blob starts, parses PDFs.
 */
const documentPolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  'worker-src blob:',
  "style-src 'self'",
  'img-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join(';')

/** The page of an onboarding link, for people without an account: no style that is made at run time, no frame, no image but its own. */
const onboardingPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

const notBuilt =
  'The console is not built. Run `npm install` without --omit=dev, which builds it, and start the service again.\n'

/** `/console`: the web console, and `/onboarding`. They are for people: `openapi.json` leaves them out. */
export async function consoleRoutes(app: App, { config }: Context): Promise<void> {
  page(app, '/console', (_request, reply) => reply.redirect('/console/', 301))
  page(app, '/console/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const asset = (await consoleBuild())?.assets.get(name)
    if (asset === undefined) throw new ApiError('not-found')
    // The frame that shows documents has an opaque origin, so that its scripts are requested from another one.
    void reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    return reply.type(asset.type).send(asset.bytes)
  })
  const sendPage = (reply: FastifyReply, text: string, contentSecurityPolicy: string) => {
    void reply.headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' })
    return reply.type('text/html; charset=utf-8').send(text)
  }
  const sendNotBuilt = (reply: FastifyReply) => reply.status(503).type('text/plain; charset=utf-8').send(notBuilt)

  page(app, '/console/document.html', async (_request, reply) => {
    const found = await consoleBuild()
    if (found === null) return sendNotBuilt(reply)
    // An opaque origin has an agent cluster of its own anyway; browsers warn about a request for one.
    void reply.header('origin-agent-cluster', '?0')
    return sendPage(reply, found.documentPage, documentPolicy)
  })
  // What follows `#` in its address reaches no server.
  page(app, '/onboarding', async (_request, reply) => {
    if (!config.onboarding) throw new ApiError('not-found')
    const found = await consoleBuild()
    return found === null ? sendNotBuilt(reply) : sendPage(reply, found.onboardingPage, onboardingPolicy)
  })
  // Each path of a page has the same document: the console reads the path.
  page(app, '/console/*', async (_request, reply) => {
    const found = await consoleBuild()
    if (found === null) return sendNotBuilt(reply)
    const nonce = randomBytes(16).toString('base64')
    return sendPage(reply, found.page.replace('CSP_NONCE', nonce), policy(nonce))
  })
}
