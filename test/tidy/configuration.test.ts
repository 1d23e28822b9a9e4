import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configurationFile, configurationText } from '../../generate/configuration.ts'
import { type Setting, settings } from '../../src/core/settings.ts'

test('docs/reference/configuration.md is what src/core/settings.ts says: otherwise run `npm run docs`', () => {
  const stands = readFileSync(configurationFile, 'utf8')
  expect(
    stands === configurationText(),
    'docs/reference/configuration.md is stale: run `npm run docs` and commit it',
  ).toBe(true)
})

test('every setting says what happens without it and, in words, what it does', () => {
  const all: Setting[] = Object.values(settings)
  expect(all.filter(({ absent, description }) => absent === '' || !/\w{2,}.*\.$/s.test(description))).toEqual([])
  const names = all.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index || !/^[A-Z]+(_[A-Z]+)*$/.test(name))).toEqual([])
})

test('every default can be read', () => {
  for (const { default: preset, parse } of Object.values(settings))
    if (preset !== null) expect(() => parse(preset)).not.toThrow()
})
