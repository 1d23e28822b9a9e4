/* A carrier's file: its lines, and what it says of itself. Pure, and the same for the same bytes. */
import type { CarrierFileKind } from '#kernel/reconciliation.ts'
import { columnName, type LayoutDefinition, type LayoutRecord } from '#registry/layouts/definition.ts'
import { type LabelledLine, parseLines } from '#registry/layouts/parse.ts'
import type { ParsedLine, RefusedLine } from '#registry/layouts/types.ts'
import { type CarrierLine, carrierLine, hasIdentity, monthOf, refusedCarrierLine, totalLine } from './carrier-line.ts'
import { findTotals, isOnlyLabel, isSubtotalLabel, isTotalLabel, type SummedRow, totalLabelOf } from './totals.ts'

/** The largest file, in bytes: 100,000 lines of 250 characters, and more. */
export const maxCarrierFileBytes = 32 * 1024 * 1024

/** What a file is read for. */
export interface CarrierFileTask {
  readonly definition: LayoutDefinition
  readonly kind: CarrierFileKind
  /** The contract's number, and the company's code at the carrier. */
  readonly contractNumbers: readonly string[]
  /** `''`: the whole contract. */
  readonly subContract: string
  /** `yyyy-mm`. */
  readonly referenceMonth: string
}

/** What a file says that it is for. */
type OtherFile = {
  readonly code: 'another-contract' | 'another-period'
  /** What it says: a number, or a month. */
  readonly found: string
}

/** A file that was read, without its lines. */
export interface ReadCarrierFile {
  /** null: it is what it is read for. */
  readonly other: OtherFile | null
  readonly lines: number
  readonly refusedLines: number
  /** Lines of other sub-contracts. */
  readonly otherLines: number
  readonly declaredTotal: number | null
  readonly computedTotal: number | null
}

/** @returns the file and its lines in their order. @throws TableError */
export async function readCarrierFile(
  task: CarrierFileTask,
  bytes: Uint8Array,
): Promise<{ readonly file: ReadCarrierFile; readonly lines: readonly CarrierLine[] }> {
  const reader = new Reader(task)
  const onLine = (parsed: ParsedLine | RefusedLine, record: LayoutRecord | null, labelled: LabelledLine | null) =>
    reader.take(parsed, record, labelled)
  const options = { maxBytes: maxCarrierFileBytes, keepsTaxIds: true, labelOf: totalLabelOf }
  await parseLines(task.definition, bytes, onLine, options)
  return reader.finish()
}

/** Numbers as they are compared: carriers write them with zeros before them. */
const numberKey = (number: string): string =>
  number
    .replaceAll(/[^\dA-Za-z]/g, '')
    .toUpperCase()
    .replace(/^0+(?=.)/, '')

const monthTargets = {
  roster: 'roster.reference-month',
  invoice: 'invoice.reference-month',
  coparticipation: 'coparticipation.reference-month',
} as const satisfies Record<CarrierFileKind, string>

const ofPerson = /^(?:person|benefit)\.|^(?:invoice|coparticipation)\.amount$/

/** Whether the lines of a record are those of persons or entries, and not of the file itself. */
const isOfPerson = ({ columns }: LayoutRecord): boolean => columns.some(({ target = '' }) => ofPerson.test(target))

class Reader {
  readonly #task: CarrierFileTask
  readonly #contracts: ReadonlySet<string>
  readonly #lines: CarrierLine[] = []
  /** What the rows charge, in their order, with those that may be totals, and the places of these in `#lines`. */
  readonly #rows: SummedRow[] = []
  readonly #placeOfRow = new Map<number, number>()
  /** The places in `#lines`, or the parts that complete them, by record, sub-contract and certificate. */
  readonly #places = new Map<string, number>()
  readonly #parts: { readonly of: string; readonly part: CarrierLine }[] = []
  readonly #completed: ReadonlySet<string>
  /** For co-participation: the place of each person and month. */
  readonly #sums = new Map<string, number>()
  readonly #totals: { readonly subContract: string | null; readonly cents: number }[] = []
  /** The other contract that a header names. */
  #headerContract: string | null = null
  readonly #otherContracts = new Set<string>()
  readonly #otherMonths = new Set<string>()
  #isThisMonth = false
  #otherLines = 0
  #refused = 0
  #last = 0

  constructor(task: CarrierFileTask) {
    this.#task = task
    this.#contracts = new Set(task.contractNumbers.map(numberKey))
    this.#completed = new Set(task.definition.records.flatMap(({ completes = [] }) => completes))
  }

  take(parsed: ParsedLine | RefusedLine, record: LayoutRecord | null, labelled: LabelledLine | null): void {
    if (labelled !== null && (record === null || isOfPerson(record)) && this.#takeLabelled(parsed, record, labelled))
      return
    if ('cells' in parsed) {
      this.#refused += 1
      this.#add(refusedCarrierLine(parsed, record))
      return
    }
    if (record !== null) this.#takeRead(parsed, record)
  }

  /** A row with words of totals. @returns false: it names a person, and its words may be a name. */
  #takeLabelled(
    parsed: ParsedLine | RefusedLine,
    record: LayoutRecord | null,
    { label, values }: LabelledLine,
  ): boolean {
    // A roster has no amounts by which a name beside the words could be distinguished from a text.
    const byName = this.#task.kind !== 'roster' || !isOnlyLabel(label)
    const isOfSomebody = hasIdentity(values, isTotalLabel, { byName })
    const isRead = !('cells' in parsed)
    // What cannot be read may be a sum or not.
    if (isOfSomebody && (!isRead || !isOnlyLabel(label))) return false
    if (record !== null && !this.#isOurs(values, values['contract.sub-contract'] ?? null)) return true
    const amount = amountOf(values, this.#task.kind)
    const line = isRead ? carrierLine(parsed, this.#task.kind) : refusedCarrierLine(parsed, record)
    this.#addCandidate(line, amount, { label: isSubtotalLabel(label) ? 'part' : 'whole', hasIdentity: isOfSomebody })
    return true
  }

  #addCandidate(line: CarrierLine, amount: number | null, candidate: NonNullable<SummedRow['candidate']>): void {
    this.#add(line)
    this.#placeOfRow.set(this.#rows.length, this.#lines.length - 1)
    this.#rows.push({ amount, candidate })
  }

  #takeRead(parsed: ParsedLine, record: LayoutRecord): void {
    const { values } = parsed
    const subContract = values['contract.sub-contract'] ?? null
    if (!isOfPerson(record)) return this.#takeOfFile(parsed, subContract)
    if (!this.#isOurs(values, subContract)) return
    const columnOf = (target: string) => {
      const index = record.columns.findIndex((column) => column.target === target)
      const column = record.columns[index]
      return column === undefined ? target : columnName(column, index)
    }
    const line = carrierLine(parsed, this.#task.kind, columnOf)
    if (line.amount !== null && record.completes === undefined && isAmountAlone(values)) {
      this.#addCandidate(line, line.amount, { label: null, hasIdentity: false })
      return
    }
    if (record.completes === undefined) this.#rows.push({ amount: line.amount, candidate: null })
    const key = (name: string) => JSON.stringify([name, numberKey(subContract ?? ''), line.certificate])
    if (record.completes !== undefined) this.#parts.push({ of: key(record.completes), part: line })
    else if (this.#task.kind === 'coparticipation') this.#sum(line)
    else if (this.#add(line) && this.#completed.has(record.name))
      this.#places.set(key(record.name), this.#lines.length - 1)
  }

  /** A header or a trailer. */
  #takeOfFile({ values }: ParsedLine, subContract: string | null): void {
    const number = values['contract.contract-number']
    if (!this.#noteContract(number)) this.#headerContract ??= number ?? null
    this.#noteMonth(values[monthTargets[this.#task.kind]])
    const total = values['invoice.total']
    if (total !== undefined) this.#totals.push({ subContract, cents: Number(total) })
  }

  /** Whether a line is of the contract; one of another is counted. */
  #isOurs(values: ParsedLine['values'], subContract: string | null): boolean {
    this.#noteMonth(values[monthTargets[this.#task.kind]])
    const isOfContract = this.#noteContract(values['contract.contract-number'])
    const own = this.#task.subContract
    const isOfSub = own === '' || subContract === null || numberKey(subContract) === numberKey(own)
    if (isOfContract && !isOfSub) this.#otherContracts.add(subContract)
    if (isOfContract && isOfSub) return true
    this.#otherLines += 1
    return false
  }

  #noteContract(number: string | undefined): boolean {
    if (number === undefined || this.#contracts.has(numberKey(number))) return true
    this.#otherContracts.add(number)
    return false
  }

  #noteMonth(date: string | undefined): void {
    const month = monthOf(date)
    if (month === this.#task.referenceMonth) this.#isThisMonth = true
    else if (month !== null) this.#otherMonths.add(month)
  }

  /** Each sheet counts its rows from 1; a line has a number of its own. */
  #add(line: CarrierLine): true {
    this.#last = Math.max(this.#last + 1, line.lineNumber)
    this.#lines.push(line.lineNumber === this.#last ? line : { ...line, lineNumber: this.#last })
    return true
  }

  /** A person has one line of co-participation in a month: what was used is health data. */
  #sum(line: CarrierLine): void {
    const { lineNumber: _, amount, ...person } = line
    const key = JSON.stringify(person)
    const place = this.#sums.get(key)
    const former = place === undefined ? undefined : this.#lines[place]
    if (place === undefined || former === undefined) {
      this.#add(line)
      this.#sums.set(key, this.#lines.length - 1)
    } else this.#lines[place] = { ...former, amount: (former.amount ?? 0) + (amount ?? 0) }
  }

  finish(): { readonly file: ReadCarrierFile; readonly lines: readonly CarrierLine[] } {
    for (const { of, part } of this.#parts) {
      const place = this.#places.get(of)
      const line = place === undefined ? undefined : this.#lines[place]
      if (place !== undefined && line !== undefined) this.#lines[place] = completed(line, part)
    }
    const total = this.#markTotals()
    const amounts = this.#lines.flatMap(({ amount }) => amount ?? [])
    const file = {
      other: this.#other(),
      lines: this.#lines.length,
      refusedLines: this.#refused,
      otherLines: this.#otherLines,
      declaredTotal: this.#declared() ?? total,
      computedTotal: this.#task.kind === 'roster' ? null : amounts.reduce((sum, amount) => sum + amount, 0),
    }
    return { file, lines: this.#lines }
  }

  /** Makes totals of the rows that are. @returns what the last one of all rows says; null: there is none. */
  #markTotals(): number | null {
    let whole: number | null = null
    for (const [row, total] of findTotals(this.#rows)) {
      const place = this.#placeOfRow.get(row)
      const line = place === undefined ? undefined : this.#lines[place]
      if (place === undefined || line === undefined) continue
      this.#lines[place] = totalLine(line, this.#task.kind === 'roster' ? { ...total, stated: null } : total)
      if (total.isWhole) whole = total.stated ?? whole
    }
    return this.#task.kind === 'roster' ? null : whole
  }

  #other(): OtherFile | null {
    // Lines of other contracts may stand beside those of this one.
    const [ofLines] = this.#lines.length === this.#refused ? this.#otherContracts : []
    const contract = this.#headerContract ?? ofLines
    if (contract !== undefined) return { code: 'another-contract', found: contract }
    const [month] = this.#otherMonths
    // In co-participation the months of use are earlier ones.
    const mayDiffer = this.#task.kind === 'coparticipation' && this.#isThisMonth
    return month === undefined || mayDiffer ? null : { code: 'another-period', found: month }
  }

  /** The total of the contract: its own, else that of its sub-contracts. */
  #declared(): number | null {
    const own = numberKey(this.#task.subContract)
    const some =
      own === ''
        ? this.#totals.filter(({ subContract }) => subContract === null)
        : this.#totals.filter(({ subContract }) => subContract !== null && numberKey(subContract) === own)
    const counted = some.length > 0 || own !== '' ? some : this.#totals
    return counted.length === 0 ? null : counted.reduce((sum, { cents }) => sum + cents, 0)
  }
}

/** What a line charges, in cents; null: nothing that can be read. */
function amountOf(values: ParsedLine['values'], kind: CarrierFileKind): number | null {
  const text = values[kind === 'coparticipation' ? 'coparticipation.amount' : 'invoice.amount']
  return text === undefined ? null : Number(text)
}

/** Whether a line has an amount and nothing that says what it is for. */
const isAmountAlone = (values: ParsedLine['values']): boolean =>
  !hasIdentity(values, () => false) &&
  values['invoice.entry-type'] === undefined &&
  values['invoice.entry-code'] === undefined

/** The line with what it lacks of its part. */
function completed(line: CarrierLine, part: CarrierLine): CarrierLine {
  const own = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null)) as Partial<CarrierLine>
  const details = { ...part.details, ...line.details }
  return { ...part, ...own, problems: null, details: Object.keys(details).length === 0 ? null : details }
}
