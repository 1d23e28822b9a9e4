import { memberId } from '../../members/member-id.ts'
import type { Entry } from '../../rules/inclusion-batch.ts'
import type { AcceptedMember, AcceptedProduct } from '../../rules/inclusion.ts'

/** One step of the worker: at most 500 members and 2,000 entries, as JSON arrays, and what a step need not count again. */
export interface ChunkText {
  /** UTF-8: the driver hands bytes on as they are, and a thread gives them away without a copy. */
  members: Uint8Array
  entries: Uint8Array
  memberCount: number
  /** Different CPFs; a person may stand in two entries. */
  people: number
  /** Those of them who were members of the company when the facts were read. */
  known: number
  /** Entries, that is products, of primaries and of dependents. */
  primaries: number
  dependents: number
}

/** What of a member's rows no fact changes. */
export interface PreparedMember {
  /** The id that the CPF gives. */
  memberId: string
  /** The end of the member's row. */
  rest: string
  /** The begin of the row of each product, with the ids that it will have. */
  entries: string[]
}

/** @param nextId gives ids in the order of the batch; it is asked twice a product. */
export function prepareMember(entry: Entry, memberKey: Buffer, nextId: () => string): PreparedMember {
  const { index, taxId, profile, documents, role, primaryTaxId, dependentType } = entry
  const sent = documents.length === 0 ? '[]' : JSON.stringify(documents)
  const dependent =
    role === 'dependent' ? `,"primary-member-tax-id":"${primaryTaxId}","dependent-type":"${dependentType}"` : ''
  const begin = `{"n":${index},"tax-id":"${taxId}","type":"${role}"${dependent}`
  return {
    memberId: memberId(memberKey, taxId as string, 0),
    rest: `,"data":${JSON.stringify(profile)},"documents":${sent}}`,
    entries: (entry.items ?? []).map(() => `${begin},"enrollment-id":"${nextId()}","benefit-id":"${nextId()}"`),
  }
}

// Memory of its own for each text: a small Buffer would be cut from a pool, which no thread can give away.
const encoder = new TextEncoder()
const mostMembers = 500
const mostEntries = 2_000

/**
 * Writes down the members who are taken, in chunks of bounded size.
 * @param known id by CPF of those who are members of the company already.
 * @param prepared what was prepared of the member at that place of the batch; one entry a product, in their order.
 */
export function chunkTexts(
  taken: readonly AcceptedMember[],
  known: ReadonlyMap<string, string>,
  prepared: (member: AcceptedMember) => PreparedMember,
): ChunkText[] {
  const names = new Map<string, string>()
  return inSteps(taken).map((some) => {
    const entriesOf = (type: AcceptedMember['type']) =>
      some.reduce((count, member) => count + (member.type === type ? member.products.length : 0), 0)
    const people = new Set(some.map((member) => member.taxId))
    const members: string[] = []
    const entries: string[] = []
    for (const member of some) {
      const { memberId: ownId, rest, entries: begun } = prepared(member)
      const id = known.get(member.taxId) ?? ownId
      members.push(`{"n":${member.index},"tax-id":"${member.taxId}","member-id":"${id}"${rest}`)
      for (const [place, product] of member.products.entries()) {
        entries.push(`${begun[place]},${restOf(product, nameText(product, names))}`)
      }
    }
    return {
      members: encoder.encode(`[${members.join()}]`),
      entries: encoder.encode(`[${entries.join()}]`),
      memberCount: some.length,
      people: people.size,
      known: known.size === 0 ? 0 : [...people].filter((taxId) => known.has(taxId)).length,
      primaries: entriesOf('primary'),
      dependents: entriesOf('dependent'),
    }
  })
}

/** Cuts the members into steps of bounded size; one member's products are never torn apart. */
function inSteps(taken: readonly AcceptedMember[]): AcceptedMember[][] {
  const steps: AcceptedMember[][] = []
  let step: AcceptedMember[] = []
  let entries = 0
  for (const member of taken) {
    const isFull = step.length === mostMembers || (step.length > 0 && entries + member.products.length > mostEntries)
    if (isFull) {
      steps.push(step)
      step = []
      entries = 0
    }
    step.push(member)
    entries += member.products.length
  }
  if (step.length > 0) steps.push(step)
  return steps
}

// Put together by hand, a third of what JSON.stringify takes: all but the names are ids, dates and words of closed lists.
function restOf({ startDate, scheduledActionDate, scheduledReason }: AcceptedProduct, name: string): string {
  const scheduled =
    scheduledReason === null
      ? ''
      : `,"scheduled-action-date":"${scheduledActionDate}","scheduled-reason":"${scheduledReason}"`
  return `${name},"start-date":"${startDate}"${scheduled}}`
}

/** Id and name of the product as JSON, written once and in ASCII: a text of nothing else is encoded several times as fast. */
function nameText({ productId, productName }: AcceptedProduct, names: Map<string, string>): string {
  let text = names.get(productId)
  if (text === undefined) {
    const name = JSON.stringify(productName).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    text = `"product-id":"${productId}","product-name":${name}`
    names.set(productId, text)
  }
  return text
}
