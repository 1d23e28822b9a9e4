/*
 * `npm run build -w site`, which `npm install` runs: the guides as a site of VitePress in `dist/guides`, and Scalar's script of the API reference in
 * `dist/reference`, and what programs read. The service sends these files.
 */
import fastifyApiReference from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vitepress'
import { base } from './navigation.ts'
import { writePlainFiles } from './plain-files.ts'

const folder = fileURLToPath(new URL('./', import.meta.url))
const target = `${folder}dist/`

/** Smaller files are sent as they are. */
const minBytes = 1024

/** The package holds the script of the browser as a text of its own code, which its plugin serves. */
async function writeReference(): Promise<void> {
  const app = fastify()
  await app.register(fastifyApiReference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { rawPayload, statusCode } = await app.inject('/reference/js/scalar.js')
  if (statusCode !== 200) throw new Error(`the script of Scalar: ${statusCode}`)
  mkdirSync(`${target}reference`, { recursive: true })
  const hash = createHash('sha256').update(rawPayload).digest('hex').slice(0, 16)
  writeFileSync(`${target}reference/scalar-${hash}.js`, rawPayload)
}

/** `x.js.br` and `x.js.gz` beside `x.js`: a response costs no compression. */
function compress(): void {
  for (const file of globSync('**/*.{css,html,js,md,svg,txt}', { cwd: target })) {
    const bytes = readFileSync(`${target}${file}`)
    if (bytes.length < minBytes) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${target}${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${target}${file}.gz`, gzipSync(bytes))
  }
}

rmSync(target, { recursive: true, force: true })
await build(folder)
await writeReference()
writePlainFiles(target, base)
compress()
