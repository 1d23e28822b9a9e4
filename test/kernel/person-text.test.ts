import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cnpj, cpf, email, name, postalCode, text } from '#kernel/field-types.ts'
import { isSuspicious, saysNothing } from '#kernel/person-text.ts'

const marks = [
  '\u200b',
  '\u200d',
  '\u200e',
  '\u202a',
  '\u202c',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\u00ad',
  '\u2060',
]
const controls = ['\u0007', '\u001b', '\u0085', '\u009b', '\u007f']

describe('a name', () => {
  test.each([...marks, ...controls])('loses %j wherever it stands', (mark) => {
    for (const sent of [`${mark}Ana Lima`, `An${mark}a Lima`, `Ana Lima${mark}`])
      expect(name.parse(sent)).toBe('Ana Lima')
  })

  test('is in NFC, its blanks and line breaks are spaces, and its typographic forms stay', () => {
    expect(name.parse('Conceic\u0327a\u0303o')).toBe('Conceição')
    expect(name.parse('Ana\u00a0Lima\u2028Sá\tReis')).toBe('Ana Lima Sá Reis')
    expect(name.parse('José d’Ávila–Łukasz 李 محمد')).toBe('José d’Ávila–Łukasz 李 محمد')
  })

  test.each([
    '(null)',
    '(vazio)',
    'Não informado',
    'Jos\ufffd',
    ...'NULL null #N/A #N/D N/A n/a NaN None undefined 0 - — -- . 000 ? *** 529.982.247-25 \ufffd #REF! #VALOR!'.split(
      ' ',
    ),
  ])('%j is none', (sent) => {
    expect(name.parse(sent)).toBeNull()
  })

  test.each(['\u200b', ' \u202a\u202c ', '\u2028', '\ufeff'])('%j counts as not sent', (sent) => {
    expect(name.parse(sent)).toBeUndefined()
  })

  test('of many marks in a row is refused before it is normalized', () => {
    expect(name.parse(`a${'\u0301\u0316'.repeat(500_000)}`)).toBeNull()
  })

  test('in normal form is its own normal form', () => {
    const characters = fc.string({
      unit: fc.constantFrom(...marks, ...controls, 'a', 'É', 'e\u0301', ' ', '\n', '’', '\u2028'),
    })
    fc.assert(
      fc.property(characters, (sent) => {
        const normal = name.parse(sent)
        if (typeof normal !== 'string') return
        expect(name.parse(normal)).toBe(normal)
        expect(normal).toMatch(/^[aÉé’ ]+$/)
      }),
      { seed: 49 },
    )
  })
})

describe('marks that nobody sees are taken out of', () => {
  test.each([
    [cpf, '\u202a529.982.247-25\u202c', '52998224725'],
    [cnpj, '\ufeff12.ABC.345/01DE-35', '12ABC34501DE35'],
    [postalCode, '01310\u200b-100', '01310100'],
    [email, 'ana@mail.example\u200b', 'ana@mail.example'],
    [text, 'Analista\u202e\n\u0007Pleno', 'Analista\nPleno'],
  ])('%#', ({ parse }, sent, expected) => {
    expect(parse(sent)).toBe(expected)
  })
})

describe('signs of a wrong encoding', () => {
  const wrongly = (sent: string, encoding: 'windows-1252' | 'latin1') =>
    encoding === 'latin1' ? Buffer.from(sent).toString('latin1') : new TextDecoder(encoding).decode(Buffer.from(sent))

  test.each(['Conceição', 'José', 'Ç', 'Álvares', 'Íris', 'ÀS', 'Antônio’s', 'São – Paulo', 'Łukasz'])(
    'in %s read wrongly',
    (sent) => {
      for (const encoding of ['windows-1252', 'latin1'] as const)
        expect(isSuspicious(wrongly(sent, encoding))).toBe(true)
    },
  )

  test.each([
    'ConceiÃƒÂ§Ã£o',
    'Jo?o',
    'Concei??o',
    'Jos\ufffd',
    'Jos&eacute;',
    'D&#39;Avila',
    'JoÆo'.replace('Æ', '¦'),
  ])('in %s', (sent) => {
    expect(isSuspicious(sent)).toBe(true)
  })

  test.each([
    'Conceição',
    'SÃO JOÃO',
    'MÃE',
    'JOSÉ– MARIA',
    '“José”',
    'd’Ávila',
    'Ação 1º',
    'Nº 3ª',
    'P&D',
    'Quem?',
    'Łukasz',
    '李 محمد',
  ])('none in %s', (sent) => {
    expect(isSuspicious(sent)).toBe(false)
  })
})

test('words for nothing in either gender', () => {
  expect(['vazio', '(Vazia)', 'NÃO INFORMADA'].map(saysNothing)).toEqual([true, true, true])
})
