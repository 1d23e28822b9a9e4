import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What `npm run build -w site` made; `npm install` runs it. */
export const siteFolder = fileURLToPath(new URL('../../../../site/dist/', import.meta.url))

/** Files of the site, and where one of them is found. Only these files are sent. */
export interface Site {
  /** The script of the API reference: its name in the folder `reference`. */
  readonly reference: string
  /** The file of a guide or of what it loads, below the folder of the site; null: there is none. @param path below `/docs/guides/`. */
  find(path: string): string | null
}

/** null when the site is not built. */
export function openSite(): Site | null {
  const files = new Set(globSync('**/*', { cwd: siteFolder }).map((name) => name.replaceAll('\\', '/')))
  const script = [...files].find((name) => /^reference\/scalar-\w+\.js$/.test(name))
  if (script === undefined) return null
  const isFile = (name: string) => files.has(name) && /\.\w+$/.test(name)
  return {
    reference: basename(script),
    find: (path) => [`guides/${path}`, `guides/${path}.html`, `guides/${path}index.html`].find(isFile) ?? null,
  }
}
