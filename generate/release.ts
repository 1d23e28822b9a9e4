/*
 * `npm run release:openapi`: stores openapi.json as the document of its `info.version`, in releases/, and its Postman collection. Later
 * documents are compared with the newest of them by test/tidy/openapi-changes.test.ts.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openapiFile } from './openapi.ts'
import { breakingChanges, type OpenApi } from './openapi-changes.ts'

const folder = new URL('../releases/', import.meta.url)

/** The file name of the newest released document, by version; null before the first release. */
export function newestRelease(names: readonly string[]): string | null {
  const versionOf = (name: string) => /^openapi-(\d+)\.(\d+)\.(\d+)\.json$/.exec(name)?.slice(1).map(Number)
  const released = names.flatMap((name) => {
    const version = versionOf(name)
    return version === undefined ? [] : [{ name, version }]
  })
  const order = released.toSorted((one, other) => {
    const at = one.version.findIndex((part, n) => part !== other.version[n])
    return at < 0 ? 0 : (one.version[at] ?? 0) - (other.version[at] ?? 0)
  })
  return order.at(-1)?.name ?? null
}

/** The newest released document and its file name. */
export function readRelease(): { name: string; document: OpenApi } | null {
  mkdirSync(folder, { recursive: true })
  const name = newestRelease(readdirSync(folder))
  return name === null ? null : { name, document: read(new URL(name, folder)) as OpenApi }
}

function read(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

if (import.meta.main) {
  const release = readRelease()
  const today = new Date().toISOString().slice(0, 10)
  const breaks = release === null ? [] : breakingChanges(release.document, read(openapiFile) as OpenApi, today)
  if (breaks.length > 0) {
    process.stderr.write(`Not released: this breaks callers of ${release?.name}.\n${breaks.join('\n')}\n`)
    process.exitCode = 1
  } else {
    const { version } = (read(openapiFile) as { info: { version: string } }).info
    writeFileSync(new URL(`openapi-${version}.json`, folder), readFileSync(openapiFile))
    // Imported here: the tests that read a release need no converter.
    const { postmanCollection } = await import('./postman.ts')
    const collection = await postmanCollection(readFileSync(openapiFile, 'utf8'))
    writeFileSync(new URL(`postman-${version}.json`, folder), `${JSON.stringify(collection)}\n`)
    process.stdout.write(`Stored releases/openapi-${version}.json and releases/postman-${version}.json\n`)
  }
}
