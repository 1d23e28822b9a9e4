import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEPENDENT_TYPES, BENEFICIARY_TYPES, GENDERS, MARITAL_STATUSES, WORK_CONTRACT_TYPES } from '#kernel/enums.ts'
import { rosterTable } from '#registry/companies/roster.ts'
import {
  IMPORT_COLUMNS,
  importColumnOf,
  type ImportColumnName,
  importTemplate,
} from '#movements/rules/import-columns.ts'
import { REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'

const read = (header: string, cell: string) => importColumnOf(header)?.parse(cell)

describe('cells', () => {
  test.for([
    ['Data de nascimento', '29/02/1980', '1980-02-29'],
    ['start-date', '01/12/2024', '2024-12-01'],
    ['Início da vigência', '2024-03-01', '2024-03-01'],
    ['Fim da vigência', '1/3/2024', '2024-03-01'],
    ['Data de admissão', '01/03/24', '2024-03-01'],
    ['Data de nascimento', '01/03/24', '01/03/24'],
    ['Data de nascimento', '01/03/87 00:00:00', '1987-03-01'],
    ['Sexo', 'F', 'female'],
    ['gender', 'm', 'male'],
    ['gender', 'Feminino', 'female'],
    ['gender', 'female', 'female'],
    ['gender', 'Female', 'Female'],
    ['Tipo de beneficiário', 'TITULAR', 'primary'],
    ['beneficiary-type', 'dependente', 'dependent'],
    ['Parentesco', 'Cônjuge', 'spouse'],
    ['Parentesco', 'conjuge', 'spouse'],
    ['Parentesco', 'filha', 'child'],
    ['Parentesco', 'Filho(a)', 'child'],
    ['dependent-type', 'irmã', 'sibling'],
    ['dependent-type', 'irmão(ã)', 'sibling'],
    ['dependent-type', 'mãe', 'parent'],
    ['dependent-type', 'amigo', 'amigo'],
    ['Estado civil', 'solteira', 'single'],
    ['marital-status', 'Viúvo(a)', 'widowed'],
    ['marital-status', 'outros', 'others'],
    ['Tipo de contrato', 'clt', 'brazil-labor-law'],
    ['salary', '5230', 5_230],
    ['salary', '5230,00', '5230,00'],
    ['Salário', '5230', 523_000],
    ['Salário', '5230,00', 523_000],
    ['SALARIO', '5.230,00', 523_000],
    ['Salário', '5230,5', 523_050],
    ['Salário', '5.230', 523_000],
    ['Salário', 'R$ 1.005.230,09', 100_523_009],
    ['Salário', '5230.50', 523_050],
    ['Salário', '5,230.00', 523_000],
    ['Salário', '52.30', 5_230],
    ['Salário', '5,230', '5,230'],
    ['Salário', '-1', -100],
    ['Número da carteirinha', '0', ''],
    ['CEP', '01.310-100', '01310100'],
    ['Nome', '01/02/1980', '01/02/1980'],
    ['CPF', '52998224725', '52998224725'],
    ['CPF', '529982247-25', '52998224725'],
  ] as const)('%s: %j is %j', ([header, cell, value]) => {
    expect(read(header, cell)).toBe(value)
  })

  test('reais of any amount give their cents, however they are written', () => {
    const cents = fc.maxSafeNat()
    fc.assert(
      fc.property(cents, (amount) => {
        const [whole, fraction] = [String(Math.floor(amount / 100)), String(amount % 100).padStart(2, '0')]
        const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, '.')
        for (const text of [whole, grouped]) expect(read('Salário', `${text},${fraction}`)).toBe(amount)
      }),
    )
  })

  test('values of the API are unchanged in every column, and so is text in no known form', () => {
    const values = [...BENEFICIARY_TYPES, ...DEPENDENT_TYPES, ...GENDERS, ...MARITAL_STATUSES, ...WORK_CONTRACT_TYPES]
    fc.assert(
      fc.property(fc.constantFrom(...IMPORT_COLUMNS.keys()), fc.constantFrom(...values), (name, value) => {
        expect(read(name, value)).toBe(value)
        expect(read(name, `${value}!`)).toBe(`${value}!`)
      }),
    )
  })
})

test('no header names two columns, and each word one value of its column', () => {
  const headers = [...IMPORT_COLUMNS].flatMap(([name, { header }]) => [name, header])
  expect(new Set(headers.map((header) => importColumnOf(header)?.name)).size).toBe(IMPORT_COLUMNS.size)
  for (const [name, { header, words = {} }] of IMPORT_COLUMNS) {
    expect([importColumnOf(name)?.name, importColumnOf(header)?.name]).toEqual([name, name])
    for (const [value, list] of Object.entries(words)) {
      for (const word of list) expect([word, read(header, word)]).toEqual([word, value])
    }
  }
})

test('every word that the roster of a company writes for a value is read again as that value', () => {
  const sets: Readonly<Record<string, readonly string[]>> = {
    'beneficiary-type': BENEFICIARY_TYPES,
    gender: GENDERS,
    'marital-status': MARITAL_STATUSES,
    'dependent-type': DEPENDENT_TYPES,
  }
  for (const [name, values] of Object.entries(sets)) {
    const header = IMPORT_COLUMNS.get(name as ImportColumnName)?.header ?? ''
    const at = rosterTable.columns.findIndex((column) => column.header === header)
    const written = values.map(
      (value) =>
        rosterTable.row(
          rosterTable.columns.map(() => value),
          false,
        )[at] ?? '',
    )
    expect([name, written.map((word) => read(header, word))]).toEqual([name, values])
  }
})

test('a template has every column once', () => {
  // Another name of a column stands once.
  const columns = [...IMPORT_COLUMNS.keys()].filter((name) => !Object.hasOwn(REGISTRATION_ALIASES, name))
  expect(importTemplate('en')).toBe(`${columns.join(';')}\n`)
  const names = importTemplate('pt-BR').trim().split(';')
  expect(names.map((name) => importColumnOf(name)?.name)).toEqual(columns)
})
