import {
  ACKNOWLEDGEMENT_COLUMNS,
  type AcknowledgementColumn,
  type AcknowledgementMapping,
  type AcknowledgementOutcome,
  KEY_COLUMNS,
} from '../domain/acknowledgement.ts'
import type { CsvColumn } from '../domain/csv-column.ts'
import { parseDate } from '../domain/import-columns.ts'
import type { Words } from '../domain/import-words.ts'
import { productNameKey } from '../domain/product-name.ts'
import { restoreCpf } from '../domain/tax-id.ts'
import type { LineColumns } from '../movements/decide/sent-lines.ts'

/** Headings that carriers use, beside the names, without case and accents. */
const headings: Words<AcknowledgementColumn> = {
  'enrollment-id': ['id da movimentação'],
  position: ['posição', 'item', 'sequência'],
  'tax-id': ['cpf', 'cpf do beneficiário'],
  'product-name': ['produto', 'plano'],
  'carrier-plan-code': ['código do plano'],
  outcome: ['situação', 'status', 'resultado'],
  'card-number': ['carteirinha', 'número da carteirinha', 'carteira', 'número do cartão', 'matrícula'],
  'start-date': ['início', 'data de início', 'início de vigência', 'início da vigência'],
  'end-date': ['fim', 'data de fim', 'fim de vigência', 'fim da vigência', 'data de cancelamento'],
  code: ['código', 'código da crítica', 'código do erro'],
  message: ['mensagem', 'crítica', 'descrição da crítica', 'motivo'],
  protocol: ['protocolo', 'número do protocolo'],
}

const outcomes: Words<AcknowledgementOutcome> = {
  accepted: ['aceito', 'aceita', 'ok', 'processado', 'processada', 'efetivado', 'efetivada'],
  refused: ['recusado', 'recusada', 'rejeitado', 'rejeitada', 'erro'],
}

/** The values of a set by its words, without case and accents. */
function byWord<Value extends string>(words: Words<Value>): Map<string, Value> {
  const entries = Object.entries(words) as [Value, readonly string[]][]
  return new Map(
    entries.flatMap(([value, own]) => [value, ...own].map((word) => [productNameKey(word), value] as const)),
  )
}

const byHeading = byWord(headings)
const byOutcome = byWord(outcomes)
const maxWord = 200
/** For messages. */
const knownHeadings = ACKNOWLEDGEMENT_COLUMNS.map((name) => `${name} (${headings[name][0]})`)

/** How the cells of a column are read. @param mapped the outcomes of the carrier's words. */
function csvColumn(name: AcknowledgementColumn, mapped: ReadonlyMap<string, AcknowledgementOutcome>): CsvColumn {
  switch (name) {
    case 'tax-id':
      return { name, parse: (cell) => cell.trim(), restoreZeros: (cell) => restoreCpf(cell.trim()) }
    case 'start-date':
    case 'end-date':
      return { name, parse: (cell) => parseDate(cell.trim()), isDate: true }
    case 'position':
      return { name, parse: (cell) => (/^\d{1,9}$/.test(cell.trim()) ? Number(cell) : cell) }
    case 'outcome':
      return { name, parse: (cell) => outcomeOf(cell, mapped) ?? cell }
    case 'enrollment-id':
    case 'product-name':
    case 'carrier-plan-code':
    case 'card-number':
    case 'code':
    case 'message':
    case 'protocol':
      return { name, parse: (cell) => cell.trim() }
    default:
      return name satisfies never
  }
}

function outcomeOf(
  cell: string,
  mapped: ReadonlyMap<string, AcknowledgementOutcome>,
): AcknowledgementOutcome | undefined {
  if (cell.length > maxWord) return undefined
  const word = productNameKey(cell)
  return mapped.get(word) ?? byOutcome.get(word)
}

const folded = <Value>(record: Readonly<Record<string, Value>>): Map<string, Value> =>
  new Map(Object.entries(record).map(([name, value]) => [productNameKey(name), value]))

/**
 * The columns of a spreadsheet that a carrier sends. Without a mapping every heading is one of those that are known, so that a card number is not
 * left out because of its heading; a mapping names the columns that count.
 */
export function acknowledgementColumns(mapping: AcknowledgementMapping | null): LineColumns {
  const columns = mapping === null ? byHeading : folded(mapping.columns)
  const mapped = folded(mapping?.outcomes ?? {})
  return {
    columnOf: (heading) => {
      const name = heading.length > maxWord ? undefined : columns.get(productNameKey(heading))
      return name === undefined ? null : csvColumn(name, mapped)
    },
    required: ['outcome'],
    oneOf: KEY_COLUMNS,
    limits: { maxColumns: 256, maxCharacters: 16_384 },
    ignoresOthers: mapping !== null,
    message: { key: 'expected-columns', columns: mapping === null ? knownHeadings : Object.keys(mapping.columns) },
  }
}
