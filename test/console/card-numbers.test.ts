import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Answers,
  confirmRow,
  matchCardNumbers,
  noAnswers,
  sentRows,
} from '../../console/src/broker/queue/card-numbers.ts'
import { failedLines } from '../../console/src/broker/queue/decisions-file.ts'
import type { DecidedMovement } from '../../console/src/entities/decisions/decision.ts'
import { completeCpf, parseCpf } from '#kernel/tax-id.ts'

function movement(
  id: string,
  cpf: string,
  type: DecidedMovement['enrollment-type'] = 'inclusion',
  more: Partial<DecidedMovement> = {},
): DecidedMovement {
  return {
    id,
    'enrollment-type': type,
    'alteration-kind': null,
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
    ...more,
  }
}

const ana = '52998224725'
const bia = '11144477735'
/** With a zero at the start, which a spreadsheet drops. */
const caio = '01234567890'

/** Ana has two products. */
const family = [
  movement('ana', ana),
  movement('gone', bia, 'exclusion'),
  movement('bia', bia),
  movement('caio', caio),
  movement('ana dental', ana, 'inclusion', { 'member-name': 'ana', 'product-name': 'Dental Mais' }),
]
const three = family.slice(0, 4)

/** What is sent, and the doubts by line or movement. */
function matched(text: string, movements = three, answers: Partial<Answers> = {}) {
  const numbers = matchCardNumbers(text, movements, { ...noAnswers, ...answers })
  const doubts = numbers.rows.flatMap(({ key, doubt, isLeftOut }) =>
    doubt === null || isLeftOut ? [] : [`${key}: ${doubt}`],
  )
  return {
    sent: sentRows(numbers).map(
      (row) => `${row.movement.id} ${row.card}${row.startDate === null ? '' : ` ${row.startDate}`}`,
    ),
    doubts,
    error: numbers.error,
    headings: numbers.headings,
    ignored: numbers.ignored,
  }
}

const clean = { doubts: [], error: null, headings: [], ignored: [] }

describe('card numbers of a column alone', () => {
  test('go line by line to the movements that take one; an empty cell stays an empty card', () => {
    expect(matched('0045 1\r\n\r\n 0045 3 \r\n')).toEqual({ ...clean, sent: ['ana 0045 1', 'caio 0045 3'] })
    expect(matched('\n0045 2\n')).toMatchObject({ sent: [], error: 'line-count' })
    expect(matched('\n0045 2\n\n')).toEqual({ ...clean, sent: ['bia 0045 2'] })
    expect(matched('1\n2\n3\n\n\n')).toEqual({ ...clean, sent: ['ana 1', 'bia 2', 'caio 3'] })
  })

  test('shift nobody by their heading, which is skipped and said', () => {
    const heading = { headings: ['Nº da carteirinha'] }
    expect(matched('Nº da carteirinha\n1\n2\n3')).toEqual({ ...clean, ...heading, sent: ['ana 1', 'bia 2', 'caio 3'] })
    expect(matched('Nº da carteirinha\n1\n2')).toMatchObject({ ...heading, sent: [], error: 'line-count' })
    expect(matched('"Nº da\ncarteirinha"\n1\n2\n3')).toMatchObject({ ...heading, sent: ['ana 1', 'bia 2', 'caio 3'] })
  })

  test.each([
    ['fewer lines', '1\n2'],
    ['more lines', '1\n2\n3\n4'],
    ['only a heading', 'Carteirinha'],
  ])('are refused with %s than movements', (_, text) => {
    expect(matched(text)).toMatchObject({ sent: [], error: 'line-count' })
  })

  test.each([
    ['4,5112E+13', 'scientific'],
    ['4.52E+15', 'scientific'],
    ['390.533.447-05', 'cpf'],
    ['39053344705', 'cpf'],
    ['1234567890', 'cpf'],
    ['Total', 'no-digit'],
    ['01/12/2026', 'date'],
  ])('block where %s stands instead of one', (cell, doubt) => {
    expect(matched(`1\n${cell}\n3`)).toMatchObject({ sent: ['ana 1', 'caio 3'], doubts: [`line 2: ${doubt}`] })
  })

  test('block where two are the same, however they are written', () => {
    expect(matched('77-1\n2\n77 1')).toMatchObject({
      sent: ['bia 2'],
      doubts: ['line 1: duplicate', 'line 3: duplicate'],
    })
  })

  test('block also when one of the two is left out, until the other is said to be right', () => {
    const text = '77-1\n2\n77 1'
    const leftOut = new Set(['line 3'])
    expect(matched(text, three, { leftOut })).toMatchObject({ sent: ['bia 2'], doubts: ['line 1: duplicate'] })
    const { rows } = matchCardNumbers(text, three)
    const answers = confirmRow(noAnswers, rows, 'line 1')
    expect(matched(text, three, answers)).toEqual({ ...clean, sent: ['ana 77-1', 'bia 2'] })
    // Taken back, both are in doubt again.
    expect(matched(text, three, { ...answers, leftOut: new Set() })).toMatchObject({
      sent: ['bia 2'],
      doubts: ['line 1: duplicate', 'line 3: duplicate'],
    })
    expect(matched(text, three, confirmRow(answers, rows, 'line 3'))).toEqual({
      ...clean,
      sent: ['bia 2', 'caio 77 1'],
    })
  })
})

describe('card numbers beside CPFs', () => {
  test('go to the person in any order, also where the spreadsheet dropped zeros; without one nobody is approved', () => {
    const text = 'Carteirinha;CPF\n9;1234567890\n;111.444.777-35\n\n1;529.982.247-25'
    expect(matched(text)).toEqual({ ...clean, headings: ['Carteirinha · CPF'], sent: ['caio 9', 'ana 1'] })
  })

  test('block for lines and people without a counterpart, until they are left out', () => {
    const text = `${ana}\t1\n39053344705\t2\n5,2998E+10\t3\n${bia}\t`
    expect(matched(text)).toMatchObject({
      sent: ['ana 1'],
      doubts: ['line 2: unknown-person', 'line 3: scientific', 'movement caio: no-line'],
    })
    const leftOut = new Set(['line 2', 'line 3', 'movement caio'])
    expect(matched(text, three, { leftOut })).toEqual({ ...clean, sent: ['ana 1'] })
  })

  test('block where two lines are for one movement', () => {
    expect(matched(`${ana};1\n${bia};2\n${ana};3\n${caio};4`)).toMatchObject({
      sent: ['bia 2', 'caio 4'],
      doubts: ['line 1: taken', 'line 3: taken'],
    })
    const leftOut = new Set(['line 3'])
    expect(matched(`${ana};1\n${bia};2\n${ana};3\n${caio};4`, three, { leftOut })).toMatchObject({
      sent: ['bia 2', 'caio 4'],
      doubts: ['line 1: taken'],
    })
  })

  test('go to the product of the line; without one a choice is needed', () => {
    const rest = `${bia};;2\n${caio};;3`
    const both = `${ana};dental  mais;8\n${ana};SAUDE ESSENCIAL;7\n${rest}`
    expect(matched(both, family)).toEqual({ ...clean, sent: ['ana dental 8', 'ana 7', 'bia 2', 'caio 3'] })
    const wrong = `${ana};Dental Mais;8\n${ana};Vida;7\n${rest}`
    expect(matched(wrong, family)).toMatchObject({ doubts: ['line 2: other-product'] })
    const none = `${ana};8\n${bia};2\n${caio};3`
    expect(matched(none, family)).toMatchObject({ sent: ['bia 2', 'caio 3'], doubts: ['line 1: choose-product'] })
    const chosen = new Map([['line 1', 'ana dental']])
    expect(matched(none, family, { chosen })).toMatchObject({
      sent: ['ana dental 8', 'bia 2', 'caio 3'],
      doubts: ['movement ana: no-line'],
    })
  })

  test('take a start date from a column that is called so; another date is said to be ignored', () => {
    const lines = `${ana}\t1\t01/12/2026\n${bia}\t2\t2026-12-05\n${caio}\t3\t`
    expect(matched(`CPF\tCartão\tInício de vigência\n${lines}`)).toMatchObject({
      sent: ['ana 1 2026-12-01', 'bia 2 2026-12-05', 'caio 3'],
      doubts: [],
      ignored: [],
    })
    expect(matched(`CPF\tCartão\tInício\n${lines.replace('2026-12-05', '2026-13-05')}`)).toMatchObject({
      doubts: ['line 3: invalid-start'],
    })
    const without = { sent: ['ana 1', 'bia 2', 'caio 3'], doubts: [] }
    expect(matched(lines)).toMatchObject({ ...without, ignored: ['01/12/2026'] })
    expect(matched(`CPF\tCartão\tFim da vigência\n${lines}`)).toMatchObject({
      ...without,
      ignored: ['Fim da vigência'],
    })
  })

  test('are not guessed from several columns of numbers, but taken from the one that is called so', () => {
    const lines = `${ana};10;1\n${bia};20;2\n${caio};30;3`
    expect(matched(lines)).toMatchObject({ sent: [], error: 'several-card-columns' })
    expect(matched(`CPF;Matrícula;Carteirinha\n${lines}`)).toMatchObject({
      sent: ['ana 1', 'bia 2', 'caio 3'],
      error: null,
      ignored: ['Matrícula'],
    })
    expect(matched(`${ana};Ana\n${bia};Bia`)).toMatchObject({ sent: [], error: 'no-card-column' })
  })

  test('are matched by the CPF of the person, not by that of the primary', () => {
    const children = [movement('ana', ana), movement('bia', bia)]
    const headed = `CPF do titular;CPF;Carteirinha\n${ana};${bia};2\n${ana};${ana};1`
    expect(matched(headed, children)).toMatchObject({ sent: ['bia 2', 'ana 1'], doubts: [] })
    expect(matched(`${ana};${bia};2\n${ana};${ana};1`, children)).toMatchObject({ sent: ['bia 2', 'ana 1'] })
    expect(matched(`${ana};${bia};2\n${bia};${ana};1`, children)).toMatchObject({ error: 'several-cpf-columns' })
  })

  test('block where the name beside the CPF is that of another selected person', () => {
    expect(matched(`${ana};Ana;1\n${bia};Caio;2\n${caio};CAIO S.;3`)).toMatchObject({
      sent: ['ana 1', 'caio 3'],
      doubts: ['line 2: other-name', 'movement bia: no-line'],
    })
  })
})

describe('card numbers beside names', () => {
  test('go to the person with that name, without regard to case and accents', () => {
    const people = [movement('a', ana, 'inclusion', { 'member-name': 'Letícia Assunção' }), movement('b', bia)]
    expect(matched('B\t2\nLETICIA  ASSUNCAO\t1', people)).toEqual({ ...clean, sent: ['b 2', 'a 1'] })
  })

  test('block where two selected people have the name', () => {
    const people = [movement('x', ana), movement('x', bia)]
    expect(matched('x\t1\nx\t2', people)).toMatchObject({
      sent: [],
      doubts: ['line 1: several-people', 'line 2: several-people', 'movement x: no-line', 'movement x: no-line'],
    })
  })
})

describe('whatever is pasted', () => {
  const people = fc
    .uniqueArray(fc.integer({ min: 0, max: 999_999_999 }), { minLength: 1, maxLength: 8 })
    .map((numbers) => numbers.flatMap((n) => parseCpf(completeCpf(String(n).padStart(9, '0'))) ?? []))
    .map((cpfs) => cpfs.map((cpf, index) => movement(`m${index}`, cpf)))
  const cards = fc.uniqueArray(fc.integer({ min: 100, max: 9_999_999 }), { minLength: 8, maxLength: 8 })

  test('a person gets the card that stands beside the CPF, in every order of lines and columns', () => {
    fc.assert(
      fc.property(people, cards, fc.boolean(), fc.infiniteStream(fc.nat()), (movements, numbers, isFirst, random) => {
        const own = movements.map((one, index) => ({ one, card: `C${numbers[index]}` }))
        const lines = own
          .map((pair) => ({ ...pair, at: random.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          // As a number, without zeros at the start.
          .map(({ one, card }) => [String(Number(one['member-tax-id'])), card])
          .map((cells) => (isFirst ? cells : cells.toReversed()).join('\t'))
        const { sent, doubts } = matched(lines.join('\n'), movements)
        expect(doubts).toEqual([])
        expect(sent.toSorted()).toEqual(own.map(({ one, card }) => `${one.id} ${card}`).toSorted())
      }),
      { seed: 7 },
    )
  })

  test('of a column alone, the n-th movement gets the n-th cell or nothing', () => {
    const cell = fc.oneof(
      fc.constantFrom('', 'Total', '4,5E+13', '390.533.447-05'),
      cards.map(([first]) => `C${first}`),
    )
    fc.assert(
      fc.property(people, fc.array(cell, { maxLength: 10 }), (movements, cells) => {
        const numbers = matchCardNumbers(cells.map((one) => `${one}\n`).join(''), movements)
        const from = numbers.headings.length
        for (const {
          movement: { id },
          card,
        } of sentRows(numbers)) {
          expect(cells[from + Number(id.slice(1))]).toBe(card)
          expect(card).toMatch(/^C\d+$/)
        }
      }),
      { seed: 7 },
    )
  })

  test('every line, or the count, is accounted for', () => {
    const text = fc.array(fc.constantFrom(ana, bia, '1', '0045', 'Ana', 'x', '', '\t', ';', '\n', '"', '01/12/2026'), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(text, (parts) => {
        const numbers = matchCardNumbers(parts.join(''), family)
        if (numbers.error !== null) {
          expect(sentRows(numbers)).toEqual([])
          return
        }
        const lines = numbers.rows.filter(({ line }) => line !== null)
        expect(lines.length).toBe(numbers.lines)
        expect(new Set(numbers.rows.map(({ key }) => key)).size).toBe(numbers.rows.length)
        const ids = sentRows(numbers).map(({ movement: { id } }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { seed: 7 },
    )
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
