import { idsInOrder } from '../../platform/uuid.ts'
import { memberIds } from '../../members/member-id.ts'
import type { Entry } from '../../domain/inclusion-batch.ts'
import type { AcceptedMember } from '../../domain/inclusion.ts'

/**
 * One step of the worker: at most 500 members and 2,000 entries, as JSON, and what a step need not count again. Columns, not rows: without
 * the names in every row they are written, sent and read in two thirds of the time. `membersOf` and `entriesOf` read them.
 */
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

/** What of a member no fact changes. */
interface PreparedMember {
  /** The id that the CPF gives. */
  memberId: string
  /** Profile and documents as JSON. */
  data: string
  /** Where the member's ids begin among those of the batch. */
  firstId: number
}

/** What is ready of a batch before the facts of its company are known. */
export interface PreparedBatch {
  /** By place in the batch; nobody who offends without any fact. */
  members: PreparedMember[]
  /** For each product that somebody asks for, the ids of the enrollment and of the benefit. */
  ids: string[]
}

/** Makes ready what needs no facts. The bytes of `memberKey` must not change afterwards. */
export function prepareMembers(entries: readonly Entry[], memberKey: Buffer): PreparedBatch {
  const able = entries.filter((entry) => entry.offenses.length === 0)
  const taxIds = able.map((entry) => entry.taxId as string)
  const ownIds = memberIds(memberKey, taxIds, 0)
  const members: PreparedMember[] = []
  let firstId = 0
  for (const [place, { index, profile, documents, items }] of able.entries()) {
    const data = JSON.stringify(documents.length === 0 ? profile : { ...profile, documents })
    members[index] = { memberId: ownIds[place] as string, data, firstId }
    firstId += 2 * (items?.length ?? 0)
  }
  return { members, ids: idsInOrder(firstId) }
}

// Memory of its own for each text: a small Buffer would be cut from a pool, which no thread can give away.
const encoder = new TextEncoder()
const maxMembers = 500
const maxEntries = 2_000

/**
 * Writes down the members who are taken, in chunks of bounded size.
 * @param known id by CPF of those who are members of the company already.
 */
export function chunkTexts(
  taken: readonly AcceptedMember[],
  known: ReadonlyMap<string, string>,
  prepared: PreparedBatch,
): ChunkText[] {
  return inSteps(taken).map((some) => {
    const people = new Set(some.map((member) => member.taxId))
    const count = (type: AcceptedMember['type']) =>
      some.reduce((sum, member) => sum + (member.type === type ? member.products.length : 0), 0)
    return {
      members: encoder.encode(membersText(some, known, prepared)),
      entries: encoder.encode(entriesText(some, prepared)),
      memberCount: some.length,
      people: people.size,
      known: known.size === 0 ? 0 : [...people].filter((taxId) => known.has(taxId)).length,
      primaries: count('primary'),
      dependents: count('dependent'),
    }
  })
}

/** Cuts the members into steps of bounded size; one member's products are never torn apart. */
function inSteps(taken: readonly AcceptedMember[]): AcceptedMember[][] {
  const steps: AcceptedMember[][] = []
  let step: AcceptedMember[] = []
  let entries = 0
  for (const member of taken) {
    const isFull = step.length === maxMembers || (step.length > 0 && entries + member.products.length > maxEntries)
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

function membersText(
  some: readonly AcceptedMember[],
  known: ReadonlyMap<string, string>,
  { members }: PreparedBatch,
): string {
  const prepared = some.map(({ index }) => members[index] as PreparedMember)
  const columns = {
    n: some.map((member) => member.index),
    'tax-id': some.map((member) => member.taxId),
    'member-id': some.map((member, place) => known.get(member.taxId) ?? prepared[place]?.memberId),
  }
  return `{${within(columns)},"data":[${prepared.map(({ data }) => data).join()}]}`
}

function entriesText(some: readonly AcceptedMember[], { members, ids }: PreparedBatch): string {
  const rows = some.flatMap((member) => {
    const { firstId } = members[member.index] as PreparedMember
    return member.products.map((product, place) => ({ member, product, id: firstId + 2 * place }))
  })
  const products = new Map(rows.map(({ product }) => [product.productId, product.productName]))
  const places = new Map([...products.keys()].map((productId, place) => [productId, place + 1]))
  const ofDependent = ({ member }: (typeof rows)[number]) => (member.type === 'dependent' ? member : null)
  const columns = {
    n: rows.map(({ member }) => member.index),
    'tax-id': rows.map(({ member }) => member.taxId),
    product: rows.map(({ product }) => places.get(product.productId)),
    'enrollment-id': rows.map(({ id }) => ids[id]),
    'benefit-id': rows.map(({ id }) => ids[id + 1]),
    'start-date': rows.map(({ product }) => product.startDate),
    'primary-member-tax-id': rows.map((row) => ofDependent(row)?.primaryTaxId ?? null),
    'dependent-type': rows.map((row) => ofDependent(row)?.dependentType ?? null),
    'scheduled-action-date': rows.map(({ product }) => product.scheduledActionDate),
    'scheduled-reason': rows.map(({ product }) => product.scheduledReason),
  }
  const told = Object.entries(columns).filter(([, values]) => values.some((value) => value !== null))
  const names = inAscii(JSON.stringify([...products.values()]))
  return `{"product-id":${JSON.stringify([...products.keys()])},"product-name":${names},${within(Object.fromEntries(told))}}`
}

/** The JSON of an object without its braces. */
function within(columns: object): string {
  return JSON.stringify(columns).slice(1, -1)
}

/** A text of nothing else is encoded several times as fast. */
function inAscii(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
