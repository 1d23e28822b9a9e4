import { getDocumentProxy, getMeta } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { writePdf } from '#platform/pdf/write.ts'
import { linesOfPages, textOfPages } from './pages.ts'

const sentence = 'A informação é calculada com os dados fornecidos pela empresa.'

describe('a PDF', () => {
  test('has its title, its language, and as many pages of A4 as it needs', async () => {
    const pdf = await getDocumentProxy(new Uint8Array(await writePdf('Aviso à família', Array(100).fill(sentence))))
    expect((await getMeta(pdf)).info).toMatchObject({ Title: 'Aviso à família', Language: 'pt-BR' })
    expect(pdf.numPages).toBeGreaterThan(1)
    const [, , width, height] = (await pdf.getPage(1)).view
    expect([width, height]).toEqual([expect.closeTo(595.28), expect.closeTo(841.89)])
  })

  test('has accents, quotes, dashes and every Latin letter, each as it was written', async () => {
    // From À to ſ: Latin-1 and Latin Extended-A.
    const latin = String.fromCodePoint(...Array.from({ length: 0x17f - 0xc0 + 1 }, (_, index) => 0xc0 + index))
    const texts = [
      'Empresa (filial) \\ ção',
      'Ação “até” 24 meses – R$ 1.987,60 §',
      'Łucja Đorđe Lőrinc, office',
      'Ștefan Ţ Nguyễn',
    ]
    const pages = await textOfPages(
      await writePdf('Demonstrativo de utilização', [{ heading: texts[0] as string }, ...texts.slice(1), latin]),
    )
    expect(pages[0]?.split('\n').slice(0, 5)).toEqual(['Demonstrativo de utilização', ...texts])
    expect(pages.join('').replaceAll('\n', '')).toContain(latin)
  })

  test('has the text of one letter whatever another one had', async () => {
    await writePdf('Aviso', ['Ĳ'])
    expect(await textOfPages(await writePdf('Aviso', ['IJ']))).toEqual(['Aviso\nIJ'])
  })

  test('prints a letter with its accent apart as the letter that has it', async () => {
    expect(await textOfPages(await writePdf('Aviso', ['João'.normalize('NFD')]))).toEqual(['Aviso\nJoão'])
  })

  test('refuses what the font does not have', async () => {
    await expect(writePdf('Aviso', ['王 Łucja 王', { heading: 'Lőrinc 日' }])).rejects.toMatchObject({
      code: 'text-not-printable',
      extra: { characters: ['王', '日'] },
    })
  })

  test('keeps every word and its order, on lines within the margins of the page', async () => {
    const words = Array.from({ length: 2_000 }, (_, index) => `palavra${index}`)
    const pages = await linesOfPages(await writePdf('Muitas', [words.join(' ')]))
    expect(pages.length).toBeGreaterThan(2)
    const lines = pages.flat()
    expect(lines.flatMap(({ text }) => text.split(' '))).toEqual(['Muitas', ...words])
    expect(Math.min(...lines.map(({ x }) => x))).toBeCloseTo(56)
    expect(Math.max(...lines.map(({ x, width }) => x + width))).toBeLessThanOrEqual(595.28 - 56)
    expect(Math.min(...lines.map(({ y }) => y))).toBeGreaterThanOrEqual(56)
  })

  test('breaks a word that is longer than a line', async () => {
    const [page = ''] = await textOfPages(await writePdf('Longa', ['M'.repeat(200)]))
    const [, ...lines] = page.split('\n')
    expect(lines.join('')).toBe('M'.repeat(200))
    expect(lines.length).toBeGreaterThan(3)
  })
})
