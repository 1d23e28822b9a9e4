import { cardKey } from '#coverage/rules/card-number.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Acknowledgement, AcknowledgementCode } from '#registry/rules/acknowledgement.ts'
import type { StoredResult } from '#movements/decide/results.ts'
import type { LineKeys, ReadLine } from './acknowledgement-line.ts'

/** What lines of an acknowledgement find an item by. */
export interface MatchedItem {
  readonly enrollmentId: string
  readonly position: number
  readonly taxId: string
  /** Those who are in its lines beside the primary. */
  readonly dependents: readonly { readonly benefitId: string; readonly taxId: string }[]
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
  const found = lines.map((line) => {
    const item = find(line.keys)
    const dependent =
      typeof item === 'object' ? (item.dependents.find(({ taxId }) => taxId === line.keys.taxId) ?? null) : null
    return { ...line, item, dependent }
  })
  const shared = sharedCards(found)
  const ofItems = Map.groupBy(found, ({ item }) => item)
  const judged = new Map([...ofItems].map(([item, said]) => [item, saidTogether(said, shared)]))
  return found.map(({ line, says, item }): MatchedLine => {
    const isKnown = typeof item === 'object'
    const id = isKnown ? item.enrollmentId : null
    const outcome = 'details' in says ? {} : { outcome: says.outcome }
    const refused = (code: AcknowledgementCode) => ({ line, id, refused: { ...outcome, code } })
    if ('details' in says) return { line, id, refused: { code: 'invalid-body', details: says.details } }
    if (!isKnown) return refused(item)
    const together = judged.get(item) ?? 'conflicting-lines'
    return typeof together === 'string' ? refused(together) : { line, id, says: together }
  })
}

interface FoundLine extends ReadLine {
  readonly item: MatchedItem | string
  /** Whose line it is; null: of the movement itself. */
  readonly dependent: MatchedItem['dependents'][number] | null
}

/** What the lines of an item say together: a refusal or an analysis of one person is that of the item, which is accepted with the cards of all. */
function saidTogether(found: readonly FoundLine[], shared: ReadonlySet<string>): Acknowledgement | AcknowledgementCode {
  const people = new Map<FoundLine['dependent'], Acknowledgement>()
  for (const { says, dependent } of found) {
    const before = people.get(dependent)
    if ('details' in says || (before !== undefined && !isDeepStrictEqual(before, says))) return 'conflicting-lines'
    people.set(dependent, says)
  }
  const inOrder = [...people].sort(([a], [b]) => ((a?.benefitId ?? '') < (b?.benefitId ?? '') ? -1 : 1))
  if (inOrder.some(([, says]) => shared.has(cardOf(says) ?? ''))) return 'duplicate-card'
  const all = inOrder.map(([, says]) => says)
  const decisive =
    all.find(({ outcome }) => outcome === 'refused') ?? all.find(({ outcome }) => outcome === 'in-analysis')
  const own = people.get(null)
  const [first] = all
  if (first === undefined) return 'conflicting-lines'
  const says = decisive ?? own ?? { ...first, cardNumber: null }
  const cards = inOrder.flatMap(([dependent, { cardNumber }]) =>
    dependent === null || cardNumber === null ? [] : [[dependent.benefitId, cardNumber] as const],
  )
  if (says.outcome !== 'accepted' || cards.length === 0) return says
  return { ...says, dependentCards: Object.fromEntries(cards) }
}

function finder(items: readonly MatchedItem[]): (keys: LineKeys) => MatchedItem | 'unknown-line' | 'ambiguous-line' {
  const byId = Map.groupBy(items, ({ enrollmentId }) => enrollmentId)
  const byPosition = Map.groupBy(items, ({ position }) => position)
  const people = items.flatMap((item) => [item, ...item.dependents].map(({ taxId }) => ({ taxId, item })))
  const byTaxId = Map.groupBy(people, ({ taxId }) => taxId)
  return ({ enrollmentId, position, taxId, product, planCode }) => {
    const candidates =
      enrollmentId !== null
        ? byId.get(enrollmentId)
        : position !== null
          ? byPosition.get(position)
          : taxId !== null
            ? byTaxId.get(taxId)?.map(({ item }) => item)
            : undefined
    const [item, ...others] = (candidates ?? []).filter(
      (candidate) =>
        (position === null || candidate.position === position) &&
        (taxId === null || [candidate, ...candidate.dependents].some((person) => person.taxId === taxId)) &&
        (product === null || candidate.product === product) &&
        (planCode === null || candidate.planCode === planCode),
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
function sharedCards(found: readonly FoundLine[]): ReadonlySet<string> {
  const people = new Map<string, string>()
  const shared = new Set<string>()
  for (const { says, item, dependent } of found) {
    const card = 'details' in says ? null : cardOf(says)
    if (card === null || typeof item === 'string') continue
    const { taxId } = dependent ?? item
    const person = people.get(card)
    if (person === undefined) people.set(card, taxId)
    else if (person !== taxId) shared.add(card)
  }
  return shared
}
