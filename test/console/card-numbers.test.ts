import { describe, expect, test } from 'vitest'
import { readCardNumbers } from '../../console/src/areas/queue/card-numbers.ts'
import { failedLines } from '../../console/src/areas/queue/decisions-file.ts'
import type { DecidedMovement } from '../../console/src/decisions/decision.ts'

function movement(id: string, cpf: string, type: DecidedMovement['enrollment-type'] = 'inclusion'): DecidedMovement {
  return {
    id,
    'enrollment-type': type,
    status: 'created',
    'member-name': id,
    'member-tax-id': cpf,
    'member-type': 'primary',
    'primary-member-tax-id': null,
    'company-tax-id': '11222333000181',
    'company-name': 'Metalúrgica Serra Azul S.A.',
    'product-name': 'Saúde Essencial',
    'destination-company-tax-id': null,
    'start-date': null,
    'end-date': null,
    history: [],
  }
}

const people = [
  movement('a', '52998224725'),
  movement('gone', '11144477735', 'exclusion'),
  movement('b', '11144477735'),
  movement('c', '01234567890'),
  movement('a2', '52998224725'),
]

const cardsOf = (text: string) => {
  const { rows, unused } = readCardNumbers(text, people)
  return { cards: rows.map(({ movement: { id }, card }) => `${id} ${card}`), unused: unused.map(({ line }) => line) }
}

describe('card numbers of a spreadsheet', () => {
  test('without CPFs go to the movements that take one, in order', () => {
    expect(cardsOf('0045 1\r\n\r\n 0045 2 \n0045 3')).toEqual({
      cards: ['a 0045 1', 'b 0045 2', 'c 0045 3', 'a2 null'],
      unused: [],
    })
  })

  test('with CPFs in any form go to the person, several of one in order; what is left over is listed', () => {
    const text = '1234567890\t9\n529.982.247-25\t1\n52998224725;2\n52998224725\t3\n111.444.777-35\t\nno card'
    expect(cardsOf(text)).toEqual({ cards: ['a 1', 'b null', 'c 9', 'a2 2'], unused: [4, 5, 6] })
  })
})

test('the lines with errors of a decisions file are as they were, also records of several lines', () => {
  const file = 'enrollment-id;status;reason\r\n1;rejected;"one\r\ntwo"\r\n2;completed;\r\n\r\n3;x;\r\n'
  const outcomes = [
    { line: 2, 'enrollment-id': null, error: 'Invalid body' },
    { line: 4, 'enrollment-id': null },
    { line: 6, 'enrollment-id': null, error: 'Invalid body' },
  ]
  expect(failedLines(file, outcomes)).toBe('enrollment-id;status;reason\r\n1;rejected;"one\r\ntwo"\r\n3;x;\n')
})
