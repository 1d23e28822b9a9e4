import { describe, expect, test } from 'vitest'
import type { Acknowledgement } from '#registry/rules/acknowledgement.ts'
import { type LineKeys, type ReadLine, readLine } from '#exchange/shipments/acknowledgement-line.ts'
import { type MatchedItem, matchLines } from '#exchange/shipments/match-lines.ts'
import { rngOf } from '../../crash/rng.ts'

const ids = Array.from({ length: 4 }, (_, index) => `01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d2${index}`)
const [first = '', second = '', third = '', fourth = ''] = ids

/** Ana has two products. */
const items: readonly MatchedItem[] = [
  { enrollmentId: first, position: 1, taxId: '52998224725', dependents: [], product: 'saude', planCode: 'A1' },
  { enrollmentId: second, position: 2, taxId: '52998224725', dependents: [], product: 'dental', planCode: 'B2' },
  { enrollmentId: third, position: 3, taxId: '11144477735', dependents: [], product: 'saude', planCode: 'A1' },
  { enrollmentId: fourth, position: 4, taxId: '39053344705', dependents: [], product: 'saude', planCode: null },
]

const noKeys: LineKeys = { enrollmentId: null, position: null, taxId: null, product: null, planCode: null }
const says: Acknowledgement = {
  outcome: 'accepted',
  cardNumber: null,
  startDate: null,
  endDate: null,
  code: null,
  message: null,
  protocol: null,
}
const lineOf = (line: number, keys: Partial<LineKeys>, more: Partial<Acknowledgement> = {}): ReadLine => ({
  line,
  keys: { ...noKeys, ...keys },
  says: { ...says, ...more },
})

/** What became of each line: the id of its item, or the code. */
const resultsOf = (lines: readonly ReadLine[]) =>
  matchLines(lines, items).map((one) => ('refused' in one ? one.refused.code : one.id))

describe('a line is of the item', () => {
  test.each<[string, Partial<LineKeys>, string]>([
    ['with its id', { enrollmentId: second }, second],
    ['at its position', { position: 3 }, third],
    ['of its CPF, where the person has one', { taxId: '11144477735' }, third],
    ['of its CPF and product', { taxId: '52998224725', product: 'dental' }, second],
    ['of its CPF and plan code', { taxId: '52998224725', planCode: 'A1' }, first],
    ['of its CPF alone, which is not enough for two', { taxId: '52998224725' }, 'ambiguous-line'],
    ['of an unknown CPF', { taxId: '15350946056' }, 'unknown-line'],
    ['of another product', { taxId: '11144477735', product: 'dental' }, 'unknown-line'],
    ['of another plan code', { taxId: '39053344705', planCode: 'A1' }, 'unknown-line'],
    ['at a position of another CPF', { position: 3, taxId: '39053344705' }, 'unknown-line'],
    ['with an id at another position', { enrollmentId: first, position: 2 }, 'unknown-line'],
    ['beyond the last position', { position: 5 }, 'unknown-line'],
    ['that has a product only', { product: 'dental' }, 'unknown-line'],
    ['that it does not name', {}, 'unknown-line'],
  ])('%s', (_, keys, expected) => {
    expect(resultsOf([lineOf(1, keys)])).toEqual([expected])
  })
})

describe('two lines', () => {
  test('that say the same of one item are of it, both', () => {
    expect(resultsOf([lineOf(1, { position: 1 }), lineOf(2, { enrollmentId: first })])).toEqual([first, first])
  })

  test('that say different things of one item are refused, both, also where one cannot be read', () => {
    const refused = lineOf(2, { position: 1 }, { outcome: 'refused' })
    expect(resultsOf([lineOf(1, { position: 1 }), refused])).toEqual(['conflicting-lines', 'conflicting-lines'])
    const unreadable = readLine({ line: 2, sent: { position: 1, outcome: 'maybe' } })
    expect(resultsOf([lineOf(1, { position: 1 }), unreadable])).toEqual(['conflicting-lines', 'invalid-body'])
  })

  test('with one card number are refused where they are of two people', () => {
    const one = lineOf(1, { position: 1 }, { cardNumber: '0045 1120-7' })
    expect(resultsOf([one, lineOf(2, { position: 3 }, { cardNumber: '004511207' })])).toEqual([
      'duplicate-card',
      'duplicate-card',
    ])
    expect(resultsOf([one, lineOf(2, { position: 2 }, { cardNumber: '004511207' })])).toEqual([first, second])
    expect(resultsOf([one, lineOf(2, { position: 3 }, { cardNumber: '004511207', outcome: 'refused' })])).toEqual([
      first,
      third,
    ])
  })
})

test('the order of the lines does not matter', () => {
  const rng = rngOf(34)
  const pick = <Value>(values: readonly Value[]) => values[rng.between(0, values.length - 1)] as Value
  for (let round = 0; round < 300; round += 1) {
    const lines = Array.from({ length: rng.between(1, 12) }, (_, index) => {
      const keys = pick<Partial<LineKeys>>([
        { position: rng.between(1, 5) },
        { enrollmentId: pick(ids) },
        { taxId: pick(items).taxId },
        { taxId: pick(items).taxId, product: pick(['saude', 'dental']) },
      ])
      const cardNumber = pick([null, '1', '2'])
      return lineOf(index, keys, { outcome: pick(['accepted', 'accepted', 'refused']), cardNumber })
    })
    const sorted = matchLines(rng.shuffled(lines), items).toSorted((a, b) => a.line - b.line)
    expect(sorted).toEqual(matchLines(lines, items))
  }
})
