import { describe, expect, test } from 'vitest'
import { Mentions } from '#privacy/erasures/mentions.ts'

/* Where free text of others names a person: whole CPFs, addresses and names between the borders of words. */

const ana = new Mentions({ taxId: '52998224725', names: ['Ana'], emails: ['ana@acme.com'] })
const zuleica = new Mentions({
  taxId: '52998224725',
  names: ["Zuleica D'Ávila Conceição"],
  emails: ['zuleica.tavares@exemplo.com.br'],
})

describe('texts that name nobody stay', () => {
  const texts = [
    'mariana@acme.com',
    'Mariana, Joana e Ana2 na semana',
    'joana@acme.com.br',
    'ana@acme.com.br',
    'diana-ana@acme.com x.ana@acme.com ana+1@acme.com',
    '152998224725 529982247250 529.982.247-251 A52998224725',
    'Diána',
  ]
  test.each(texts)('%s', (text) => expect(ana.changeText(text)).toBeNull())
})

const changed = [
  [ana, 'Falar com Ana.', 'Falar com ***.'],
  [ana, 'ANA', '***'],
  [ana, 'escrever a ana@acme.com. Depois', 'escrever a erased. Depois'],
  [ana, '<ana@acme.com>', '<erased>'],
  [ana, 'CPF 529.982.247-25, 52998224725', 'CPF erased, erased'],
  [zuleica, 'zuleica  d’avila conceicao pediu', 'erased pediu'],
  [zuleica, 'Zuleica Davila Conceição pediu', 'erased pediu'],
  [zuleica, "Zuleica D'Ávila Conceic\u0327a\u0303o\npediu", 'erased\npediu'],
  [zuleica, 'Zuleica pediu', null],
] as const
test.each(changed)('%o: %s', (person, text, after) => expect(person.changeText(text)?.text ?? null).toBe(after))

test('of a long text the plan shows what stands around each place', () => {
  const text = `${'a '.repeat(200)}529.982.247-25${' b'.repeat(200)}`
  const shown = ana.changeText(text)?.surroundings ?? ''
  expect(shown).toMatch(/^…[a ]{80}erased[b ]{80}…$/)
})

test('JSON changes value by value: numbers, keys and the identity of others stay', () => {
  const value = {
    salary: 52998224725,
    '52998224725': 'x',
    name: 'Ana',
    'email-corporate': 'ana@acme.com',
    'job-title': 'Assistente de Ana',
    acts: [{ reason: 'Pedido de 529.982.247-25' }],
    'bank-account-owners-tax-id': '52998224725',
    'bank-account-owners-name': 'Ana M.',
  }
  expect(ana.changeJson(value, true)).toEqual({
    value: {
      ...value,
      'job-title': 'Assistente de ***',
      acts: [{ reason: 'Pedido de erased' }],
      'bank-account-owners-tax-id': 'erased',
      'bank-account-owners-name': 'erased',
    },
    places: [
      { path: 'job-title', surroundings: 'Assistente de ***' },
      { path: 'acts[0].reason', surroundings: 'Pedido de erased' },
      { path: 'bank-account-owners-tax-id', surroundings: 'erased' },
      { path: 'bank-account-owners-name', surroundings: 'erased' },
    ],
  })
  expect(ana.changeJson({ salary: 52998224725 }, true)).toBeNull()
})
