import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Package {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Package>
}

/** Where Node finds the package that another one requires: in its own `node_modules`, or in that of a folder above. */
function find(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (lock.packages[path] !== undefined) return path
    if (folder === '') return undefined
  }
}

test('npm ci finds every package in the lock, those of other platforms included', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, one]) =>
    Object.keys({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies })
      .filter((name) => find(path, name) === undefined)
      .map((name) => `${name}, required by ${path}`),
  )
  expect(missing).toEqual([])
})

test('an install adds no address of a registry to the lock', () => {
  const npmrc = readFileSync(new URL('../../.npmrc', import.meta.url), 'utf8')
  expect(npmrc).toContain('omit-lockfile-registry-resolved=true')
})
