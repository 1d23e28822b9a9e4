import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { acceptedCoding } from '../http/compression.ts'
import type { App } from '../http/context.ts'
import { contentHash } from './html-response.ts'
import { scalarScript, scalarVersion } from './scalar.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

const styleSheet = asset('pages', 'css')
const copyScript = asset('copy-code', 'js')
const referenceScript = asset('reference', 'js')

/** Paths of the assets, relative to the root of the service. A path names one content for ever. */
export const assetPaths = {
  styleSheet: styleSheet.path,
  copyScript: copyScript.path,
  referenceScript: referenceScript.path,
  scalar: `docs/assets/scalar-${scalarVersion}.js`,
}

const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The style sheet and the scripts of the pages. */
export function assetRoutes(app: App): void {
  for (const { path, type, text } of [styleSheet, copyScript, referenceScript]) {
    app.route({
      method: 'GET',
      url: `/${path}`,
      schema: { hide: true },
      handler: (_request, reply) => reply.headers(immutable).type(type).send(text),
    })
  }
  app.route({
    method: 'GET',
    url: `/${assetPaths.scalar}`,
    schema: { hide: true },
    handler: async (request, reply) => {
      const coding = acceptedCoding(request.headers['accept-encoding']?.toString())
      const { br, gzip } = await scalarScript()
      void reply.headers({ ...immutable, vary: 'accept-encoding' }).type(types.js)
      if (coding === null) return reply.send(await promisify(brotliDecompress)(br))
      return reply.header('content-encoding', coding).send(coding === 'br' ? br : gzip)
    },
  })
}

/** A file of `assets/`, whose path holds the hash of its content. */
function asset(name: string, extension: keyof typeof types) {
  const text = readFileSync(new URL(`assets/${name}.${extension}`, import.meta.url), 'utf8')
  return { path: `docs/assets/${name}-${contentHash(text)}.${extension}`, type: types[extension], text }
}
