import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { useConsole } from './console.ts'

const consoleOf = useConsole()

test('the console loads at most 260 kB of JavaScript, gzipped, before it can be signed in to', async () => {
  const { page } = await consoleOf.open('/sign-in')
  const paths = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
  )
  const scripts = await Promise.all(paths.map(async (path) => Buffer.from(await (await fetch(path)).arrayBuffer())))
  const kilobytes = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1_000
  expect(scripts.length).toBeGreaterThan(1)
  expect(kilobytes).toBeLessThanOrEqual(260)
})
