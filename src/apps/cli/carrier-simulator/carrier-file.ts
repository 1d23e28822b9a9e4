import { addDays, type LocalDate } from '#kernel/calendar.ts'
import { completeCpf } from '#kernel/tax-id.ts'
import { type Random, randomOf } from './random.ts'

/** An active benefit, as a carrier's file has it. */
export interface CoveredBenefit {
  readonly benefitId: string
  readonly cardNumber: string
  readonly taxId: string
  readonly name: string
  readonly dateOfBirth: LocalDate
  /** `primary`, or the type of the dependent. */
  readonly relationship: string
  readonly planCode: string
  readonly startDate: LocalDate
}

/** A line of the roster of a carrier. */
export interface RosterLine extends CoveredBenefit {
  readonly endDate: LocalDate | null
}

/** A line of the invoice of a carrier. */
export interface InvoiceLine extends CoveredBenefit {
  /** In cents. */
  readonly amount: number
}

/** What is wrong in the file on purpose. */
export interface SeededError {
  readonly class: RosterError | InvoiceError
  /** null: the line names no member. */
  readonly 'benefit-id': string | null
  /** In the file, from 1 for the first line after the heading; null: it is left out. */
  readonly 'line-number': number | null
  readonly expected: string | null
  readonly found: string | null
}

export interface CarrierFile<Line> {
  readonly lines: readonly Line[]
  readonly errors: readonly SeededError[]
}

export const ROSTER_ERRORS = [
  'missing-at-carrier',
  'unknown-here',
  'ended-at-carrier-active-here',
  'plan-differs',
  'start-date-differs',
  'name-differs',
  'date-of-birth-differs',
  'tax-id-differs',
  'relationship-differs',
  'duplicate-in-file',
] as const
type RosterError = (typeof ROSTER_ERRORS)[number]

export const INVOICE_ERRORS = ['not-charged', 'charged-unknown', 'amount-differs', 'duplicate-charge'] as const
type InvoiceError = (typeof INVOICE_ERRORS)[number]

interface Options {
  readonly seed: number
  /** How many lines are wrong, the classes in turn; at most one of each benefit. */
  readonly errors: number
  /** The day that the file is of. */
  readonly asOf: LocalDate
}

/** A change of the lines of one benefit. @returns the lines that the file has instead, and what differs. */
interface Change<Line> {
  readonly lines: readonly Line[]
  readonly expected: string | null
  readonly found: string | null
}

/** The roster of a carrier, with errors of each class in turn. */
export function simulateRoster(benefits: readonly CoveredBenefit[], options: Options): CarrierFile<RosterLine> {
  const lines = benefits.map((benefit): RosterLine => ({ ...benefit, endDate: null }))
  return withErrors(lines, ROSTER_ERRORS, options, (line, error, random) => rosterChange(line, error, random, options))
}

/** The invoice of a carrier, with errors of each class in turn. */
export function simulateInvoice(benefits: readonly CoveredBenefit[], options: Options): CarrierFile<InvoiceLine> {
  const lines = benefits.map((benefit): InvoiceLine => ({ ...benefit, amount: priceOf(benefit, options.asOf) }))
  return withErrors(lines, INVOICE_ERRORS, options, invoiceChange)
}

function withErrors<Line extends CoveredBenefit, Error extends RosterError | InvoiceError>(
  lines: readonly Line[],
  classes: readonly Error[],
  { seed, errors }: Options,
  change: (line: Line, error: Error, random: Random) => Change<Line>,
): CarrierFile<Line> {
  const random = randomOf(seed)
  const ordered = lines.toSorted((a, b) => (a.benefitId < b.benefitId ? -1 : 1))
  const wrong = new Map(random.some(ordered, errors).map((line, index) => [line, classes[index % classes.length]]))
  const file: Line[] = []
  const made: SeededError[] = []
  for (const line of ordered) {
    const error = wrong.get(line)
    if (error === undefined) {
      file.push(line)
      continue
    }
    const { lines: changed, expected, found } = change(line, error, random)
    file.push(...changed)
    const isUnknown = error === 'unknown-here' || error === 'charged-unknown'
    made.push({
      class: error,
      'benefit-id': isUnknown ? null : line.benefitId,
      'line-number': changed.length === 0 ? null : file.length,
      expected,
      found,
    })
  }
  return { lines: file, errors: made }
}

function rosterChange(line: RosterLine, error: RosterError, random: Random, { asOf }: Options): Change<RosterLine> {
  const differing = (changes: Partial<RosterLine>, key: keyof RosterLine): Change<RosterLine> => {
    const changed = { ...line, ...changes }
    return { lines: [changed], expected: line[key], found: changed[key] }
  }
  switch (error) {
    case 'missing-at-carrier':
      return { lines: [], expected: line.cardNumber, found: null }
    case 'unknown-here': {
      const stranger = strangerOf(line, random)
      return { lines: [line, stranger], expected: null, found: stranger.taxId }
    }
    case 'ended-at-carrier-active-here':
      return differing({ endDate: addDays(asOf, -random.between(1, 60)) }, 'endDate')
    case 'plan-differs':
      return differing({ planCode: `${line.planCode}9` }, 'planCode')
    case 'start-date-differs':
      return differing({ startDate: addDays(line.startDate, random.between(1, 30)) }, 'startDate')
    case 'name-differs':
      return differing({ name: `${line.name} Filho` }, 'name')
    case 'date-of-birth-differs':
      return differing({ dateOfBirth: addDays(line.dateOfBirth, random.between(1, 27)) }, 'dateOfBirth')
    case 'tax-id-differs':
      return differing({ taxId: strangerOf(line, random).taxId }, 'taxId')
    case 'relationship-differs':
      return differing({ relationship: line.relationship === 'sibling' ? 'spouse' : 'sibling' }, 'relationship')
    case 'duplicate-in-file':
      return { lines: [line, line], expected: '1', found: '2' }
    default:
      return error satisfies never
  }
}

function invoiceChange(line: InvoiceLine, error: InvoiceError, random: Random): Change<InvoiceLine> {
  switch (error) {
    case 'not-charged':
      return { lines: [], expected: String(line.amount), found: null }
    case 'charged-unknown': {
      const stranger = strangerOf(line, random)
      return { lines: [line, stranger], expected: null, found: stranger.taxId }
    }
    case 'amount-differs': {
      const amount = line.amount + random.between(1, 50) * 100
      return { lines: [{ ...line, amount }], expected: String(line.amount), found: String(amount) }
    }
    case 'duplicate-charge':
      return { lines: [line, line], expected: String(line.amount), found: String(2 * line.amount) }
    default:
      return error satisfies never
  }
}

/** A person who does not exist, in the same plan. */
function strangerOf<Line extends CoveredBenefit>(line: Line, random: Random): Line {
  const taxId = completeCpf(String(random.between(900_000_000, 999_999_998)))
  return { ...line, taxId, name: 'Pessoa Desconhecida', cardNumber: `8${taxId}` }
}

/** Made-up premiums in cents by the age bands of RN 563: from 0, 19, 24 and so on. */
export const premiums = [21_000, 25_000, 29_000, 33_000, 37_000, 42_000, 51_000, 62_000, 78_000, 118_000] as const

function priceOf({ dateOfBirth }: CoveredBenefit, asOf: LocalDate): number {
  const birthday = dateOfBirth.slice(5) <= asOf.slice(5) ? 0 : 1
  const age = Number(asOf.slice(0, 4)) - Number(dateOfBirth.slice(0, 4)) - birthday
  const band = age < 19 ? 0 : Math.min(9, Math.floor((age - 14) / 5))
  return premiums[band] ?? premiums[0]
}
