import { maxDetails } from '../../platform/errors.ts'
import { batchLimits, JsonError, type JsonLimits, parseJson, TooManyValuesError } from '../../http/strict-json.ts'
import { MAX_BATCH_MEMBERS, parseBatch, unknownFields } from '../../domain/inclusion-batch.ts'
import type { Batch } from '../../domain/inclusion-batch.ts'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { judge } from '../../domain/inclusion.ts'
import { cnpj, type FieldError, isAbsent, isObject } from '../../domain/field-types.ts'
import { chunkTexts, type ChunkText, prepareMembers, type PreparedBatch } from './encode-chunk.ts'

/** The body is not an inclusion request: 400 `Invalid body`. `details` may be empty. */
export class BatchShapeError extends Error {
  override readonly name = 'BatchShapeError'
  readonly details: readonly FieldError[]

  constructor(details: readonly FieldError[]) {
    super('the body is no inclusion request')
    this.details = details
  }
}

/** A body that was read, as it is kept until the facts come. */
export interface ReadBody {
  companyTaxId: string
  batch: Batch
  unknownFields: readonly string[]
  /** Null until `prepareBody`. */
  prepared: PreparedBatch | null
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
export interface FinishedBatch {
  /** The array of rejected members; null when none. */
  rejected: string | null
  /** The array of warnings, those of the body itself first and without index; null when none. */
  warnings: string | null
  /** How many members are taken: 0 when anything was rejected and the mode is strict. */
  acceptedCount: number
  /** Primaries first over all chunks; empty when nothing is taken. */
  chunks: ChunkText[]
  /** Unique ids of the documents that the taken members use. */
  documents: string[]
}

const BODY_FIELDS: ReadonlySet<string> = new Set(['company-tax-id', 'members'])

/**
 * Parses a body and reads its members one by one. Throws BatchShapeError.
 * @param limits others than `batchLimits`: above them it throws TooManyValuesError, as the body is for a thread.
 */
export function readBody(body: Buffer, limits: JsonLimits = batchLimits): ReadBody {
  const sent = parseBody(body, limits)
  const details: FieldError[] = []
  const companyTaxId = cnpj.parse(sent['company-tax-id']) ?? null
  if (companyTaxId === null) {
    details.push({ field: 'company-tax-id', code: isAbsent(sent['company-tax-id']) ? 'missing' : 'invalid' })
  }
  const members = checkMembers(sent['members'], details)
  if (companyTaxId === null || details.length > 0) throw new BatchShapeError(details)
  return { companyTaxId, batch: parseBatch(members), unknownFields: unknownFields(sent, BODY_FIELDS), prepared: null }
}

/** Writes down what needs no facts, so that it is ready when they come. */
export function prepareBody(body: ReadBody, memberKey: Uint8Array): PreparedBatch {
  return (body.prepared ??= prepareMembers(body.batch.entries, Buffer.from(memberKey)))
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
  const known = new Map(ids.memberIds)
  const chunks = taken.length === 0 ? [] : chunkTexts(taken, known, prepareBody(body, ids.memberKey))
  return {
    rejected: rejected.length > 0 ? JSON.stringify(rejected) : null,
    warnings: told.length > 0 ? JSON.stringify(told) : null,
    acceptedCount: taken.length,
    chunks,
    documents: [...new Set(taken.flatMap((member) => member.documents.map((document) => document['document-id'])))],
  }
}

function parseBody(body: Buffer, limits: JsonLimits): Record<string, unknown> {
  let sent: unknown
  try {
    sent = parseJson(body, limits)
  } catch (error) {
    if (error instanceof TooManyValuesError) {
      if (limits !== batchLimits) throw error
      throw new BatchShapeError([{ field: 'body', code: 'too-many-values' }])
    }
    if (error instanceof JsonError) throw new BatchShapeError([])
    throw error
  }
  if (!isObject(sent)) throw new BatchShapeError([])
  return sent
}

function checkMembers(members: unknown, details: FieldError[]): readonly unknown[] {
  if (!Array.isArray(members)) {
    details.push({ field: 'members', code: isAbsent(members) ? 'missing' : 'invalid' })
    return []
  }
  if (members.length === 0) details.push({ field: 'members', code: 'too-few' })
  if (members.length > MAX_BATCH_MEMBERS) {
    details.push({ field: 'members', code: 'too-many' })
    return []
  }
  for (const [index, member] of (members as readonly unknown[]).entries()) {
    if (!isObject(member)) details.push({ field: `members[${index}]`, code: 'invalid' })
    if (details.length === maxDetails) break
  }
  return members
}
