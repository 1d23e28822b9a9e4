/* `npm run openapi`: openapi.json, from the schemas of the routes. */
import { writeFile } from 'node:fs/promises'
import { readConfig } from '../src/platform/config.ts'
import { openLog } from '../src/platform/log.ts'
import { buildServer } from '../src/app/server.ts'
import type { Context } from '../src/http/context.ts'

export const openapiFile = new URL('../openapi.json', import.meta.url)

/** The document of a service with no settings of its own, as it stands in openapi.json. */
export async function openapiText(): Promise<string> {
  // Routes are only described here; what would need a database is never called.
  const context = { config: readConfig({}), log: openLog('silent') } as Context
  const app = await buildServer(context)
  try {
    return `${JSON.stringify(app.swagger(), null, 2)}\n`
  } finally {
    await app.close()
  }
}

if (import.meta.main) await writeFile(openapiFile, await openapiText())
