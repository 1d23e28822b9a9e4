import { readFileSync } from 'node:fs'
import { openThreads } from '../core/threads.ts'

/** The browser script of Scalar, compressed. */
export interface CompressedScript {
  readonly br: Uint8Array
  readonly gzip: Uint8Array
}

const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>
}

/** The version of Scalar that is installed. */
export const scalarVersion = dependencies['@scalar/fastify-api-reference'] ?? ''

let loaded: Promise<CompressedScript> | undefined

/** The script, read by the first call in a thread that then ends; about 2.4 MB stay in memory. A failure is not remembered. */
export function scalarScript(): Promise<CompressedScript> {
  loaded ??= readScript().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

function readScript(): Promise<CompressedScript> {
  const threads = openThreads({ file: new URL('./scalar-thread.ts', import.meta.url), max: 1, endIdleAfterMs: 0 })
  return threads.run(null) as Promise<CompressedScript>
}
