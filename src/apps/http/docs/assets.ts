import { readFileSync } from 'node:fs'
import type { App } from '#platform/http/context.ts'
import { page } from '#platform/http/route.ts'
import { contentHash } from '#platform/http/entity-tag.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

const styleSheet = asset('pages', 'css')
const copyScript = asset('copy-code', 'js')
const referenceScript = asset('reference', 'js')

/** Paths of the assets, relative to the root of the service. A path names one content for ever. */
export const assetPaths = {
  styleSheet: styleSheet.path,
  copyScript: copyScript.path,
  referenceScript: referenceScript.path,
}

/** The headers of what a path names for ever. */
export const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The style sheet and the scripts of the pages. */
export function assetRoutes(app: App): void {
  for (const { path, type, text } of [styleSheet, copyScript, referenceScript]) {
    page(app, `/${path}`, (_request, reply) => reply.headers(immutable).type(type).send(text))
  }
}

/** A file of `assets/`, whose path holds the hash of its content. */
function asset(name: string, extension: keyof typeof types) {
  const text = readFileSync(new URL(`assets/${name}.${extension}`, import.meta.url), 'utf8')
  return { path: `docs/assets/${name}-${contentHash(text)}.${extension}`, type: types[extension], text }
}
