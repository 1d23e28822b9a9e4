import * as fc from 'fast-check'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LineReader, maxLineBytes } from '#platform/tables/line-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigencia-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function linesOf(text: string, from = 0): (string | null)[] {
  const path = join(folder, 'file')
  writeFileSync(path, text)
  const file = openSync(path, 'r')
  try {
    const reader = new LineReader(file, from)
    const lines: (string | null)[] = []
    for (let raw = reader.next(); raw !== null; raw = reader.next()) {
      lines.push(raw.bytes?.toString() ?? null)
      if (raw.number !== lines.length) throw new Error(`line ${lines.length} is numbered ${raw.number}`)
    }
    expect(reader.next()).toBeNull()
    return lines
  } finally {
    closeSync(file)
  }
}

test.for([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb', ['a', 'b']],
  ['\n\na', ['', '', 'a']],
  ['a\r', ['a']],
  ['a\rb\n', ['a', 'b']],
  ['a\rb\r', ['a', 'b']],
  ['\r\r\na', ['', '', 'a']],
  ['\r\n\r\n', ['', '']],
] as const)('%j', ([text, lines]) => {
  expect(linesOf(text)).toEqual(lines)
})

test('starts at the given offset', () => {
  expect(linesOf('\uFEFFa\nb', 3)).toEqual(['a', 'b'])
})

test('reads the longest line, and rejects one byte more, wherever blocks end', () => {
  const longest = 'x'.repeat(maxLineBytes)
  for (const before of [0, 1, 100_000, 262_144 - maxLineBytes - 1, 262_144 - maxLineBytes, 262_143, 262_144, 300_000]) {
    const head = before === 0 ? '' : `${'y'.repeat(Math.min(before, 60_000) - 1)}\n`.padEnd(before, '\n')
    const lines = linesOf(
      [head, `${longest}\r\n${longest}\n${longest}x\n${longest}\r\n${'x'.repeat(1_000_000)}\nend`].join(''),
    )
    expect(lines.slice(-6)).toEqual([longest, longest, null, longest, null, 'end'])
  }
})

test('reads the same as a split at line breaks', () => {
  const size = fc.oneof(fc.nat(40), fc.integer({ min: maxLineBytes - 3, max: maxLineBytes + 3 }), fc.nat(400_000))
  fc.assert(
    fc.property(fc.array(size, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'), (sizes, end) => {
      const lines = sizes.map((length, n) => 'abc'[n % 3]?.repeat(length) ?? '')
      const expected = lines.map((one) => (one.length > maxLineBytes ? null : one))
      expect(linesOf(lines.map((one) => one + end).join(''))).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})
