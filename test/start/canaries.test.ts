import { expect, test } from 'vitest'
import { canaries, canariesIn } from './canaries.ts'

const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  URL: (text) => encodeURIComponent(text),
  form: (text) => new URLSearchParams({ q: text }).toString(),
  'base64 at 0': (text) => Buffer.from(`${text}xyz`).toString('base64'),
  'base64 at 1': (text) => Buffer.from(`a${text}xyz`).toString('base64url'),
  'base64 at 2': (text) => Buffer.from(`ab${text}xyz`).toString('base64'),
  hexadecimal: (text) => Buffer.from(`a${text}`).toString('hex').toUpperCase(),
  'JSON escapes': (text) => text.replaceAll(/[^]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'JSON of ASCII': (text) =>
    text.replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
}

test.for(Object.keys(encodings))('the search finds each canary in %s', (name) => {
  for (const canary of canaries) expect(canariesIn(`before ${encodings[name]?.(canary)} after`)).toContain(canary)
})

test('and nothing in other text', () => {
  expect(canariesIn('{"msg":"request completed","route":"/v1/member","ms":7345}')).toEqual([])
})
