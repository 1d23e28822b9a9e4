import { describe, expect, test } from 'vitest'
import { writePdf } from '../../src/pdf/write.ts'
import { textOfPages } from './pages.ts'

const sentence = 'A informação é calculada com os dados fornecidos pela empresa.'

describe('a PDF', () => {
  test('has a table that points at its objects, and streams as long as they say', () => {
    const text = writePdf('Aviso', Array(100).fill(sentence)).toString('latin1')
    expect(text.startsWith('%PDF-1.4\n')).toBe(true)
    expect(text.endsWith('%%EOF\n')).toBe(true)
    const start = Number(/startxref\n(\d+)\n/.exec(text)?.[1])
    expect(text.slice(start, start + 5)).toBe('xref\n')
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
    for (const [index, offset] of offsets.entries()) {
      expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
    }
    const streams = [...text.matchAll(/\/Length (\d+) >>\nstream\n([^]*?)\nendstream/g)]
    expect(streams.map(([, length]) => Number(length))).toEqual(streams.map(([, , stream = '']) => stream.length))
    expect(Number(/\/Count (\d+)/.exec(text)?.[1])).toBe(streams.length)
    expect(offsets).toHaveLength(4 + 2 * streams.length)
    expect(streams.length).toBeGreaterThan(1)
    expect(text).toContain('/Title <feff0041007600690073006f>')
  })

  test('has accents, quotes and dashes, and refuses what the font does not have', () => {
    const pdf = writePdf('Demonstrativo de utilização', [
      { heading: 'Empresa (filial) \\ ção' },
      'Ação “até” 24 meses – R$ 412,35 §',
    ])
    expect(textOfPages(pdf)).toEqual([
      'Demonstrativo de utilização\nEmpresa (filial) \\ ção\nAção “até” 24 meses – R$ 412,35 §',
    ])
    expect(() => writePdf('Aviso', ['Łucja Łucja', { heading: 'Lőrinc 日' }])).toThrow(
      expect.objectContaining({ code: 'text-not-printable', extra: { characters: ['Ł', 'ő', '日'] } }),
    )
  })

  test('keeps every word and its order, on lines within the page', () => {
    const words = Array.from({ length: 3_000 }, (_, index) => `palavra${index}`)
    const pdf = writePdf('Muitas', [words.join(' ')])
    const pages = textOfPages(pdf)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.join('\n').split(/\s/)).toEqual(['Muitas', ...words])
    const heights = [...pdf.toString('latin1').matchAll(/ ([\d.]+) Tm$/gm)].map(([, y]) => Number(y))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(56)
    // Half of the size of a letter is its usual width: a line of 483 points has about 88 letters of 11 points.
    const lengths = pages.flatMap((page) => page.split('\n')).map((line) => line.length)
    expect(Math.max(...lengths)).toBeLessThan(100)
    expect(lengths.filter((length) => length > 70).length).toBeGreaterThan(0.9 * lengths.length)
  })

  test('breaks a word that is longer than a line', () => {
    const [page = ''] = textOfPages(writePdf('Longa', ['M'.repeat(200)]))
    const [, ...lines] = page.split('\n')
    expect(lines.join('')).toBe('M'.repeat(200))
    // 0.833 of the size each.
    expect(lines[0]).toHaveLength(52)
  })
})
