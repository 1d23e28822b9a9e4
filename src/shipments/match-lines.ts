import { cardKey } from '../domain/card-number.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Acknowledgement, AcknowledgementCode } from '../domain/acknowledgement.ts'
import type { StoredResult } from '../movements/decide/results.ts'
import type { LineKeys, ReadLine } from './acknowledgement-line.ts'

/** What lines of an acknowledgement find an item by. */
export interface MatchedItem {
  readonly enrollmentId: string
  readonly position: number
  readonly taxId: string
  /** As product names are compared. */
  readonly product: string
  readonly planCode: string | null
}

/** A line with its item; `refused`: why it is not used. */
export type MatchedLine = { readonly line: number; readonly id: string | null } & (
  | { readonly says: Acknowledgement }
  | { readonly refused: StoredResult }
)

/**
 * Finds the items of lines. What a line says of its item must all be true: a table that was sorted by one column only must not give a card
 * to another person. Lines that say different things of one item are not used, nor is a card number of two people. The order of the lines does not matter.
 */
export function matchLines(lines: readonly ReadLine[], items: readonly MatchedItem[]): MatchedLine[] {
  const find = finder(items)
  const found = lines.map((one) => ({ ...one, item: find(one.keys) }))
  const said = Map.groupBy(found, ({ item }) => (typeof item === 'object' ? item.enrollmentId : null))
  const shared = sharedCards(found)
  return found.map(({ line, says, item }): MatchedLine => {
    const isKnown = typeof item === 'object'
    const id = isKnown ? item.enrollmentId : null
    const outcome = 'details' in says ? {} : { outcome: says.outcome }
    const refused = (code: AcknowledgementCode) => ({ line, id, refused: { ...outcome, code } })
    if ('details' in says) return { line, id, refused: { code: 'invalid-body', details: says.details } }
    if (!isKnown) return refused(item)
    if (said.get(id)?.some((other) => !isDeepStrictEqual(other.says, says)) === true)
      return refused('conflicting-lines')
    return shared.has(cardOf(says) ?? '') ? refused('duplicate-card') : { line, id, says }
  })
}

function finder(items: readonly MatchedItem[]): (keys: LineKeys) => MatchedItem | 'unknown-line' | 'ambiguous-line' {
  const byId = Map.groupBy(items, ({ enrollmentId }) => enrollmentId)
  const byPosition = Map.groupBy(items, ({ position }) => position)
  const byTaxId = Map.groupBy(items, ({ taxId }) => taxId)
  return ({ enrollmentId, position, taxId, product, planCode }) => {
    const candidates =
      enrollmentId !== null
        ? byId.get(enrollmentId)
        : position !== null
          ? byPosition.get(position)
          : taxId !== null
            ? byTaxId.get(taxId)
            : undefined
    const [item, ...others] = (candidates ?? []).filter(
      (one) =>
        (position === null || one.position === position) &&
        (taxId === null || one.taxId === taxId) &&
        (product === null || one.product === product) &&
        (planCode === null || one.planCode === planCode),
    )
    if (item === undefined) return 'unknown-line'
    return others.length === 0 ? item : 'ambiguous-line'
  }
}

/** The card number that a line gives, without spaces and punctuation; null: none. */
export function cardOf({ outcome, cardNumber }: Acknowledgement): string | null {
  return outcome === 'accepted' && cardNumber !== null ? cardKey(cardNumber) : null
}

/** The card numbers that lines give to more than one person. */
function sharedCards(
  found: readonly (Pick<ReadLine, 'says'> & { readonly item: MatchedItem | string })[],
): ReadonlySet<string> {
  const people = new Map<string, string>()
  const shared = new Set<string>()
  for (const { says, item } of found) {
    const card = 'details' in says ? null : cardOf(says)
    if (card === null || typeof item === 'string') continue
    const person = people.get(card)
    if (person === undefined) people.set(card, item.taxId)
    else if (person !== item.taxId) shared.add(card)
  }
  return shared
}
