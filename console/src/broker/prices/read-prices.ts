import {
  PRICE_CATEGORIES,
  PRICE_TABLE_KINDS,
  type PriceCategory,
  type PriceTableKind,
} from '../../../../src/money/rules/price-table.ts'
import { parseMoney } from '../../format/parse-money.ts'
import { folded, pastedLines } from '../../tables/pasted-lines.ts'

/** A line of a pasted table that has a price. */
interface PriceLine {
  /** From 1. */
  readonly line: number
  /** As it was pasted. */
  readonly text: string
  /** null: none of the kind. */
  readonly category: PriceCategory | null
  /** null: not an amount. */
  readonly amount: number | null
}

/** What a pasted table says. */
export interface ReadPrices {
  readonly kind: PriceTableKind
  /** The columns that have amounts: of several plans there are several. */
  readonly columns: readonly { readonly at: number; readonly heading: string }[]
  readonly lines: readonly PriceLine[]
}

/** Tables are short: more lines are no table of prices. */
const maxLines = 100

interface Line {
  readonly line: number
  readonly text: string
  /** What each kind calls it. */
  readonly categories: readonly PriceCategory[]
  /** The cells after the category. */
  readonly values: readonly string[]
  /** The place of the first of them. */
  readonly from: number
}

/**
 * The prices in a table that was copied from a spreadsheet or a document: a band or a role, and an amount, in each line. Lines without a number
 * are headings.
 * @param column the place of the amounts; undefined: the first that has some.
 */
export function readPrices(text: string, column?: number): ReadPrices {
  const lines = pastedLines(text)
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .slice(0, maxLines)
    .map(({ line, cells }) => lineOf(line, splitCells(cells)))
  const kind =
    PRICE_TABLE_KINDS.map((one) => ({ one, known: lines.filter((line) => categoryOf(line, one) !== null).length }))
      .toSorted((a, b) => b.known - a.known)
      .map(({ one }) => one)[0] ?? 'age-band-10'
  const known = lines.filter((line) => categoryOf(line, kind) !== null)
  const heading = lines.find(({ categories }) => categories.length === 0)
  const places = [...new Set(known.flatMap(({ values, from }) => values.map((_, index) => from + index)))]
  const columns = places
    .filter((at) => known.some((line) => amountAt(line, at) !== null))
    .toSorted((a, b) => a - b)
    .map((at) => ({ at, heading: heading?.values[at - heading.from] ?? '' }))
  const at = columns.find((one) => one.at === column)?.at ?? columns[0]?.at ?? 1
  return {
    kind,
    columns,
    lines: lines.flatMap((line) => {
      const category = categoryOf(line, kind)
      if (category === null && !(line === heading ? amountAt(line, at) !== null : /\d/.test(line.text))) return []
      return [{ line: line.line, text: line.text, category, amount: amountAt(line, at) }]
    }),
  }
}

const amountAt = ({ values, from }: Line, at: number) => parseMoney(values[at - from] ?? '')

const categoryOf = ({ categories }: Line, kind: PriceTableKind) =>
  categories.find((one) => (PRICE_CATEGORIES[kind] as readonly PriceCategory[]).includes(one)) ?? null

/** A line of a document has one cell: the amount ends it. */
function splitCells(cells: readonly string[]): readonly string[] {
  if (cells.length > 1) return cells
  const words = (cells[0] ?? '').replaceAll(/R\$\s+/g, 'R$').split(/[\s:]+/)
  const amount = words.pop() ?? ''
  const isAmount = /^(?:R\$)?[\d.]+,\d{2}$/.test(amount) || /^R\$[\d.,]+$/.test(amount)
  return isAmount && words.length > 0 ? [words.join(' '), amount] : cells
}

function lineOf(line: number, cells: readonly string[]): Line {
  const text = cells.filter((cell) => cell !== '').join(' · ')
  const at = cells.findIndex((cell) => categoriesOf(cell).length > 0)
  if (at >= 0) {
    return { line, text, categories: categoriesOf(cells[at] ?? ''), values: cells.slice(at + 1), from: at + 1 }
  }
  // Both ends of a band in cells of their own.
  const [from = '', until = ''] = cells
  const categories = cells.length < 3 ? [] : bandOf(Number(from || 'none'), until === '' ? null : Number(until))
  return categories.length > 0
    ? { line, text, categories, values: cells.slice(2), from: 2 }
    : { line, text, categories, values: cells, from: 0 }
}

const roles: readonly (readonly [RegExp, PriceCategory])[] = [
  [/^(titular(es)?|funcionarios?)$/, 'primary'],
  [/^(dependentes?|agregados?)$/, 'dependent'],
  [/^(por )?(pessoa|vida|beneficiario)$|^per capita$/, 'person'],
]

/** `00 a 18 anos`, `19-23`, `até 18`, `59 ou mais`, `acima de 58`, `Titular`: the categories that it may be, of different kinds. */
function categoriesOf(cell: string): readonly PriceCategory[] {
  const text = folded(cell)
    .replaceAll(/\b(anos?|faixa|etaria|idade|de idade)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const role = roles.find(([pattern]) => pattern.test(text))
  if (role !== undefined) return [role[1]]
  const range = /^(?:de )?(\d{1,3}) ?(?:-|–|—|a|ate|e) ?(\d{1,3})$/.exec(text)
  if (range !== null) return bandOf(Number(range[1]), Number(range[2]))
  const first = /^(?:ate|<=) ?(\d{1,2})$/.exec(text)
  if (first !== null) return bandOf(0, Number(first[1]))
  const above = /^(?:acima de|mais de|maior(?:es)? (?:de|que)|>) ?(\d{1,2})$/.exec(text)
  if (above !== null) {
    const age = Number(above[1])
    // "Above 59" is said of the band of 59 too.
    const next = bandOf(age + 1, null)
    return next.length > 0 ? next : bandOf(age, null)
  }
  const last = /^(?:a partir de |>= ?)?(\d{1,2}) ?(?:\+|ou mais|ou \+|e mais|em diante|ou acima)?$/.exec(text)
  return last === null || text === last[1] ? [] : bandOf(Number(last[1]), null)
}

/** The last age that tables write where they mean every one above. */
const everyAge = 90

/** @param until null: and above. */
function bandOf(from: number, until: number | null): readonly PriceCategory[] {
  const name = until === null || until >= everyAge ? `${from}+` : `${from}-${until}`
  const bands: readonly PriceCategory[] = [...PRICE_CATEGORIES['age-band-10'], ...PRICE_CATEGORIES['age-band-7']]
  return bands.filter((band) => band === name)
}
