import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attachmentOf, displayName } from '#platform/http/content-disposition.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'

const shown = (sent: string | null) => displayName(sent, 'application/pdf', 'fallback')

describe('displayName', () => {
  test.each([
    ['certidão de nascimento.pdf', 'certidão de nascimento.pdf'],
    ['RESCISÃO.PDF', 'RESCISÃO.PDF'],
    ['certida\u0303o.pdf', 'certidão.pdf'],
    ['a  b\t c\u00a0d.pdf', 'a b c d.pdf'],
    ['/etc/passwd', 'passwd.pdf'],
    ['..\\..\\boot.ini', 'boot.ini.pdf'],
    ['a/b/', 'fallback.pdf'],
    ['a\r\nX-Injected: 1.pdf', 'a X-Injected_ 1.pdf'],
    ['"quoted".pdf', '_quoted_.pdf'],
    ['\u202Efdp.exe', 'fdp.exe.pdf'],
    ['\u2066a\u2069\u200F\u200B\uFEFF.pdf', 'a.pdf'],
    ['nul\0byte.pdf', 'nulbyte.pdf'],
    ['half \uD83D surrogate.pdf', 'half surrogate.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['name.pdf.', 'name.pdf'],
    ['no ending', 'no ending.pdf'],
    ['script.html', 'script.html.pdf'],
    ['photo.png', 'photo.png.pdf'],
    ['', 'fallback.pdf'],
    [' . . ', 'fallback.pdf'],
    [null, 'fallback.pdf'],
    ['حسن.pdf', 'حسن.pdf'],
    ['família 👪.pdf', 'família 👪.pdf'],
  ])('%j is shown as %j', (sent, expected) => {
    expect(shown(sent)).toBe(expected)
  })

  test('keeps the extension of a long name', () => {
    expect(shown(`${'a'.repeat(500)}.pdf`)).toBe(`${'a'.repeat(196)}.pdf`)
    expect(displayName('👪'.repeat(300), 'image/jpeg', 'x')).toBe(`${'👪'.repeat(196)}.jpg`)
  })

  test('whatever is sent, it is short, has no path, no control or direction mark, and ends as its type does', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '..',
      '\r\n',
      '\0',
      '"',
      '\u202E',
      '\u2067',
      '\u2028',
      ':',
      '.pdf',
      '.exe',
      'é',
      '%0a',
    )
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 80 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(name, fc.constantFrom(...FILE_TYPES), (sent, type) => {
        const result = displayName(sent, type, 'fallback')
        expect(Array.from(result).length).toBeLessThanOrEqual(200)
        expect(result).not.toMatch(/[\p{C}\p{Zl}\p{Zp}/\\"<>:|?*]/u)
        expect(result).not.toMatch(/^[.\s]|[.\s]$/)
        expect(result).toMatch(/\.(pdf|jpg|jpeg|jpe|jfif|png|tif|tiff|heic|heif|hif|webp)$/i)
        expect(displayName(result, type, 'other')).toBe(result)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('attachmentOf', () => {
  test('has an ASCII name and the true one', () => {
    expect(attachmentOf('certidão (2ª via)*.pdf')).toBe(
      `attachment; filename="certidao (2_ via)*.pdf"; filename*=UTF-8''certid%C3%A3o%20%282%C2%AA%20via%29%2A.pdf`,
    )
  })

  test.each([
    ['a:b*c?<d>|.pdf', `filename="a:b*c?<d>|.pdf"; filename*=UTF-8''a%3Ab%2Ac%3F%3Cd%3E%7C.pdf`],
    ['nov "final".csv', `filename="nov _final_.csv"; filename*=UTF-8''nov%20%22final%22.csv`],
    ['100%.pdf', `filename="100_.pdf"; filename*=UTF-8''100%25.pdf`],
    [' fim. ', `filename=" fim. "; filename*=UTF-8''%20fim.%20`],
    ['e\u0301.pdf', `filename="e.pdf"; filename*=UTF-8''e%CC%81.pdf`],
    ['../a\\b\r\n\u0085.pdf', `filename=".._a_b___.pdf"; filename*=UTF-8''.._a_b___.pdf`],
  ])('%j leaves as it came, without path separators and control characters', (name, expected) => {
    expect(attachmentOf(name)).toBe(`attachment; ${expected}`)
  })

  test('is one safe header whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const header = attachmentOf(name)
        expect(header).toMatch(/^attachment; filename="[\x20-\x21\x23-\x7e]*"; filename\*=UTF-8''[\w%.!#$&+^`|~-]*$/)
        expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(
          name.toWellFormed().replaceAll(/[/\\]|\p{Cc}/gu, '_'),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})
