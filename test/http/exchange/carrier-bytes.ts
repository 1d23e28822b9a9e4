/* Files as carriers write them, with invented people. */

export interface Entry {
  readonly name: string
  /** Such as `IR`. */
  readonly type?: string
  readonly code: string
  /** `MMyyyy`. */
  readonly period?: string
  /** In cents. */
  readonly amount: number
  readonly plan?: string
  readonly birth?: string
  readonly start?: string
}

/** A line of these characters, from 1. */
function line(length: number, parts: Readonly<Record<number, string>>): string {
  const characters = Array.from({ length }, () => ' ')
  for (const [at, text] of Object.entries(parts)) {
    for (const [index, character] of Array.from(text).entries()) characters[Number(at) - 1 + index] = character
  }
  return `${characters.join('')}\r\n`
}

/** Bradesco's “fatura técnica” of one sub-invoice. @param total of its trailer, in cents. */
export function bradescoInvoice(
  contract: string,
  month: string,
  sub: string,
  entries: readonly Entry[],
  total: number,
): Buffer {
  const cents = (amount: number) => String(amount).padStart(15, '0')
  const text = [
    line(180, { 1: '1', 2: 'FATURA TECNICA', 73: contract, 117: month }),
    line(180, { 1: '2', 2: '01', 4: sub, 8: 'EMPRESA' }),
    ...entries.map(
      ({ name, type = '', code, period = '', amount, plan = 'AE12', birth = '17051990', start = '01022026' }, index) =>
        line(180, {
          1: '3',
          2: sub,
          6: String(index + 1).padStart(7, '0'),
          13: '00',
          15: name,
          54: birth,
          65: plan,
          69: start,
          77: type,
          79: period,
          85: cents(amount),
          100: cents(0),
          115: code,
        }),
    ),
    line(180, { 1: '4', 2: sub, 6: '(IM)INCLUSOES NO MES', 41: '000001', 65: cents(1) }),
    line(180, { 1: '4', 2: sub, 6: '(TS)TOTAL SUBFATURA', 41: '000001', 65: cents(total) }),
    line(180, { 1: '4', 2: '9999', 6: '(TS)TOTAL', 41: '000001', 65: cents(total + 5) }),
    line(180, { 1: '5', 2: 'MENSAGEM' }),
    '\r\n',
  ]
  return Buffer.from(text.join(''), 'latin1')
}

const headings = [
  'Empresa',
  'Unidade',
  'NomeUnidade',
  'Credencial',
  'Matricula',
  'CPF',
  'Beneficiario',
  'NomeMae',
  'Nascimento',
  'Inicio',
  'Idade',
  'Parentesco',
  'Plano',
  'AC',
  'Mensalidade',
  'Adicional',
  'TaxaAdesao',
  'Desconto',
  'Cobrado',
]

/** Hapvida's invoice. @param amounts in cents. */
export function hapvidaInvoice(company: string, separator: string, amounts: readonly number[]): Buffer {
  const rows = amounts.map((amount, index) => [
    company,
    '1',
    'MATRIZ',
    `0045112077${index}`,
    `M-${index}`,
    '529.982.247-25',
    'HELENA BRANDÃO',
    'FATIMA',
    '17/05/1990',
    '01/02/2026',
    '36',
    'TITULAR',
    'NOSSO PLANO',
    '',
    String(amount),
    '0',
    '0',
    '0',
    String(amount),
  ])
  const history = ['Historico de Beneficiarios de Empresa com Vigencia Retroativa', '', '']
  const text = [headings, ...rows, history, ['x', 'y']].map((cells) => `${cells.join(separator)}\r\n`)
  return Buffer.from(text.join(''), 'latin1')
}
