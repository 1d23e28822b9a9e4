import { expect, test } from 'vitest'
import { sitePages } from '../../generate/pages.ts'
import { prefix, type Setting, settings } from '#platform/core/settings.ts'

test('every setting has a row on the page of the configuration', () => {
  const page = sitePages().get('reference/configuration.md') ?? ''
  const all: Setting[] = Object.values(settings)
  expect(all.length).toBeGreaterThan(20)
  expect(all.filter(({ name }) => !page.includes(`\n| \`${prefix}${name}\``)).map(({ name }) => name)).toEqual([])
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
