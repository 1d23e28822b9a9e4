import { parseCpf } from '../../../../src/kernel/tax-id.ts'
import { completionFields, type DecidedMovement } from '../../entities/decisions/decision.ts'
import { type Columns, type ColumnsError, columnsOf, cpfOf, dateOf, type Known, knownOf } from './pasted-columns.ts'
import { folded, pastedLines, type PastedLine } from '../../tables/pasted-lines.ts'

/** Why a row must not be sent as it is. */
export type Doubt =
  | 'unknown-person'
  | 'several-people'
  | 'other-name'
  | 'choose-product'
  | 'other-product'
  | 'taken'
  | 'no-line'
  | 'duplicate'
  | 'cpf'
  | 'scientific'
  | 'date'
  | 'no-digit'
  | 'invalid-start'

/** A pasted line, or a movement that no line is for. */
export interface CardRow {
  readonly key: string
  /** null: no line. */
  readonly line: number | null
  /** The line as it was pasted. */
  readonly text: string
  /** null: none, or not yet chosen. */
  readonly movement: DecidedMovement | null
  /** The movements of the person; one of several has to be chosen. */
  readonly candidates: readonly DecidedMovement[]
  /** Empty: the movement is not approved. */
  readonly card: string
  readonly startDate: string | null
  readonly doubt: Doubt | null
  readonly isLeftOut: boolean
}

export interface CardNumbers {
  readonly rows: readonly CardRow[]
  readonly matchedBy: 'cpf' | 'name' | 'order'
  /** Lines at the top without a digit. */
  readonly headings: readonly string[]
  /** Columns that are not used. */
  readonly ignored: readonly string[]
  readonly hasStartDates: boolean
  /** Why nothing of it can be sent. */
  readonly error: ColumnsError | 'line-count' | null
  /** Without headings. */
  readonly lines: number
}

/** What a person said about rows, by their keys. */
export interface Answers {
  /** The id of the movement that a line is for. */
  readonly chosen: ReadonlyMap<string, string>
  readonly leftOut: ReadonlySet<string>
  /** When several lines have one number, those that have it. */
  readonly confirmed: ReadonlySet<string>
}

export const noAnswers: Answers = { chosen: new Map(), leftOut: new Set(), confirmed: new Set() }

/** Lines with such a doubt are as good as each other: which one is right has to be said of one of them. */
export const isShared = (doubt: Doubt | null) => doubt === 'duplicate' || doubt === 'taken'

/** The movements that take a card number, in their order. */
export const takersOf = (movements: readonly DecidedMovement[]) =>
  movements.filter((one) => completionFields(one).includes('card-number'))

/**
 * Matches card numbers that were copied from a spreadsheet with the movements: by the column of CPFs or else of names, in any order; without
 * one line by line, and then there must be a line for each. Nothing is guessed: what is not certain has a doubt.
 */
export function matchCardNumbers(
  text: string,
  movements: readonly DecidedMovement[],
  answers: Answers = noAnswers,
): CardNumbers {
  const takers = takersOf(movements)
  const known = knownOf(takers)
  const { headings, lines } = withoutHeadings(pastedLines(text), known)
  const columns = columnsOf(headings, lines, known)
  const matchedBy = columns.cpf !== null ? 'cpf' : columns.name !== null ? 'name' : 'order'
  const used = matchedBy === 'order' ? upTo(takers.length, lines) : lines.filter((one) => !isEmpty(one))
  const error = columns.error ?? (matchedBy === 'order' && used.length !== takers.length ? 'line-count' : null)
  const rows =
    error === null && used.length > 0
      ? rowsOf(used, columns, takers, answers)
      : takers.map((one) => rowWithout(one, null))
  return {
    rows: withDoubtsBetween(rows, answers, known.cpfs),
    matchedBy,
    headings: headings.map(textOf),
    ignored: columns.ignored,
    hasStartDates: columns.start !== null,
    error: used.length === 0 && headings.length === 0 ? null : error,
    lines: used.length,
  }
}

/** The rows that are sent, unless one has a doubt. */
export const sentRows = ({ rows }: CardNumbers) =>
  rows.flatMap(({ movement, card, startDate, doubt, isLeftOut }) =>
    movement === null || card === '' || doubt !== null || isLeftOut ? [] : [{ movement, card, startDate }],
  )

const textOf = ({ cells }: PastedLine) => cells.filter((cell) => cell !== '').join(' · ')
const isEmpty = ({ cells }: PastedLine) => cells.every((cell) => cell === '')

function withoutHeadings(lines: readonly PastedLine[], { names }: Known) {
  const first = lines.findIndex(
    (one) => isEmpty(one) || one.cells.some((cell) => /\d/.test(cell) || names.has(folded(cell))),
  )
  const count = first === -1 ? lines.length : first
  return { headings: lines.slice(0, count), lines: lines.slice(count) }
}

/** Empty lines below the last row are left out. */
function upTo(count: number, lines: readonly PastedLine[]): readonly PastedLine[] {
  const last = lines.findLastIndex((one) => !isEmpty(one))
  return lines.slice(0, Math.max(count, last + 1))
}

function rowsOf(
  lines: readonly PastedLine[],
  columns: Columns,
  takers: readonly DecidedMovement[],
  answers: Answers,
): CardRow[] {
  const byOrder = columns.cpf === null && columns.name === null
  const byCpf = Map.groupBy(takers, (one) => one['member-tax-id'])
  const byName = Map.groupBy(takers, (one) => folded(one['member-name']))
  const rows = lines.map((one, index): CardRow => {
    const cell = (at: number | null) => (at === null ? '' : (one.cells[at] ?? ''))
    const key = `line ${one.line}`
    const found = byOrder
      ? { candidates: takers.slice(index, index + 1), doubt: null }
      : personOf(cell(columns.cpf), cell(columns.name), byCpf, byName)
    const card = cell(columns.card)
    const chosen = found.candidates.find(({ id }) => id === answers.chosen.get(key))
    const target =
      chosen === undefined
        ? movementOf(found.candidates, cell(columns.product), card)
        : { movement: chosen, doubt: null }
    const start = cell(columns.start)
    return {
      key,
      line: one.line,
      text: textOf(one),
      movement: found.doubt === null ? target.movement : null,
      candidates: found.candidates,
      card,
      startDate: start === '' ? null : dateOf(start),
      doubt:
        found.doubt ??
        target.doubt ??
        (card === '' ? null : doubtOfCard(card)) ??
        (start !== '' && dateOf(start) === null ? 'invalid-start' : null),
      isLeftOut: answers.leftOut.has(key),
    }
  })
  const named = new Set(rows.flatMap(({ movement, candidates }) => (movement === null ? candidates : [movement])))
  const unnamed = takers.filter((one) => !named.has(one)).map((one) => rowWithout(one, 'no-line'))
  return [...rows, ...unnamed].map((row) => ({ ...row, isLeftOut: answers.leftOut.has(row.key) }))
}

const rowWithout = (movement: DecidedMovement, doubt: Doubt | null): CardRow => ({
  key: `movement ${movement.id}`,
  line: null,
  text: '',
  movement,
  candidates: [],
  card: '',
  startDate: null,
  doubt,
  isLeftOut: false,
})

type ByKey = ReadonlyMap<string, readonly DecidedMovement[]>

function personOf(
  cpfCell: string,
  nameCell: string,
  byCpf: ByKey,
  byName: ByKey,
): { readonly candidates: readonly DecidedMovement[]; readonly doubt: Doubt | null } {
  const named = byName.get(folded(nameCell)) ?? []
  if (cpfCell === '') {
    const people = new Set(named.map((one) => one['member-tax-id']))
    if (people.size > 1) return { candidates: [], doubt: 'several-people' }
    return { candidates: named, doubt: people.size === 0 ? 'unknown-person' : null }
  }
  if (isScientific(cpfCell)) return { candidates: [], doubt: 'scientific' }
  const cpf = cpfOf(cpfCell)
  const candidates = (cpf === null ? undefined : byCpf.get(cpf)) ?? []
  if (candidates.length === 0) return { candidates, doubt: 'unknown-person' }
  const isOther = named.length > 0 && !named.some((one) => one['member-tax-id'] === cpf)
  return isOther ? { candidates: [], doubt: 'other-name' } : { candidates, doubt: null }
}

function movementOf(
  candidates: readonly DecidedMovement[],
  product: string,
  card: string,
): { readonly movement: DecidedMovement | null; readonly doubt: Doubt | null } {
  const ofProduct =
    product === '' ? candidates : candidates.filter((one) => folded(one['product-name']) === folded(product))
  const [first] = ofProduct
  if (first !== undefined && ofProduct.length === 1) return { movement: first, doubt: null }
  // Without a card it does not matter.
  if (card === '') return { movement: null, doubt: null }
  return { movement: null, doubt: first === undefined ? 'other-product' : 'choose-product' }
}

const isScientific = (cell: string) => /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(cell.replaceAll(' ', ''))

function doubtOfCard(card: string): Doubt | null {
  if (isScientific(card)) return 'scientific'
  if (!/\d/.test(card)) return 'no-digit'
  if (dateOf(card) !== null) return 'date'
  return parseCpf(card.replaceAll(/[.\-\s]/g, '')) === null ? null : 'cpf'
}

/** The doubts that lines have beside each other. */
function withDoubtsBetween(rows: readonly CardRow[], answers: Answers, cpfs: ReadonlySet<string>): CardRow[] {
  // Also those that are left out: that one of two is wrong does not make the other right.
  const lines = rows.filter(({ line }) => line !== null)
  const cards = Map.groupBy(
    lines.filter(({ card }) => card !== ''),
    ({ card }) => plainCard(card),
  )
  const targets = Map.groupBy(lines, ({ movement }) => movement?.id ?? null)
  const isConfirmed = ({ key }: CardRow, among: readonly CardRow[] = []) =>
    answers.confirmed.has(key) && among.every((one) => one.key === key || answers.leftOut.has(one.key))
  return rows.map((row) => {
    if (row.doubt !== null || row.line === null) return row
    const sameTarget = row.movement === null ? [] : (targets.get(row.movement.id) ?? [])
    if (sameTarget.length > 1 && !isConfirmed(row, sameTarget)) return { ...row, doubt: 'taken' }
    if (row.card === '') return row
    // Also one that lost its zeros at the start.
    if (cpfs.has(cpfOf(row.card) ?? '')) return { ...row, doubt: 'cpf' }
    const sameCard = cards.get(plainCard(row.card)) ?? []
    return sameCard.length > 1 && !isConfirmed(row, sameCard) ? { ...row, doubt: 'duplicate' } : row
  })
}

/** Says that a line is the right one of those with its number or its movement: the others are left out. */
export function confirmRow(answers: Answers, rows: readonly CardRow[], key: string): Answers {
  const row = rows.find((one) => one.key === key)
  if (row === undefined) return answers
  const isSame = (one: CardRow) =>
    one.line !== null &&
    ((one.card !== '' && plainCard(one.card) === plainCard(row.card)) ||
      (row.movement !== null && one.movement?.id === row.movement.id))
  const others = rows.filter((one) => one.key !== key && isSame(one)).map((one) => one.key)
  const leftOut = new Set([...answers.leftOut, ...others])
  leftOut.delete(key)
  const confirmed = new Set(answers.confirmed)
  for (const other of others) confirmed.delete(other)
  return { ...answers, leftOut, confirmed: confirmed.add(key) }
}

/** Written differently it is the same number. */
const plainCard = (card: string) => card.toUpperCase().replaceAll(/[^\dA-Z]/g, '')
