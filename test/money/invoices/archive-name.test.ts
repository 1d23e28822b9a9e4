import { expect, test } from 'vitest'
import { archiveNames } from '#money/invoices/zip.ts'

test.each([
  ['as it is', ['boleto.pdf', 'relatório de coparticipação.csv'], ['boleto.pdf', 'relatório de coparticipação.csv']],
  ['slashes', ['2026/11/boleto.pdf', 'a\\b.pdf'], ['2026_11_boleto.pdf', 'a_b.pdf']],
  ['a way out', ['../../etc/passwd', '..', '.'], ['.._.._etc_passwd', '__', '_']],
  ['signs that are no separators', ['a:b*c?"<d>|.pdf', 'fim. '], ['a:b*c?"<d>|.pdf', 'fim. ']],
  ['control characters', ['a\r\nb\u0085.pdf'], ['a__b_.pdf']],
  ['equal', ['a.pdf', 'a.pdf', 'a.pdf'], ['a.pdf', 'a (1).pdf', 'a (2).pdf']],
  ['equal but for the case', ['Boleto.PDF', 'boleto.pdf'], ['Boleto.PDF', 'boleto (1).pdf']],
  ['equal but for the way accents are written', ['é.pdf', 'e\u0301.pdf'], ['é.pdf', 'e\u0301 (1).pdf']],
  ['equal once slashes are gone', ['a/b.pdf', 'a_b.pdf'], ['a_b.pdf', 'a_b (1).pdf']],
  ['a number that is taken', ['a (1).pdf', 'a.pdf', 'a.pdf'], ['a (1).pdf', 'a.pdf', 'a (2).pdf']],
  ['without ending', ['boleto', 'boleto', '.env', '.env'], ['boleto', 'boleto (1)', '.env', '.env (1)']],
  ['several dots', ['a.tar.gz', 'a.tar.gz'], ['a.tar.gz', 'a.tar (1).gz']],
])('%s', (_case, names, expected) => {
  expect(archiveNames(names)).toEqual(expected)
})

test('a lone half of a character is replaced', () => {
  expect(archiveNames(['a\ud800.pdf'])).toEqual(['a\ufffd.pdf'])
})
