import { parseCpf } from '../../../../src/kernel/tax-id.ts'
import type { DecidedMovement } from '../../entities/decisions/decision.ts'
import { parseDate } from '../../format/parse-date.ts'
import { folded, type PastedLine } from '../../tables/pasted-lines.ts'

/** The people and products that cells may name. */
export interface Known {
  readonly cpfs: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly products: ReadonlySet<string>
}

export type ColumnsError = 'no-card-column' | 'several-card-columns' | 'several-cpf-columns'

/** The place of each column; null: there is none. */
export interface Columns {
  readonly cpf: number | null
  readonly name: number | null
  readonly product: number | null
  readonly start: number | null
  readonly card: number | null
  /** Headings or first cells of columns that are not used. */
  readonly ignored: readonly string[]
  readonly error: ColumnsError | null
}

interface Column {
  readonly at: number
  readonly heading: string
  readonly cells: readonly string[]
  /** The cells that are not empty. */
  readonly values: readonly string[]
}

export function knownOf(movements: readonly DecidedMovement[]): Known {
  return {
    cpfs: new Set(movements.map((one) => one['member-tax-id'])),
    names: new Set(movements.map((one) => folded(one['member-name']))),
    products: new Set(movements.map((one) => folded(one['product-name']))),
  }
}

/** A CPF of which a spreadsheet may have dropped the zeros at the start; null for what cannot be one. */
export function cpfOf(cell: string): string | null {
  const digits = cell.replaceAll(/[.\-\s]/g, '')
  return /^\d{1,11}$/.test(digits) ? digits.padStart(11, '0') : null
}

/** A day in a cell; digits alone may be a card number. */
export function dateOf(cell: string): string | null {
  return /[/.-]/.test(cell) ? parseDate(cell) : null
}

const isDate = (cell: string) => dateOf(cell) !== null
const isCpf = (cell: string) => parseCpf(cpfOf(cell)) !== null
const ofStart = (heading: string) =>
  /inicio|vigencia|start/.test(heading) && !/\b(fim|final|termino|end)\b/.test(heading)
const ofHolder = /titular|holder|responsavel/

/** Finds what each column is, by its heading and by its cells. A single column has card numbers. */
export function columnsOf(headings: readonly PastedLine[], lines: readonly PastedLine[], known: Known): Columns {
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length))
  const columns = Array.from({ length: width }, (_, at): Column => {
    const cells = lines.map((one) => one.cells[at] ?? '')
    const heading = headings.map((one) => folded(one.cells[at] ?? '')).join(' ')
    return { at, heading, cells, values: cells.filter((cell) => cell !== '') }
  })
  if (width <= 1) {
    return { cpf: null, name: null, product: null, start: null, card: 0, ignored: [], error: null }
  }
  const free = new Set(columns)
  const take = (column: Column | undefined) => {
    if (column !== undefined) free.delete(column)
    return column?.at ?? null
  }
  const { best, isAmbiguous } = cpfColumn(columns, known)
  const cpf = take(best)
  const name = take(
    mostOf(free, ({ heading, values }) => {
      if (ofHolder.test(heading)) return 0
      const isHeaded = /\b(nome|name|beneficiari[oa]|segurad[oa])\b/.test(heading)
      return values.filter((cell) => known.names.has(folded(cell))).length + (isHeaded ? 0.5 : 0)
    }),
  )
  const product = take(mostOf(free, ({ values }) => values.filter((cell) => known.products.has(folded(cell))).length))
  const starts = [...free].filter(({ heading, values }) => ofStart(heading) && values.some(isDate))
  const start = take(starts.length === 1 ? starts[0] : undefined)
  const possible = [...free].filter(({ values }) => !isMost(values, isDate))
  const headed = possible.filter(({ heading }) => /\b(carteir|cartao|card)/.test(heading))
  // CPFs are those of the primaries then.
  const filled = possible.filter(({ values }) => isMost(values, (cell) => /\d/.test(cell)) && !isMost(values, isCpf))
  const cards = headed.length > 0 ? headed : filled
  const card = take(cards.length === 1 ? cards[0] : undefined)
  return {
    cpf,
    name,
    product,
    start,
    card,
    ignored: [...free].filter(({ values }) => values.length > 0).map((column) => labelOf(column, headings)),
    error: isAmbiguous
      ? 'several-cpf-columns'
      : cards.length === 1
        ? null
        : cards.length === 0
          ? 'no-card-column'
          : 'several-card-columns',
  }
}

const labelOf = ({ at, values }: Column, headings: readonly PastedLine[]) =>
  headings.map((one) => one.cells[at] ?? '').find((text) => text !== '') ?? values[0] ?? ''

function isMost(values: readonly string[], test: (cell: string) => boolean): boolean {
  return values.length > 0 && values.filter(test).length * 2 > values.length
}

function mostOf(columns: Iterable<Column>, score: (column: Column) => number): Column | undefined {
  const scored = [...columns].map((column) => ({ column, score: score(column) }))
  return scored.filter((one) => one.score > 0).toSorted((a, b) => b.score - a.score)[0]?.column
}

/** The column whose cells name most of the people; the CPFs of their primaries, which may stand beside them, name fewer. */
function cpfColumn(columns: readonly Column[], known: Known) {
  const scoreOf = ({ heading, values }: Column) => {
    const cpfs = values.map(cpfOf)
    const people = new Set(cpfs.filter((cpf) => cpf !== null && known.cpfs.has(cpf)))
    const isHeaded = /\bcpf\b/.test(heading) && !ofHolder.test(heading)
    const isValid = isMost(values, isCpf)
    return (isHeaded ? 1e9 : 0) + people.size * 1e3 + (isValid ? 1 : 0)
  }
  const candidates = columns.map((column) => ({ column, score: scoreOf(column) })).filter(({ score }) => score > 0)
  const highest = Math.max(0, ...candidates.map(({ score }) => score))
  const [first, ...others] = candidates.filter(({ score }) => score === highest).map(({ column }) => column)
  return {
    best: first,
    isAmbiguous: others.some((other) =>
      other.cells.some((cell, line) => cpfOf(cell) !== cpfOf(first?.cells[line] ?? '')),
    ),
  }
}
