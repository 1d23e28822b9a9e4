/* A carrier's file: its lines, and what it says of itself. Pure, and the same for the same bytes. */
import type { CarrierFileKind } from '../domain/reconciliation.ts'
import type { LayoutDefinition, LayoutRecord } from '../layouts/definition.ts'
import { parseLines } from '../layouts/parse.ts'
import type { ParsedLine, RefusedLine } from '../layouts/types.ts'
import { type CarrierLine, carrierLine, monthOf, refusedCarrierLine } from './carrier-line.ts'

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
  const onLine = (parsed: ParsedLine | RefusedLine, record: LayoutRecord | null) => reader.take(parsed, record)
  await parseLines(task.definition, bytes, onLine, { maxBytes: maxCarrierFileBytes, keepsTaxIds: true })
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
  /** The places in `#lines`, or the parts that complete them, by record, sub-contract and certificate. */
  readonly #places = new Map<string, number>()
  readonly #parts: { readonly of: string; readonly part: CarrierLine }[] = []
  readonly #completed: ReadonlySet<string>
  /** Of co-participation: the place of each person and month. */
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

  take(parsed: ParsedLine | RefusedLine, record: LayoutRecord | null): void {
    if ('cells' in parsed) {
      this.#refused += 1
      this.#add(refusedCarrierLine(parsed, record))
      return
    }
    if (record !== null) this.#takeRead(parsed, record)
  }

  #takeRead(parsed: ParsedLine, record: LayoutRecord): void {
    const { values } = parsed
    const subContract = values['contract.sub-contract'] ?? null
    if (!isOfPerson(record)) return this.#takeOfFile(parsed, subContract)
    if (!this.#isOurs(values, subContract)) return
    const line = carrierLine(parsed, this.#task.kind)
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

  /** Sheets count their rows anew; a line has a number of its own. */
  #add(line: CarrierLine): true {
    this.#last = Math.max(this.#last + 1, line.lineNumber)
    this.#lines.push(line.lineNumber === this.#last ? line : { ...line, lineNumber: this.#last })
    return true
  }

  /** Of co-participation a person has one line of a month: what was used is health data. */
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
    const amounts = this.#lines.flatMap(({ amount }) => amount ?? [])
    const file = {
      other: this.#other(),
      lines: this.#lines.length,
      refusedLines: this.#refused,
      otherLines: this.#otherLines,
      declaredTotal: this.#declared(),
      computedTotal: this.#task.kind === 'roster' ? null : amounts.reduce((sum, amount) => sum + amount, 0),
    }
    return { file, lines: this.#lines }
  }

  #other(): OtherFile | null {
    // Lines of other contracts may stand beside those of this one.
    const [ofLines] = this.#lines.length === this.#refused ? this.#otherContracts : []
    const contract = this.#headerContract ?? ofLines
    if (contract !== undefined) return { code: 'another-contract', found: contract }
    const [month] = this.#otherMonths
    // Of co-participation the months of use are earlier ones.
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

/** The line with what it lacks of its part. */
function completed(line: CarrierLine, part: CarrierLine): CarrierLine {
  const own = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null)) as Partial<CarrierLine>
  const details = { ...part.details, ...line.details }
  return { ...part, ...own, problems: null, details: Object.keys(details).length === 0 ? null : details }
}
