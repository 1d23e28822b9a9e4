import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configurationFile, configurationText } from '../../generate/configuration.ts'
import { settings } from '../../src/platform/config.ts'

test('docs/configuration.md is what src/platform/config.ts says: otherwise run `npm run docs`', () => {
  const stands = readFileSync(configurationFile, 'utf8')
  expect(stands === configurationText(), 'docs/configuration.md is stale: run `npm run docs` and commit it').toBe(true)
})

test('every setting has a default and says in words what it does', () => {
  expect(settings.filter(({ default: preset, meaning }) => preset === '' || !/\w{2,}.*\.$/s.test(meaning))).toEqual([])
  const names = settings.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index || !/^[A-Z]+(_[A-Z]+)*$/.test(name))).toEqual([])
})
