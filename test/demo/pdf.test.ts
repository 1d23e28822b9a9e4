import { expect, test } from 'vitest'
import { writePdf } from '../../src/demo/pdf.ts'

test('the table of a PDF points at its objects, and the stream is as long as it says', () => {
  const text = writePdf(['Demonstrativo de utilização', 'Empresa (filial) \\ ção', '日']).toString('latin1')
  expect(text.startsWith('%PDF-1.4\n')).toBe(true)
  expect(text.endsWith('%%EOF\n')).toBe(true)
  const start = Number(/startxref\n(\d+)\n/.exec(text)?.[1])
  expect(text.slice(start, start + 5)).toBe('xref\n')
  const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
  expect(offsets).toHaveLength(5)
  for (const [index, offset] of offsets.entries()) {
    expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
  }
  const length = Number(/\/Length (\d+)/.exec(text)?.[1])
  const stream = /stream\n([^]*?)\nendstream/.exec(text)?.[1] ?? ''
  expect(stream).toHaveLength(length)
  expect(stream).toContain('(Demonstrativo de utilização) Tj')
  expect(stream).toContain('(Empresa \\(filial\\) \\\\ ção) Tj')
  expect(stream).toContain('(?) Tj')
})
