/*
 * A worker thread that posts the browser script of Scalar, compressed, and ends: the package holds the script as one text of 4 MB, which would
 * stay in the memory of the process that imports it.
 */
import fastifyApiReference from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'
import { parentPort } from 'node:worker_threads'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const app = fastify()
await app.register(fastifyApiReference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
const { rawPayload, statusCode } = await app.inject('/reference/js/scalar.js')
if (statusCode !== 200) throw new Error(`the script of Scalar: ${statusCode}`)
const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: rawPayload.length }
parentPort?.postMessage({ br: brotliCompressSync(rawPayload, { params }), gzip: gzipSync(rawPayload) }, [])
