import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('../../src/', import.meta.url)

test('OpenTelemetry is loaded only when there is a collector', () => {
  const named = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      readFileSync(new URL(name, source), 'utf8')
        .split('\n')
        .filter((line) => line.includes("'@opentelemetry/"))
        .map((line) => `${name}: ${line.trim()}`),
    )
  expect(named.length).toBeGreaterThan(3)
  expect(
    named.filter((line) => !/^telemetry\/tracing\.ts: (?:import type |const .* = await import\()/.test(line)),
  ).toEqual([])
})
