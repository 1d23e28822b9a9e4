import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { JsonError, parseJson } from '../../json.ts'
import { memberId } from '../../members/member-id.ts'
import { readBatch, unknownFields } from '../../rules/inclusion-batch.ts'
import type { Batch } from '../../rules/inclusion-batch.ts'
import type { InclusionFacts } from '../../rules/inclusion-facts.ts'
import { judge } from '../../rules/inclusion.ts'
import type { AcceptedMember, AcceptedProduct } from '../../rules/inclusion.ts'
import { isAbsent } from '../../rules/member-fields.ts'
import { parseCnpj } from '../../rules/tax-id.ts'

export interface ShapeDetail {
  field: string
  code: 'missing' | 'invalid' | 'too-few' | 'too-many'
}

/** The body is no inclusion request; `details` is empty when no field is to blame. For a 400 `Invalid body`. */
export class BatchShapeError extends Error {
  override readonly name = 'BatchShapeError'
  readonly details: readonly ShapeDetail[]

  constructor(details: readonly ShapeDetail[]) {
    super('the body is no inclusion request')
    this.details = details
  }
}

/** A body that was read, as it is kept until the facts come. */
export interface ReadBody {
  companyTaxId: string
  batch: Batch
  unknownFields: readonly string[]
}

/** What the facts are to be fetched for; the ids are unique. */
export interface BatchSummary {
  readonly companyTaxId: string
  readonly taxIds: string[]
  readonly primaryTaxIds: string[]
  readonly documentIds: string[]
  /** How many members the batch has. */
  readonly size: number
}

/** What the judgement is turned into rows with. */
export interface BatchIds {
  memberKey: Uint8Array
  /** CPF and id of those who are members of the company already. */
  memberIds: readonly (readonly [taxId: string, memberId: string])[]
  /** Take the valid members although others are rejected. */
  lenient: boolean
}

/** A judged batch as text: JSON to answer with and to store. */
/** One step of the worker: at most 500 members and 2,000 entries, as JSON arrays, and what a step need not count again. */
export interface ChunkText {
  members: string
  entries: string
  memberCount: number
  /** Different CPFs; a person may stand in two entries. */
  people: number
  /** Entries, that is products, of primaries and of dependents. */
  primaries: number
  dependents: number
}

export interface FinishedBatch {
  /** The array of rejected members; null when none. */
  rejected: string | null
  /** The array of warnings, those of the body itself first and without index; null when none. */
  warnings: string | null
  /** How many members are taken: 0 when anything was rejected and the mode is strict. */
  acceptedCount: number
  /** Primaries first over all chunks; empty when nothing is taken. */
  chunks: ChunkText[]
  /** The first `status-by-tax-id`: CPF, then product name, then the processing part. */
  parts: string
  /** Unique ids of the documents that the taken members use. */
  documents: string[]
}

const MAX_MEMBERS = 10_000
const MAX_MEMBERS_PER_CHUNK = 500
const MAX_ENTRIES_PER_CHUNK = 2_000
const MAX_DETAILS = 100
const BODY_FIELDS: ReadonlySet<string> = new Set(['company-tax-id', 'members'])

/** Parses a body and reads its members one by one. Throws BatchShapeError. */
export function readBody(body: Buffer): ReadBody {
  const sent = parseBody(body)
  const details: ShapeDetail[] = []
  const companyTaxId = parseCnpj(sent['company-tax-id'])
  if (companyTaxId === null) {
    details.push({ field: 'company-tax-id', code: isAbsent(sent['company-tax-id']) ? 'missing' : 'invalid' })
  }
  const members = checkMembers(sent['members'], details)
  if (companyTaxId === null || details.length > 0) throw new BatchShapeError(details)
  return { companyTaxId, batch: readBatch(members), unknownFields: unknownFields(sent, BODY_FIELDS) }
}

/** What is told of a body that was read. */
export function summarise({ companyTaxId, batch }: ReadBody): BatchSummary {
  const { taxIds, primaryTaxIds, documentIds, entries } = batch
  return { companyTaxId, taxIds, primaryTaxIds, documentIds, size: entries.length }
}

/** Judges a body that was read, and writes down what is to be answered and stored. */
export function finishBody(body: ReadBody, facts: InclusionFacts, ids: BatchIds): FinishedBatch {
  const { rejected, warnings, accepted } = judge(body.batch, facts)
  const taken = rejected.length > 0 && !ids.lenient ? [] : accepted
  const told = [...body.unknownFields.map((field) => ({ warning: 'unknown-field', field })), ...warnings]
  const memberKey = Buffer.from(ids.memberKey)
  const known = new Map(ids.memberIds)
  const nextId = idsInOrder(2 * taken.reduce((count, member) => count + member.products.length, 0))
  const chunks = inSteps(taken).map((some) =>
    chunkText(some, (taxId) => known.get(taxId) ?? memberId(memberKey, taxId, 0), nextId),
  )
  return {
    rejected: rejected.length > 0 ? JSON.stringify(rejected) : null,
    warnings: told.length > 0 ? JSON.stringify(told) : null,
    acceptedCount: taken.length,
    chunks,
    parts: partsOf(taken),
    documents: [...new Set(taken.flatMap((member) => member.documents.map((document) => document['document-id'])))],
  }
}

/** Cuts the members into steps of bounded size; one member's products are never torn apart. */
function inSteps(taken: readonly AcceptedMember[]): AcceptedMember[][] {
  const steps: AcceptedMember[][] = []
  let step: AcceptedMember[] = []
  let entries = 0
  for (const member of taken) {
    if (
      step.length === MAX_MEMBERS_PER_CHUNK ||
      (step.length > 0 && entries + member.products.length > MAX_ENTRIES_PER_CHUNK)
    ) {
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

function chunkText(some: readonly AcceptedMember[], idOf: (taxId: string) => string, nextId: () => string): ChunkText {
  const entriesOf = (type: AcceptedMember['type']) =>
    some.reduce((count, member) => count + (member.type === type ? member.products.length : 0), 0)
  return {
    members: JSON.stringify(some.map((member) => memberRow(member, idOf(member.taxId)))),
    entries: JSON.stringify(
      some.flatMap((member) => member.products.map((product) => entryRow(member, product, nextId))),
    ),
    memberCount: some.length,
    people: new Set(some.map((member) => member.taxId)).size,
    primaries: entriesOf('primary'),
    dependents: entriesOf('dependent'),
  }
}

function parseBody(body: Buffer): Record<string, unknown> {
  let sent: unknown
  try {
    sent = parseJson(body)
  } catch (error) {
    if (error instanceof JsonError) throw new BatchShapeError([])
    throw error
  }
  if (!isObject(sent)) throw new BatchShapeError([])
  return sent
}

function checkMembers(members: unknown, details: ShapeDetail[]): readonly unknown[] {
  if (!Array.isArray(members)) {
    details.push({ field: 'members', code: isAbsent(members) ? 'missing' : 'invalid' })
    return []
  }
  if (members.length === 0) details.push({ field: 'members', code: 'too-few' })
  if (members.length > MAX_MEMBERS) {
    details.push({ field: 'members', code: 'too-many' })
    return []
  }
  for (const [index, member] of (members as readonly unknown[]).entries()) {
    if (!isObject(member)) details.push({ field: `members[${index}]`, code: 'invalid' })
    if (details.length === MAX_DETAILS) break
  }
  return members
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function memberRow(member: AcceptedMember, id: string): Record<string, unknown> {
  return {
    n: member.index,
    'tax-id': member.taxId,
    'member-id': id,
    data: member.profile,
    documents: member.documents,
  }
}

function entryRow(member: AcceptedMember, product: AcceptedProduct, nextId: () => string): Record<string, unknown> {
  return {
    n: member.index,
    'tax-id': member.taxId,
    'enrollment-id': nextId(),
    'benefit-id': nextId(),
    'product-id': product.productId,
    'product-name': product.productName,
    type: member.type,
    'primary-member-tax-id': member.primaryTaxId,
    'dependent-type': member.dependentType,
    'start-option': product.startOption,
    'start-date': product.startDate,
    'scheduled-action-date': product.scheduledActionDate,
    'scheduled-reason': product.scheduledReason,
  }
}

// Makes up to `count` UUIDv7 that follow one another; drawing their random bits at once takes a fifth of the time.
function idsInOrder(count: number): () => string {
  const random = randomBytes(16 * (count + 1))
  const msecs = Date.now()
  const seq = random.readUInt32BE(0) >>> 1
  let n = 0
  return () => {
    n += 1
    return uuidv7({ random: random.subarray(16 * n, 16 * n + 16), msecs, seq: seq + n })
  }
}

// Written as text: product names are free, and none may become a key of an object here.
function partsOf(taken: readonly AcceptedMember[]): string {
  const partsByTaxId = new Map<string, string[]>()
  for (const member of taken) {
    const parts = partsByTaxId.get(member.taxId) ?? []
    for (const { productName } of member.products) {
      parts.push(`${JSON.stringify(productName)}:{"status":"processing","enrollment-id":null}`)
    }
    partsByTaxId.set(member.taxId, parts)
  }
  const members = Array.from(partsByTaxId, ([taxId, parts]) => `"${taxId}":{${parts.join()}}`)
  return `{${members.join()}}`
}
