/*
 * The browser script of Scalar, compressed. The package holds the script as one text of 4 MB, which would stay in the memory of the process that
 * imports it: here it goes with the thread.
 */
import fastifyApiReference from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { CompressedScript } from './scalar.ts'

export default async function compressScript(): Promise<CompressedScript> {
  const app = fastify()
  await app.register(fastifyApiReference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { rawPayload, statusCode } = await app.inject('/reference/js/scalar.js')
  if (statusCode !== 200) throw new Error(`the script of Scalar: ${statusCode}`)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: rawPayload.length }
  return { br: brotliCompressSync(rawPayload, { params }), gzip: gzipSync(rawPayload) }
}
