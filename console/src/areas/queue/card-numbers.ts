import { completionFields, type DecidedMovement } from '../../decisions/decision.ts'
import { plainTaxId } from '../../format/tax-id.ts'

/** A pasted line that belongs to no movement. */
export interface UnusedLine {
  /** From 1. */
  readonly line: number
  readonly text: string
}

export interface CardNumbers {
  /** For each movement that takes a card number, in order; null: no line is for it. */
  readonly rows: readonly { readonly movement: DecidedMovement; readonly card: string | null }[]
  readonly unused: readonly UnusedLine[]
  /** Whether lines name the person by CPF, else they are taken in the order of the movements. */
  readonly isByCpf: boolean
}

const separators = /[\t;]/

/**
 * Reads card numbers as they are copied from a spreadsheet: a line for each, or CPF and card number (separated by a tab or `;`). With CPFs the
 * order does not matter; several lines of one CPF go to its movements in order.
 */
export function readCardNumbers(text: string, movements: readonly DecidedMovement[]): CardNumbers {
  const takers = movements.filter((one) => completionFields(one).includes('card-number'))
  const lines = text
    .split(/\r?\n/)
    .map((one, index) => ({ line: index + 1, text: one.trim() }))
    .filter((one) => one.text !== '')
  const isByCpf = lines.some((one) => separators.test(one.text))
  const cards = new Map<string, string>()
  const unused: UnusedLine[] = []
  let next = 0
  for (const one of lines) {
    const [first = '', second = ''] = one.text.split(separators).map((cell) => cell.trim())
    const movement = isByCpf
      ? takers.find(({ id, 'member-tax-id': cpf }) => cpf === plainTaxId(first).padStart(11, '0') && !cards.has(id))
      : takers[next++]
    const card = isByCpf ? second : first
    if (movement === undefined || card === '') unused.push(one)
    else cards.set(movement.id, card)
  }
  return { rows: takers.map((movement) => ({ movement, card: cards.get(movement.id) ?? null })), unused, isByCpf }
}
