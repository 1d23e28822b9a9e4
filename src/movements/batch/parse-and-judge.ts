import { maxDetails } from '#platform/core/errors.ts'
import { batchLimits, JsonError, type JsonLimits, parseJson, TooManyValuesError } from '#platform/http/strict-json.ts'
import { SentenceWriter } from '#platform/http/sentences.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { MAX_BATCH_MEMBERS } from '../rules/inclusion-batch.ts'
import type { MovementKind } from '#kernel/enums.ts'
import { cnpj } from '#kernel/field-types.ts'
import { type Intake, parseIntake, type TypedAt } from '../rules/intake.ts'
import { type FieldError, invalidValue, isAbsent, isObject } from '#kernel/fields.ts'
import type { JsonType } from '#kernel/messages.ts'
import { type ItemRequest, itemRows, type MovementItem } from './items.ts'

/** The body is not a batch: 400 `Invalid body`. `details` may be empty. */
export class BatchShapeError extends Error {
  override readonly name = 'BatchShapeError'
  readonly details: readonly FieldError[]

  constructor(details: readonly FieldError[]) {
    super('the body is no batch')
    this.details = details
  }
}

/** The unique ids that the facts are read for. */
export interface BatchSummary {
  readonly companyTaxId: string
  /** The client's own name for the request. */
  readonly reference: string | null
  readonly taxIds: string[]
  readonly primaryTaxIds: string[]
  readonly documentIds: string[]
  /** How the request came; null: the body does not say it. */
  readonly intake: Intake | null
  /** How many members the batch has. */
  readonly size: number
  /** The index of the first member with `sandbox`; absent: none has it. */
  readonly sandboxAt?: number | undefined
  /** For a batch of alterations: whom it alters. */
  readonly alterations?: readonly SummarizedAlteration[]
}

/** What the facts of an entry of a batch of alterations are read for. */
export interface SummarizedAlteration {
  readonly index: number
  readonly taxId: string
  readonly newTaxId: string | null
  readonly newCompanyTaxId: string | null
}

/** A judged batch as JSON, for the response and for the database. */
export interface FinishedBatch {
  /** The array of rejected members; null when none. */
  rejected: string | null
  /** The array of warnings, those of the body itself first and without index; null when none. */
  warnings: string | null
  /** The array of missing documents; null when none. */
  missingDocuments: string | null
  /** How many members are accepted: 0 when any is rejected and the mode is strict. */
  acceptedCount: number
  /** The items of the accepted members (`itemRows`); null without a request, and when none is accepted. */
  items: Uint8Array | null
  /** Unique ids of the documents of the accepted members. */
  documents: string[]
  /** The lists of the response with sentences, as UTF-8; null when they have none. */
  withSentences: Uint8Array | null
}

export interface FinishOptions {
  /** In which the sentences of the response are made: its lists may be megabytes. */
  readonly language: Language
  /** Accepts the valid members although others are rejected. */
  readonly lenient: boolean
  /** The request of the accepted members; null for a dry run. */
  readonly request: ItemRequest | null
}

interface Judgement<Accepted> {
  readonly rejected: readonly object[]
  readonly accepted: readonly Accepted[]
  readonly warnings?: readonly object[]
  readonly missingDocuments?: readonly object[]
}

/** What its kind says of an accepted entry. */
interface AcceptedOf<Accepted> {
  readonly kind: MovementKind
  readonly documentsOf: (accepted: Accepted) => readonly { readonly 'document-id': string }[]
  /** The items of the accepted entries, those that are processed in one step together. */
  readonly familiesOf: (accepted: readonly Accepted[]) => Iterable<readonly MovementItem[]>
}

export function finishBatch<Accepted>(
  judgement: Judgement<Accepted>,
  { lenient, request, language }: FinishOptions,
  { kind, documentsOf, familiesOf }: AcceptedOf<Accepted>,
): FinishedBatch {
  const { rejected, warnings = [], missingDocuments = [] } = judgement
  const accepted = rejected.length > 0 && !lenient ? [] : judgement.accepted
  return {
    rejected: rejected.length > 0 ? JSON.stringify(rejected) : null,
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : null,
    missingDocuments: missingDocuments.length > 0 ? JSON.stringify(missingDocuments) : null,
    acceptedCount: accepted.length,
    items: request !== null && accepted.length > 0 ? itemRows(kind, familiesOf(accepted), request) : null,
    documents: [
      ...new Set(accepted.flatMap((member) => documentsOf(member).map((document) => document['document-id']))),
    ],
    withSentences: listsWithSentences(rejected, warnings, missingDocuments, language),
  }
}

/** Changes the lists. */
function listsWithSentences(
  rejected: readonly object[],
  warnings: readonly object[],
  missingDocuments: readonly object[],
  language: Language,
): Uint8Array | null {
  if (rejected.length === 0 && warnings.length === 0) return null
  const lists = {
    ...(rejected.length > 0 && { result: rejected }),
    ...(warnings.length > 0 && { warnings }),
    ...(missingDocuments.length > 0 && { 'missing-documents': missingDocuments }),
  }
  return new TextEncoder().encode(new SentenceWriter(language).textOf(lists).slice(1, -1))
}

/** @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`. */
export function parseBody(body: Buffer, limits: JsonLimits = batchLimits): Record<string, unknown> {
  let sent: unknown
  try {
    sent = parseJson(body, limits)
  } catch (error) {
    if (error instanceof TooManyValuesError && limits !== batchLimits) throw error
    if (error instanceof JsonError) throw new BatchShapeError([error.detail])
    throw error
  }
  if (!isObject(sent)) throw new BatchShapeError([])
  return sent
}

/** Takes `intake` from a body that has it. @param details gets its errors. */
export function readIntake(
  sent: Readonly<Record<string, unknown>>,
  typedAt: TypedAt | undefined,
  details: FieldError[],
): { readonly intake: Intake | null; readonly rest: Readonly<Record<string, unknown>> } {
  if (typedAt === undefined) return { intake: null, rest: sent }
  const { intake: own, ...rest } = sent
  const intake = parseIntake(own, typedAt)
  if ('medium' in intake) return { intake, rest }
  details.push(...intake)
  return { intake: null, rest }
}

/** Checks the fields that every batch has. @param details errors found already. @throws BatchShapeError. */
export function checkShape(
  sent: Readonly<Record<string, unknown>>,
  details: FieldError[] = [],
): { companyTaxId: string; members: readonly Record<string, unknown>[] } {
  const companyTaxId = cnpj.parse(sent['company-tax-id']) ?? null
  if (companyTaxId === null) {
    const field = 'company-tax-id'
    details.push(isAbsent(sent[field]) ? { field, code: 'missing' } : invalidValue(field, cnpj))
  }
  const members = checkMembers(sent['members'], details)
  if (companyTaxId === null || details.length > 0) throw new BatchShapeError(details)
  return { companyTaxId, members: members as readonly Record<string, unknown>[] }
}

const wrongType = (field: string, type: JsonType): FieldError => ({
  field,
  code: 'invalid',
  message: { key: 'type', types: [type] },
})

function checkMembers(members: unknown, details: FieldError[]): readonly unknown[] {
  if (!Array.isArray(members)) {
    const field = 'members'
    details.push(isAbsent(members) ? { field, code: 'missing' } : wrongType(field, 'array'))
    return []
  }
  if (members.length === 0) details.push({ field: 'members', code: 'too-few', message: { key: 'min-items', limit: 1 } })
  if (members.length > MAX_BATCH_MEMBERS) {
    details.push({ field: 'members', code: 'too-many', message: { key: 'max-items', limit: MAX_BATCH_MEMBERS } })
    return []
  }
  for (const [index, member] of (members as readonly unknown[]).entries()) {
    if (!isObject(member)) details.push(wrongType(`members[${index}]`, 'object'))
    if (details.length === maxDetails) break
  }
  return members
}
