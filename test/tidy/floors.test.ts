import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../src/', import.meta.url))

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** Which floor a file stands on; a file imports from its own floor and those below. */
function floorOf(file: string): number {
  if (file.startsWith('rules/')) return 0
  if (
    /^(config|errors|log|metrics|deprecations|tracing|trace-context|version|database|pipeline|ids|rounds|migrate|json|validation|wire|answer|service|statistics|reach-database)\.ts$/.test(
      file,
    )
  )
    return 1
  if (file.startsWith('engine/') || file === 'limits/limits.ts') return 1
  if (/^(server|worker|process)\.ts$/.test(file)) return 4
  if (file === 'main.ts' || file.startsWith('cli/')) return 5
  if (/queries\.ts$/.test(file) || isGround(file)) return 2
  return 3
}

/** Signing, tokens, the outbox, the audit and the like: what features build on beside queries. */
function isGround(file: string): boolean {
  return [
    /^access\/(cipher|derive-key|gate|idempotency|master-key|overload|rate-limit|sealed-answer|scope|secret|service-key|signing-key|token)\.ts$/,
    /^access\/(cipher|gate|idempotency|master-key|rate-limit|sealed-answer|scope|secret|service-key|signing-key|token)\.ts$/,
    /^limits\//,
    /^documents\/((\w+-)?storage(-key)?|incoming|loose-bytes)\.ts$/,
    /^(account\/(audit|chain)|events\/(outbox|slots)|members\/(member-id|denied|person)|movements\/resolution|openapi|health)\.ts$/,
    /\/(schema|stream|company|happenings|batch[\w-]*)\.ts$/,
  ].some((pattern) => pattern.test(file))
}

/** Verbs that other features call besides their queries: transitions happen in one place. */
const sharedVerbs = new Set([
  'enrollments/transition.ts',
  'enrollments/resolution.ts',
  'invoices/clock.ts',
  'invoices/keep.ts',
])

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(/^(?:import|export)(?! type)[^;]*?from '(\.[^']+)'/gm)
  return [...found].map((match) => relative(root, resolve(root, dirname(file), match[1] ?? '')))
}

/** The feature a file belongs to: its folder, and in movements the movement. */
function featureOf(file: string): string {
  const parts = file.split('/')
  return parts[0] === 'movements' ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
}

test('a file imports only from its own floor and those below', () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => floorOf(target) > floorOf(file))
      .map((target) => `${file} (floor ${floorOf(file)}) imports ${target} (floor ${floorOf(target)})`),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(upward).toEqual([])
})

test('a feature reaches another feature through its queries, never through its routes', () => {
  const sideways = files
    .filter((file) => floorOf(file) === 3 && file.includes('/'))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => floorOf(target) === 3 && featureOf(target) !== featureOf(file) && !sharedVerbs.has(target))
        .map((target) => `${file} imports ${target}`),
    )
  expect(sideways).toEqual([])
})

test('the rules know no I/O, no clock and no randomness', () => {
  const impure = files
    .filter((file) => file.startsWith('rules/'))
    .filter((file) =>
      /from 'node:|from '[a-z@]|Date\.now|new Date\(\)|Math\.random|process\./.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    )
  expect(impure).toEqual([])
})

test('only config.ts and the first line of the command read process.env', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')))
  expect(readers).toEqual(['main.ts'])
})
