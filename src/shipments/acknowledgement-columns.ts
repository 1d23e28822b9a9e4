import {
  ACKNOWLEDGEMENT_COLUMNS,
  type AcknowledgementColumn,
  type AcknowledgementMapping,
  type AcknowledgementOutcome,
  KEY_COLUMNS,
} from '../domain/acknowledgement.ts'
import { readCardNumber, withoutPunctuation } from '../domain/cell-values.ts'
import type { CsvColumn } from '../domain/csv-column.ts'
import { parseDate } from '../domain/import-columns.ts'
import type { Words } from '../domain/import-words.ts'
import { foldHeading, headingKey } from '../domain/heading.ts'
import { nearest } from '../domain/nearest.ts'
import { restoreCpf } from '../domain/tax-id.ts'
import type { LineColumns } from '../movements/decide/sent-lines.ts'

/** Headings that carriers use, beside the names, as `keyOf` compares them. */
const headings: Words<AcknowledgementColumn> = {
  'enrollment-id': ['id da movimentação', 'identificador da movimentação'],
  position: ['posição', 'item', 'sequência', 'sequencial', 'linha'],
  'tax-id': ['cpf', 'cpf do beneficiário', 'cpf do usuário', 'cpf do segurado', 'cpf da vida', 'documento'],
  'product-name': ['produto', 'plano', 'nome do plano', 'nome do produto', 'descrição do plano'],
  'carrier-plan-code': ['código do plano', 'cód. do plano', 'código do produto'],
  outcome: ['situação', 'status', 'resultado', 'situação da movimentação', 'situação do beneficiário', 'retorno'],
  'card-number': [
    'carteirinha',
    'carteira',
    'cartão',
    'matrícula',
    'carteira do beneficiário',
    'carteirinha do beneficiário',
    'cartão do beneficiário',
    'carteira de identificação',
    'código do beneficiário',
    'matrícula do beneficiário',
    'marca ótica',
  ],
  'start-date': [
    'início',
    'data de início',
    'início de vigência',
    'data de início de vigência',
    'data de vigência',
    'vigência',
    'data de inclusão',
    'data de adesão',
    'início de cobertura',
  ],
  'end-date': [
    'fim',
    'data de fim',
    'fim de vigência',
    'data de fim de vigência',
    'término',
    'data de término',
    'data de cancelamento',
    'data de exclusão',
  ],
  code: ['código', 'código da crítica', 'código do erro', 'código de retorno', 'cód. crítica', 'cód. erro'],
  message: [
    'mensagem',
    'crítica',
    'descrição da crítica',
    'motivo',
    'motivo da recusa',
    'descrição do erro',
    'observação',
    'mensagem de retorno',
    'descrição',
  ],
  protocol: ['protocolo'],
}

const outcomes: Words<AcknowledgementOutcome> = {
  accepted: [
    ...pair('aceito'),
    'aceite',
    'ok',
    'sucesso',
    ...pair('processado'),
    ...pair('efetivado'),
    ...pair('implantado'),
    ...pair('incluído'),
    ...pair('incluso'),
    ...pair('excluído'),
    ...pair('alterado'),
    ...pair('cadastrado'),
    ...pair('aprovado'),
    ...pair('deferido'),
    ...pair('concluído'),
    ...pair('confirmado'),
    ...pair('ativo'),
  ],
  refused: [
    ...pair('recusado'),
    ...pair('rejeitado'),
    ...pair('negado'),
    ...pair('indeferido'),
    ...pair('reprovado'),
    ...pair('devolvido'),
    ...pair('criticado'),
    ...pair('inválido'),
    'não aceito',
    'não processado',
    'não implantado',
    'não incluído',
    'com crítica',
    'erro',
    'falha',
  ],
  'in-analysis': [
    'em análise',
    'análise',
    'em processamento',
    'processando',
    'em andamento',
    'aguardando',
    'aguardando análise',
    'aguardando processamento',
    ...pair('recebido'),
  ],
}

function pair(masculine: string): readonly string[] {
  return [masculine, masculine.replace(/o$/, 'a')]
}

/** Words between those that name a column: `Nº da Carteirinha` is `Carteirinha`. */
const fillers = new Set(['a', 'da', 'das', 'de', 'do', 'dos', 'e', 'n', 'no', 'nr', 'nro', 'num', 'numero', 'o'])
const abbreviations: Readonly<Record<string, string>> = {
  benef: 'beneficiario',
  cod: 'codigo',
  dt: 'data',
  ini: 'inicio',
  msg: 'mensagem',
  sit: 'situacao',
  vig: 'vigencia',
}

/** A heading without case, accents, punctuation and fillers. */
function keyOf(heading: string): string {
  const words = foldHeading(heading).split(' ')
  const kept = words.filter((word) => !fillers.has(word)).map((word) => abbreviations[word] ?? word)
  return (kept.length > 0 ? kept : words).join(' ')
}

/** The values of a set by its words. */
function byWord<Value extends string>(words: Words<Value>, key: (word: string) => string): Map<string, Value> {
  const entries = Object.entries(words) as [Value, readonly string[]][]
  return new Map(entries.flatMap(([value, own]) => [value, ...own].map((word) => [key(word), value] as const)))
}

const byHeading = byWord(headings, keyOf)
const byOutcome = byWord(outcomes, foldHeading)
const maxWord = 200
/** For messages. */
const knownHeadings = ACKNOWLEDGEMENT_COLUMNS.map((name) => `${name} (${headings[name][0]})`)

/** How the cells of a column are read. @param mapped the outcomes of the carrier's words. */
function csvColumn(name: AcknowledgementColumn, mapped: ReadonlyMap<string, AcknowledgementOutcome>): CsvColumn {
  switch (name) {
    case 'tax-id':
      return { name, parse: withoutPunctuation, restoreZeros: (cell) => restoreCpf(withoutPunctuation(cell)) }
    case 'start-date':
    case 'end-date':
      return { name, parse: (cell, forms) => parseDate(cell.trim(), forms), isDate: true }
    case 'position':
      return { name, parse: (cell) => (/^\d{1,9}$/.test(cell.trim()) ? Number(cell) : cell) }
    case 'outcome':
      return { name, parse: (cell) => outcomeOf(cell, mapped) ?? cell }
    case 'card-number':
      return { name, parse: (cell) => readCardNumber(cell.trim()) }
    case 'enrollment-id':
    case 'product-name':
    case 'carrier-plan-code':
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
  const word = foldHeading(cell)
  return mapped.get(word) ?? byOutcome.get(word)
}

const folded = <Value>(record: Readonly<Record<string, Value>>, key: (word: string) => string): Map<string, Value> =>
  new Map(Object.entries(record).map(([name, value]) => [key(name), value]))

/** The columns of a spreadsheet that a carrier sends: those of the mapping, and beside them headings that are known. Others are left aside. */
export function acknowledgementColumns(mapping: AcknowledgementMapping | null): LineColumns {
  const columns = folded(mapping?.columns ?? {}, headingKey)
  const mapped = folded(mapping?.outcomes ?? {}, foldHeading)
  const taken = new Set(columns.values())
  return {
    columnOf: (heading) => {
      if (heading.length > maxWord) return null
      const known = byHeading.get(keyOf(heading))
      const name = columns.get(headingKey(heading)) ?? (known === undefined || taken.has(known) ? undefined : known)
      return name === undefined ? null : csvColumn(name, mapped)
    },
    required: ['outcome'],
    oneOf: [KEY_COLUMNS],
    limits: { maxColumns: 256, maxCharacters: 16_384 },
    propose: (heading) => byHeading.get(nearest(keyOf(heading), [...byHeading.keys()]) ?? '') ?? null,
    message: (found) => ({
      key: 'expected-columns',
      columns: [...Object.keys(mapping?.columns ?? {}), ...knownHeadings],
      found,
    }),
  }
}
